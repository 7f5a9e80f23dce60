variable "name" {
  type = string

  validation {
    condition     = length(var.name) <= 253 && can(regex("^([a-z0-9]([-a-z0-9]*[a-z0-9])?\\.)+[a-z]{2,}$", var.name))
    error_message = "${var.name} is no name of a zone."
  }
}

variable "ttl" {
  type = number
}

variable "records" {
  type = list(object({
    name   = optional(string, "")
    type   = string
    values = list(string)
    ttl    = optional(number)
  }))
}

variable "contact" {
  type = string
}

module "record" {
  source   = "./record"
  for_each = { for record in var.records : "${record.name == "" ? "@" : record.name}/${record.type}" => record }

  record  = each.value
  default = var.ttl
  zone    = var.name
}

locals {
  header = <<-EOT
    $ORIGIN ${var.name}.
    $TTL ${var.ttl}
    ; ${replace(var.contact, "@", ".")}
  EOT
}

output "file" {
  value = "${local.header}%{for record in module.record~}\n${record.text}%{endfor~}\n"
}

output "records" {
  value = { for key, record in module.record : "${var.name}/${key}" => record.record }
}
