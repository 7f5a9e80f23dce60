text     = 12.50
n        = "7"
anything = { é = [true, null] }
