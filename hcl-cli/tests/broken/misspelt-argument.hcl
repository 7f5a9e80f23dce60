service "db" {
  prot = 8080
}
