# The mail server of a small company.

listen = env == "prod" ? "0.0.0.0:25" : "127.0.0.1:2525"
domain = "example.net"

storage {
  path      = "/var/mail/${host.name}"
  password  = secret("storage")
  max_bytes = 50 * 1024 * 1024 * 1024
}

relay "near" {
  hosts = [for n in range(2) : "relay-${n + 1}.example.net"]
  tls   = true
}

relay "far" {
  hosts  = ["backup.example.org"]
  weight = 0.25
  labels = { region = "eu", cores = host.cores }
}

metrics {
  port = "9090"
}

# Rules are tried in order.

rule "spam" {
  when   = !mail.trusted && has_suffix(mail.from, "@spam.example")
  action = "reject"
}

rule "circulars" {
  when   = length(mail.to) > 50
  action = "delay"
}
