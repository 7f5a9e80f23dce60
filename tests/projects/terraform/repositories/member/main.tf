variable "login" {
  type = string
}

variable "role" {
  type = string

  validation {
    condition     = contains(["owner", "member"], var.role)
    error_message = "The role of ${var.login} is ${var.role}."
  }
}

variable "mail" {
  type = string
}

variable "teams" {
  type = set(string)
}

output "is_owner" {
  value = var.role == "owner"
}

output "card" {
  value = "${var.login} <${coalesce(var.mail, "${var.login}@users.example.com")}>%{if length(var.teams) > 0}, ${join(" and ", var.teams)}%{endif}"
}
