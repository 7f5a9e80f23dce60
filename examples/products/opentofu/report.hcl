# An expression with the names of the project.
{
  machines = { for name, machine in module.machine : name => machine.fqdn }
  tools    = { for name, machine in local.machines : name => machine.packages }
  gateway  = module.gateway
  folder   = local.folder
  outside  = local.outside
  token    = local.token
}
