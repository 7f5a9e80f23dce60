port   = null
listen = "8080"
