variable "name" {
  type = string
}

variable "plan" {
  type = object({ cpu = number, domain = bool })
}

variable "environments" {
  type = map(map(number))
}

variable "number" {
  type = number
}

locals {
  label = "${var.name}-${var.number}"
  cpu   = sum(concat([0], flatten([for environment in module.environment : environment.cpu])))
}

module "environment" {
  source   = "../environment"
  for_each = var.environments

  name     = each.key
  tenant   = local.label
  services = each.value
  cpu      = var.plan.cpu
  domain   = var.plan.domain && each.key == "prod" ? "${var.name}.example.com" : null
}

output "label" {
  value = local.label
}

output "cpu" {
  value = local.cpu
}

output "services" {
  value = merge([for name, environment in module.environment : { for service, settings in environment.services : "${name}.${service}" => settings }]...)
}

output "folder" {
  value = path.module
}

output "ids" {
  value = merge([for environment in module.environment : environment.ids]...)
}
