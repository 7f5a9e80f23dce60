/* the services
service "web" {
}
