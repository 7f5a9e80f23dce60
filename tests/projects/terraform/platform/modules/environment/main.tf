variable "name" { type = string }
variable "tenant" { type = string }
variable "cpu" { type = number }
variable "domain" { type = string }
variable "services" {
  type = map(number)

  validation {
    condition     = alltrue([for count in values(var.services) : count > 0])
    error_message = "Every service of ${var.name} needs an instance."
  }
}

module "service" {
  source   = "../service"
  for_each = var.services

  name      = "${var.tenant}-${var.name}-${each.key}"
  instances = each.value
  hosts     = compact([each.key == "web" ? var.domain : null, "${each.key}.${var.name}.internal"])
}

output "services" {
  value = { for name, service in module.service : name => service.settings }
}

output "cpu" {
  value = [for count in values(var.services) : count * var.cpu]
}

output "ids" {
  value = { for name, service in module.service : "${var.name}-${name}" => service.id }
}
