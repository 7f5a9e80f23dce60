variable "name" {}

variable "size" {
  type    = number
  default = 0
}

variable "flags" {
  type = list(string)
}

output "all" {
  value = { name = var.name, size = var.size, flags = var.flags }
}
