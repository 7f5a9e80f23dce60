a = { one = 1, two = "zwei" }
b = "ÿes"
