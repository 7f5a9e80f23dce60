b = "second"
