prt   = 80
check = {}
check "x" {}
chek {}
check {
  inner = 1
}
