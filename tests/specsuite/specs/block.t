result = {
  one   = { port = 80, check = "/" }
  other = null
}
result_type = object({
  one   = object({ port = number, check = string })
  other = string
})
