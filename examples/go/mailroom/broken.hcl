domain = exmaple

storage {
  path      = "/var/mail"
  password  = secret("strage")
  max_bytes = "a lot"
}

relay {
  hosts = ["a", "b"]
}

relay "far" {
  hosts = { a = 1 }
}

metrics { port = 70000 }
metrics { port = 9090 }

greeting = "hello"

rule "spam" {
  action = "reject"
}
