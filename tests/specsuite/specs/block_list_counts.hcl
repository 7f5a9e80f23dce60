few {}
many {
  x = 1
}
many {
  x = "two"
}
