locals {
  engines = {
    postgres = { port = 5432, replicas = 5, family = "postgres16" }
    mysql    = { port = 3306, replicas = 3, family = "mysql8.0" }
  }

  engine   = local.engines[var.engine.name]
  major    = try(tonumber(split(".", var.engine.version)[0]), null)
  host     = "${var.engine.name}.db.internal"
  url      = "${var.engine.name}://admin:${urlencode(var.password)}@${local.host}:${local.engine.port}/main"
  dsn      = { for number in range(var.replicas) : "replica${number}" => "${local.host}:${local.engine.port + number + 1}" }
  strength = length(var.password) > 12 ? "good" : "poor"

  users     = nonsensitive(keys(var.users))
  generated = { for name in local.users : name => var.users[name].password == null }
  grants    = nonsensitive({ for name, user in var.users : name => join(", ", user.grants) })
  mixed     = { host = local.host, password = var.password, port = local.engine.port }
  secrets   = { for key, value in local.mixed : key => issensitive(value) }

  hours = parseint(regex(":(\\d\\d):", var.window)[0], 10)
  parts = regex("^(?P<from>[^-]+)-(?P<to>.+)$", var.window)
}

module "user" {
  source   = "./user"
  for_each = toset(local.users)

  name     = each.key
  password = var.users[each.key].password
  grants   = var.users[each.key].grants
}

check "window" {
  assert {
    condition     = local.hours < 6
    error_message = "Maintenance is at night."
  }
}

output "url" {
  value     = local.url
  sensitive = true
}

output "host" {
  value = local.host

  precondition {
    condition     = local.major == null ? true : local.major >= 8
    error_message = "Releases before 8 are not supported."
  }
}
