variable "name" {
  type = string
}

variable "password" {
  type      = string
  sensitive = true
}

variable "grants" {
  type = list(string)
}

output "statement" {
  value     = "CREATE USER ${var.name} PASSWORD '${coalesce(var.password, "none")}'; GRANT ${join(", ", var.grants)}"
  sensitive = true
}

output "name" {
  value = upper(var.name)
}
