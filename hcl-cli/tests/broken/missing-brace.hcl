service "web" {
  port = 8080

  health_check {
    path = "/ready"

service "db" {
  port = 5432
}
