url = "https://" var.host
