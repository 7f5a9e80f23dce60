result = {
  names = ["ANN", "BOB"]
  n     = 2
}
