datacenters = ["eu-1", "eu-2"]
version     = "2.14.0-rc3"
replicas    = 6

ports = {
  http    = { to = 8080, path = "/healthz" }
  metrics = { to = 9100, path = null }
}

environment = {
  mode = "production"
}
