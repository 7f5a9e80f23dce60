variable "name" {
  type = string
}

variable "instances" {
  type = number
}

variable "hosts" {
  type = list(string)
}

resource "terraform_data" "service" {
  input = var.name
}

locals {
  ports = [for number in range(var.instances) : 8000 + number]
}

output "settings" {
  value = {
    name   = var.name
    ports  = local.ports
    hosts  = var.hosts
    folder = path.module
  }
}

output "id" {
  value = terraform_data.service.id
}
