service "web" {
  listen = "0.0.0.0:8080
  log    = "info"
}
