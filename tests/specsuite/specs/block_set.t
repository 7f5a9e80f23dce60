result      = ["a", "b"]
result_type = set(string)
