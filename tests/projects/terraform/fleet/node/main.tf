variable "number" {
  type = number
}

variable "zone" {
  type = string
}

variable "peers" {
  type    = list(number)
  default = []
}

output "name" {
  value = format("node-%s%02d", var.zone, var.number)
}

output "zone" {
  value = var.zone
}

output "address" {
  value = cidrhost("10.1.0.0/22", 256 + var.number)
}

output "peers" {
  value = [for peer in var.peers : format("node-%02d", peer)]
}
