a = join(known.list[1], known["list"].0)
b {
  x = [for known in [1] : known][0]
}
b {
  x = "${known.list[0]}!"
}
