result = {
  rule = [{ action = "1" }, { action = "deny" }, { action = null }]
  none = []
}
result_type = object({
  rule = list(object({ action = string }))
  none = list(bool)
})
