# A later version of the configuration, with mistakes. The daemon shows them all and keeps running on the old one.

locals {
  env    = env("GATEWAY_ENV", "staging")
  domain = "${local.envv}.example.net"
  first  = local.second
  second = local.first
  pairs  = [for a in range(1000) : [for b in range(1000) : a * b]]
}

listener "plain" {
  address = "0.0.0.0"
  port    = "eighty"
}

listener "secure" {
  address = 10 + "x"
  port    = 443
  colour  = "green"
}

listener "far" {
  address = "0.0.0.0"
  port    = 443 + 70000
}

upstream "app" {
  servers = ["app-1.${local.env}.example.net:8080"]
}

acl "office" {
  action = "allow"
  when   = startswith(requst.path, "/admin")
}
