variable "name" {
  type = string
}

variable "tags" {
  type     = map(string)
  nullable = false
  default  = {}
}

variable "owner" {
  type    = object({ team = string, mail = optional(string, "team@example.com") })
  default = null
}

variable "required" {
  type = set(string)
}

locals {
  tags = merge({ Name = var.name }, var.owner == null ? {} : { Team = var.owner.team, Contact = var.owner.mail }, var.tags)
}

output "tags" {
  value = local.tags
}

output "missing" {
  value = setsubtract(var.required, keys(local.tags))
}
