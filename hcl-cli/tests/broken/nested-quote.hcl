command = "echo "hello""
