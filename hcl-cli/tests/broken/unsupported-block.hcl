service "web" {
  port = 8080

  helth_check {
    path = "/ready"
  }
}
