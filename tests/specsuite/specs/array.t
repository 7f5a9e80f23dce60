result = ["second", ["X", 3], []]
