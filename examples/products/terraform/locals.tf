# What follows from the variables. The order of the lines means nothing: each value is worked out after
# those it refers to.

locals {
  name      = "${var.project}-${local.short_environment}"
  is_prod   = var.environment == "prod"
  base_tags = { Project = var.project, Environment = var.environment, ManagedBy = "terraform" }
  tags      = merge(local.base_tags, var.extra_tags, { Name = local.name })

  short_environment = lookup({ staging = "stg", production = "prod" }, var.environment, var.environment)
}

# Networks: a public and a private subnet in each zone, carved out of one block of addresses.
locals {
  zones = { for index, zone in var.network.availability_zones : zone => index }

  tiers = var.network.public ? ["public", "private"] : ["private"]

  subnets = {
    for pair in setproduct(local.tiers, keys(local.zones)) :
    "${pair[0]}-${substr(pair[1], -1, 1)}" => {
      tier = pair[0]
      zone = pair[1]
      cidr = cidrsubnet(
        var.network.cidr,
        var.network.newbits,
        index(local.tiers, pair[0]) * length(local.zones) + local.zones[pair[1]],
      )
      tags = merge(local.tags, { Name = join("-", [local.name, pair[0], pair[1]]) })
    }
  }

  subnet_cidrs_by_tier = { for key, subnet in local.subnets : subnet.tier => subnet.cidr... }
  gateway_addresses    = { for key, subnet in local.subnets : key => cidrhost(subnet.cidr, 1) }
  address_count        = pow(2, 32 - tonumber(split("/", var.network.cidr)[1]))
}

# Services: defaults that depend on the environment, one listener for each port that is open to the world.
locals {
  services = {
    for name, service in var.services : name => merge(service, {
      full_name = "${local.name}-${name}"
      replicas  = local.is_prod ? max(service.replicas, 2) : service.replicas
      memory    = coalesce(service.memory, service.cpu * 2)
      image     = length(split(":", service.image)) > 1 ? service.image : "${service.image}:latest"
      environment = merge(
        { for key, value in service.environment : upper(replace(key, "-", "_")) => value },
        { SERVICE = name, LOG_LEVEL = local.is_prod ? "warn" : "debug" },
      )
    })
  }

  scheduled = { for name, service in local.services : name => service.schedule if service.schedule != null }

  listeners = flatten([
    for name, service in local.services : [
      for port in service.ports : {
        service  = service.full_name
        port     = port.port
        protocol = upper(port.protocol)
      } if port.public
    ]
  ])

  capacity = {
    cpu    = sum([for service in values(local.services) : service.cpu * service.replicas])
    memory = sum([for service in values(local.services) : service.memory * service.replicas])
  }

  dashboard = jsonencode({
    widgets = [
      for name in sort(keys(local.services)) : {
        type  = "metric"
        title = title(name)
        query = format("avg(cpu{service=%q})", local.services[name].full_name)
      }
    ]
  })

  first_unpinned = try([for name, service in local.services : name if endswith(service.image, ":latest")][0], null)
}

# What is written for people.
locals {
  summary = <<EOT
${title(var.project)} in ${var.region} (${var.environment})
%{ for name, service in local.services ~}
  * ${format("%-8s", name)} x${service.replicas}  ${service.image}
%{ endfor ~}
%{ if length(var.alarm_emails) > 0 ~}
Alarms go to ${join(", ", var.alarm_emails)}.
%{ else ~}
Nobody is told of alarms.
%{ endif ~}
EOT

  connection = "postgres://app:${coalesce(var.database_password, "none")}@db.${local.name}.internal/app"
}
