variable "record" {
  type = object({ name = string, type = string, values = list(string), ttl = number })
}

variable "default" {
  type = number
}

variable "zone" {
  type = string
}

locals {
  ttl  = coalesce(var.record.ttl, var.default)
  name = var.record.name == "" ? "${var.zone}." : "${var.record.name}.${var.zone}."
}

output "text" {
  value = join("\n", formatlist("%-20s %6d IN %-5s %s", local.name, local.ttl, var.record.type, var.record.values))
}

output "record" {
  value = merge(var.record, { ttl = local.ttl, fqdn = local.name })
}
