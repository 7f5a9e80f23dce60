terraform {
  required_version = ">= 1.5"
}

variable "cidr" {
  type    = string
  default = "10.20.0.0/16"

  validation {
    condition     = can(cidrnetmask(var.cidr)) && tonumber(split("/", var.cidr)[1]) <= 20
    error_message = "An IPv4 network of at least /20 is needed, ${var.cidr} is none."
  }
}

variable "zones" {
  type    = list(string)
  default = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
}

variable "nat" {
  description = "Where there are gateways: none, one, or one in each zone"
  type        = string
  default     = "one"
}

variable "ipv6" {
  type     = string
  default  = "2001:db8:1234:1a00::/56"
  nullable = true
}

locals {
  tiers = {
    public  = { bits = 8, first = 0, gateway = "internet" }
    private = { bits = 4, first = 1, gateway = "nat" }
    data    = { bits = 8, first = 100, gateway = null }
  }

  zone_numbers = { for number, zone in var.zones : zone => number }
  letters      = [for zone in var.zones : substr(zone, -1, 1)]
  nat_zones    = var.nat == "none" ? toset([]) : var.nat == "one" ? toset(slice(var.zones, 0, 1)) : toset(var.zones)
  host_counts  = { for name, tier in local.tiers : name => pow(2, 32 - tonumber(split("/", var.cidr)[1]) - tier.bits) - 5 }
}

module "subnets" {
  source   = "./subnets"
  for_each = local.tiers

  cidr  = var.cidr
  zones = var.zones
  bits  = each.value.bits
  first = each.value.first
  name  = each.key
  ipv6  = var.ipv6 == null ? null : cidrsubnet(var.ipv6, 4, index(sort(keys(local.tiers)), each.key))
}

resource "terraform_data" "gateway" {
  for_each = local.nat_zones
  input    = module.subnets["public"].by_zone[each.key].cidr
}

resource "terraform_data" "route" {
  for_each = {
    for route in flatten([
      for tier, settings in local.tiers : [
        for zone in var.zones : { key = "${tier}-${zone}", gateway = settings.gateway } if settings.gateway != null
      ]
    ]) : route.key => route
  }
  input = each.value.gateway
}

output "subnets" {
  value = { for tier, subnets in module.subnets : tier => subnets.cidrs }
}

output "gateways" {
  value = [for zone in local.nat_zones : terraform_data.gateway[zone].id]
}

output "all" {
  value = merge([for tier, subnets in module.subnets : { for zone, subnet in subnets.by_zone : "${tier}/${zone}" => subnet.cidr }]...)
}
