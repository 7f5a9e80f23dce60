# Blocks of one type whose labels come in any order.

data "terraform_remote_state" "b" {
  backend = "local"
}

resource "terraform_data" "b" {
  input = "b"
}

data "terraform_remote_state" "a" {
  backend = "local"
  config  = { path = "a" }
}

resource "terraform_data" "a" {
  input = [for s in ["x"] : upper(s)]
}

locals {
  first = 1
}

locals {
  second = local.first + 1
}
