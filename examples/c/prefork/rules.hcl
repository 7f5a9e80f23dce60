# Rules are tried in order; the first one whose condition holds decides.

rule "health" {
  action = "allow"
  when   = request.path == "/healthz"
}

rule "office-only" {
  action = "deny"
  when   = startswith(request.path, "/admin") && !anytrue([for net in ["10.0.", "192.168.7."] : startswith(request.ip, net)])
}

rule "large-uploads" {
  action = "deny"
  when   = request.method == "PUT" && request.size > 10 * 1024 * 1024
}

rule "others" {
  action = "allow"
  when   = true
}
