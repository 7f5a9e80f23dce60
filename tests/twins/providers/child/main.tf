terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.other]
    }
  }
}

variable "list" {
  type = list(string)
}

variable "rules" {
  type = set(object({
    port = number # where it listens
    tags = optional(map(string), { made = "here" })
  }))
  default = []
}

data "terraform_remote_state" "state" {
  provider = terraform.other
  backend  = "local"

  config = {
    path = "${path.module}/none.tfstate"
  }
}

output "list" {
  value = var.list
}

output "kind" {
  value = { list = var.list, rules = var.rules }
}
