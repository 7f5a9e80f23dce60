route "GET" "/" {
  to = "index"
}
route GET "/a b" {}
route "PUT" "/" {
  to = "store"
}
