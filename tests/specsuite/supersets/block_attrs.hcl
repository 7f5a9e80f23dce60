labels {
  tier  = "web"
  count = 3
}
