host = "${var.name.example.com"
port = 80
