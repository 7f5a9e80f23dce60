variable "name" { type = string }
variable "url" { type = string }
variable "weight" { type = number }
variable "total" { type = number }

locals {
  parts = regex("^(?P<scheme>[a-z]+)://(?P<host>[^/?]+)(?P<path>[^?]*)", var.url)
}

output "share" {
  value = format("%.0f%%", 100 * var.weight / var.total)
}

output "target" {
  value = merge(local.parts, { name = var.name, port = local.parts.scheme == "https" ? 443 : 80 })
}
