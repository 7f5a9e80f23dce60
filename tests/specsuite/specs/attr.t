result = {
  text     = "12.5"
  count    = 7
  anything = { é = [true, null] }
  absent   = null
}
result_type = object({
  text     = string
  count    = number
  anything = object({ é = tuple([bool, any]) })
  absent   = list(object({ name = string, sizes = tuple([number, bool]) }))
})
