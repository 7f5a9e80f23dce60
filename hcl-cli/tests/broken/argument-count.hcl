service "web" {
  port = max(tonumber("80", 10), 1)
}
