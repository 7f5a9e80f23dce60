# The configuration of a small gateway: what it listens on, where it sends requests, who may pass.

locals {
  # GATEWAY_ENV comes from the environment of the daemon, through a function that the daemon provides.
  env      = env("GATEWAY_ENV", "staging")
  domain   = "${local.env}.example.net"
  replicas = local.env == "prod" ? 3 : 2

  # Locals may refer to each other in any order: the daemon evaluates them as they need each other.
  backends = {
    for i in range(local.replicas) : "app-${i + 1}" => {
      host = "10.1.0.${10 + i}"
      port = local.base_port + i
    }
  }
  base_port = 8080

  office = ["10.0.", "192.168.7."]
}

listener "plain" {
  address = "0.0.0.0"
  port    = 80
  notice  = "moved to https://${local.domain}/"
}

listener "secure" {
  address = "0.0.0.0"
  port    = 443
  tls     = true
  notice  = <<-EOT
    Welcome to ${upper(local.env)}.
    Requests go to%{ for name, backend in local.backends } ${name} (${backend.host}:${backend.port})%{ endfor }.
  EOT
}

upstream "app" {
  servers = [for name, backend in local.backends : "${backend.host}:${backend.port}"]
  timeout = 2.5 * local.replicas
}

upstream "static" {
  servers = [for host in ["cdn-a", "cdn-b"] : "${host}.${local.domain}:443" if host != "cdn-b" || local.env == "prod"]
  timeout = 1
}

# Rules are tried in order. Each condition is compiled once and evaluated for every request.

acl "health" {
  action = "allow"
  when   = request.path == "/healthz" && request.method == "GET"
}

acl "admin-from-outside" {
  action = "deny"
  when   = startswith(request.path, "/admin") && !anytrue([for net in local.office : startswith(request.ip, net)])
}

acl "large-uploads" {
  action = "deny"
  when   = request.method == "PUT" && request.size > 10 * 1024 * 1024
}

acl "known-users" {
  action = "allow"
  when   = request.user != null || contains(["GET", "HEAD"], request.method)
}
