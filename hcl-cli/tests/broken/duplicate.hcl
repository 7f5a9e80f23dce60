service "web" {
  port = 8080
  host = "localhost"
  port = 80
}
