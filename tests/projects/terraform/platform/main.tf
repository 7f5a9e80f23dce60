variable "tenants" {
  type = map(object({
    plan         = string
    environments = map(map(number))
  }))
  default = {
    acme = {
      plan = "gold"
      environments = {
        prod = { api = 3, web = 2 }
        test = { api = 1 }
      }
    }
    zeta = {
      plan         = "free"
      environments = { prod = { web = 1 } }
    }
  }
}

locals {
  plans = {
    gold = { cpu = 4, domain = true }
    free = { cpu = 0.5, domain = false }
  }
  services = merge([
    for tenant, module in module.tenant : {
      for address, service in module.services : "${tenant}.${address}" => service
    }
  ]...)
  cost = { for tenant, module in module.tenant : tenant => module.cpu * 12.5 }
}

module "tenant" {
  source   = "./modules/tenant"
  for_each = var.tenants

  name         = each.key
  plan         = local.plans[each.value.plan]
  environments = each.value.environments
  number       = module.numbers.of[each.key]
}

module "numbers" {
  source = "./modules/numbers"
  names  = keys(var.tenants)
}

module "numbers_again" {
  source = "./modules/../modules/numbers"
  names  = [for tenant in module.tenant : tenant.label]
}

output "services" {
  value = local.services
}

output "ids" {
  value = { for tenant, module in module.tenant : tenant => module.ids }
}
