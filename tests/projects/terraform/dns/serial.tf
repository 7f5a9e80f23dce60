variable "serial" {
  type    = number
  default = 2024010100

  validation {
    condition     = floor(var.serial) == var.serial && var.serial < pow(2, 32)
    error_message = "A serial number is an unsigned 32-bit integer."
  }
}

locals {
  all = merge([for zone in module.zone : zone.records]...)

  reverse = {
    for key, record in local.all : key => [
      for address in record.values : "${join(".", reverse(split(".", address)))}.in-addr.arpa"
    ] if record.type == "A"
  }
}
