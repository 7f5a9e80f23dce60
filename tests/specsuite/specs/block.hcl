service {
  port = 80
  check { path = "/" }
}
