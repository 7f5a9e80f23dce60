variable "names" {
  type = list(string)
}

output "of" {
  value = { for number, name in sort(var.names) : name => (number + 1) * 100 }
}

output "folders" {
  value = [path.module, path.root]
}
