# Providers: aliases, what is required of them, and which a module gets.

terraform {
  required_version = ">= 1.0, < 99.0"

  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }

  backend "local" {
    path = "${"state"}.tfstate"
  }
}

provider "terraform" {}

provider "terraform" {
  alias = "second"
}

resource "terraform_data" "a" {
  provider = terraform.second
}

module "child" {
  source = "./child"
  count  = 2
  list   = tolist(["a", count.index])
  rules  = [{ port = 80 }, { port = "443" }]

  providers = {
    terraform       = terraform
    terraform.other = terraform.second
  }

  depends_on = [terraform_data.a]
}

module "more" {
  source   = "./child"
  for_each = { "x.y" = ["1"], z = [] }
  list     = each.value

  providers = {
    terraform.other = terraform
  }
}

locals {
  lists = module.child[*].list
  types = [for m in module.more : m.kind]
}

output "types" {
  value = local.types
}
