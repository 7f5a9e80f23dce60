user {
  name = "ann"
}
user {
  name = "bob"
}
