service "web" {
  port = lenght("web")
}
