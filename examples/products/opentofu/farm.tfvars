domain = "ci.example.com"
