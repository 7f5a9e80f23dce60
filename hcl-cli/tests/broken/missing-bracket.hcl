ports = [80, 443
hosts = ["a", "b"]
