rule {
  action = 1
}
rule {
  action = "deny"
}
rule {}
