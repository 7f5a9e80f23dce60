service "web" {
  limits = {
    cpu    = 2
    memory = "lots"
  }
}
