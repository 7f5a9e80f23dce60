locals {
  directions = ["ingress", "egress"]

  ranges = {
    for service, settings in var.services : service => [
      for port in settings.ports : {
        from = tonumber(split("-", tostring(port))[0])
        to   = tonumber(reverse(split("-", tostring(port)))[0])
      }
    ]
  }

  rules = flatten([
    for service, settings in var.services : [
      for pair in setproduct(local.ranges[service], settings.from) : {
        service  = service
        protocol = settings.protocol
        from     = pair[0].from
        to       = pair[0].to
        source   = pair[1]
        cidr     = var.networks[pair[1]]
      }
    ]
  ])

  matrix = {
    for combination in setproduct(sort(var.groups), local.directions, keys(var.services)) :
    join("-", combination) => {
      group     = combination[0]
      direction = combination[1]
      service   = combination[2]
    }
    if !(combination[1] == "egress" && combination[2] == "ssh")
  }

  by_port = { for rule in local.rules : format("%05d", rule.from) => rule.source... }
  wide    = [for rule in local.rules : rule if rule.to - rule.from > 0]
  widest  = length(local.wide) == 0 ? null : max([for rule in local.wide : rule.to - rule.from]...)
  unused  = setsubtract(keys(var.networks), flatten([for settings in var.services : tolist(settings.from)]))
  pairs   = setproduct(["a", "b"], [1, 2], [true])
  none    = setproduct(["a"], [])
  sets    = setproduct(toset(["x", "y"]), toset([1, 2]))
}

resource "terraform_data" "rule" {
  for_each = { for rule in local.rules : "${rule.service}/${rule.source}/${rule.from}" => rule }
  input    = each.value
}

output "rules" {
  value = { for rule in local.rules : "${rule.service}/${rule.source}/${rule.from}" => "${rule.protocol} ${rule.cidr} ${rule.from}-${rule.to}" }
}

output "ids" {
  value = [for rule in terraform_data.rule : rule.id]
}
