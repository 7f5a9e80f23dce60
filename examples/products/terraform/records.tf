# A name in the DNS for every service that the world may reach; the module lies in a folder of this project.

module "records" {
  source   = "./modules/records"
  for_each = { for name, service in local.services : name => service if anytrue(service.ports[*].public) }

  zone      = local.catalogue.zones[var.environment]
  name      = each.key
  addresses = [for key, address in local.gateway_addresses : address if startswith(key, "public-")]
  ttl       = local.is_prod ? 300 : 60
}

locals {
  catalogue = jsondecode(file("${path.module}/catalogue.json"))

  user_data = templatefile("${path.module}/templates/user-data.sh.tftpl", {
    name     = local.name
    services = local.services
    domains  = { for name, record in module.records : name => record.domain }
    mirrors  = local.catalogue.mirrors
  })
}
