resource "disk" "data" = {
  size = 10
}
