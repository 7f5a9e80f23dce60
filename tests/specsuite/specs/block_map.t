result = {
  GET = { "/" = "index", "/a b" = null }
  PUT = { "/" = "store" }
}
result_type = map(map(string))
