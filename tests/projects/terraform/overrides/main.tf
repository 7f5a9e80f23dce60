variable "region" {
  type    = string
  default = "eu"
}

variable "size" {
  type    = number
  default = 1
}

variable "labels" {
  type    = map(string)
  default = { from = "main" }
}

variable "features" {
  type    = set(string)
  default = []
}

variable "who" {
  type    = string
  default = "default"
}

variable "limits" {
  type    = object({ cpu = optional(number, 1), memory = optional(number, 2) })
  default = {}
}

variable "missing" {
  type = object({ a = string })
}

locals {
  name  = "main-${var.region}"
  other = "kept"
  both  = "${local.name}/${local.other}"
}

module "store" {
  source = "./store"

  name  = local.name
  size  = var.size
  flags = var.features
}

output "name" {
  value = local.name
}
