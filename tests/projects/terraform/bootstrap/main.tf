variable "hostname" {
  type    = string
  default = "edge-1"
}

variable "users" {
  type = any
  default = [
    { name = "ada", keys = ["ssh-ed25519 AAAA ada", "ssh-rsa BBBB ada@home"], sudo = true },
    { name = "bert", keys = [] },
  ]
}

variable "tls" {
  type    = bool
  default = true
}

variable "greeting" {
  type    = string
  default = "Dear $${name}, %%{ if true } \"quoted\" \\ \t tab"
}

locals {
  motd = file("${path.module}/files/motd")

  user_data = templatefile("${path.module}/templates/cloud-init.yaml.tftpl", {
    hostname = var.hostname
    users    = var.users
    files = {
      "/etc/motd"        = { content = local.motd }
      "/usr/bin/hello"   = { content = "#!/bin/sh\necho hello", mode = "755" }
      "/etc/nginx/site"  = { content = local.nginx, mode = "600" }
      "/etc/never/empty" = { content = "" }
    }
    commands = ["systemctl enable nginx", "sysctl -w vm.swappiness=10"]
  })

  nginx = templatefile("${path.module}/templates/nginx.conf.tftpl", {
    tls = var.tls
    upstreams = {
      api = { servers = ["10.0.0.1", "10.0.0.2"], port = 8080 }
      web = { servers = [], port = 80 }
    }
  })

  greetings = [
    for title in [null, "Dr.", ""] : templatefile("${path.module}/templates/greeting.txt.tftpl", { name = "Zoë", title = title })
  ]

  pattern = "$${name} has $${count} item%%{ if count != 1 }s%%{ endif } 😀"
  rendered = templatestring(local.pattern, {
    name  = "cart"
    count = 3
  })

  hosts = <<-EOT
    127.0.0.1 localhost
    %{~for number, name in ["a", "b"]~}

    10.0.0.${number + 1}   ${name}.internal ${name}
    %{~endfor~}

      indented
  EOT

  script = <<EOT
#!/bin/sh
for i in 1 2 3; do echo "$i" '$${HOME}'; done
${join("\n", [for line in split("\n", chomp(local.motd)) : "# ${trimspace(line)}" if line != ""])}
EOT

  parts = [
    { type = "text/cloud-config", content = base64encode(local.user_data) },
    { type = "text/x-shellscript", content = base64gzip(local.script) != "" },
  ]

  encoded = {
    json = jsonencode({ html = "<a href=\"x\">&</a>", line = "a\nb", unicode = "é\u2028", number = 1.5e10, none = null })
    url  = urlencode("a b/ü?&")
    b64  = filebase64("${path.module}/files/blob.bin")
    hash = { md5 = md5(local.motd), sha1 = filesha1("${path.module}/files/motd") }
    csv  = csvdecode("name,size\nx,1\n\"y, z\",2\n")
  }
}

output "user_data" {
  value = local.user_data
}
