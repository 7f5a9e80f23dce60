result = {
  a = "$${1 + 1} stays, since nothing can be referred to"
  b = ["y", null]
}
result_type = object({
  a = string
  b = list(string)
})
