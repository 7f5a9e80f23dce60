variable "region" {
  default = "north"
}

locals {
  host = "${var.reigon}.example.com"
  size = var.region == "north" ? loca.large : 1
}
