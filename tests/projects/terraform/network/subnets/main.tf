variable "cidr" { type = string }
variable "zones" { type = list(string) }
variable "bits" { type = number }
variable "first" { type = number }
variable "name" { type = string }
variable "ipv6" {
  type    = string
  default = null
}

locals {
  cidrs = [for number, zone in var.zones : cidrsubnet(var.cidr, var.bits, var.first + number)]
  six   = var.ipv6 == null ? [for zone in var.zones : null] : cidrsubnets(var.ipv6, [for zone in var.zones : 4]...)
}

output "cidrs" {
  value = local.cidrs
}

output "by_zone" {
  value = {
    for number, zone in var.zones : zone => {
      name  = format("%s-%02d", var.name, number + 1)
      cidr  = local.cidrs[number]
      ipv6  = local.six[number]
      first = cidrhost(local.cidrs[number], 4)
      last  = cidrhost(local.cidrs[number], -2)
      mask  = cidrnetmask(local.cidrs[number])
    }
  }
}
