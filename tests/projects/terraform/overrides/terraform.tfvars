region = "us"
labels = {
  from = "terraform.tfvars"
  more = "x${1 + 1}"
}
who = "terraform.tfvars"
