motd = <<EOT
Welcome to ${upper("web")}.
EOT;

port = 80
