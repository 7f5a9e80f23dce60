result      = { count = "3", tier = "web" }
result_type = map(string)
