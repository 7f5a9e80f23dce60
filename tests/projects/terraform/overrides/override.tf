locals {
  name = "override-${var.region}"
}

variable "size" {
  default = 3
}

module "store" {
  size = var.size * 10
}
