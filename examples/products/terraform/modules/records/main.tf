# Records of one service: an address for each gateway, and one name for all.

variable "zone" {
  type = string
}

variable "name" {
  type = string

  validation {
    condition     = can(regex("^[a-z0-9-]{1,63}$", var.name))
    error_message = "${var.name} is no label of a name in the DNS."
  }
}

variable "addresses" {
  type = list(string)
}

variable "ttl" {
  type    = number
  default = 3600
}

locals {
  domain = "${var.name}.${var.zone}"
}

output "domain" {
  value = local.domain
}

output "records" {
  value = flatten([
    for number, address in var.addresses : [
      for name in [local.domain, "${var.name}-${number + 1}.${var.zone}"] : "${name}. ${var.ttl} IN A ${address}"
    ]
  ])
}
