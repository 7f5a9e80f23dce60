# What is looked at: an expression that uses the module's names.
{
  name         = local.name
  tags         = local.tags
  subnets      = { for key, subnet in local.subnets : key => "${subnet.zone} ${subnet.cidr} ${subnet.tags.Name}" }
  by_tier      = local.subnet_cidrs_by_tier
  gateways     = local.gateway_addresses
  addresses    = local.address_count
  flow_logs    = var.network.flow_logs
  services     = local.services
  scheduled    = local.scheduled
  listeners    = local.listeners
  capacity     = local.capacity
  dashboard    = local.dashboard
  unpinned     = local.first_unpinned
  summary      = local.summary
  has_password = can(length(local.connection)) && issensitive(local.connection)
  path         = path.module
  records      = { for name, record in module.records : name => record.records }
  zone         = local.catalogue.zones[var.environment]
}
