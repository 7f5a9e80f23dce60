variable "statements" {
  type = list(object({
    sid       = optional(string)
    effect    = optional(string, "Allow")
    actions   = list(string)
    resources = optional(list(string), ["*"])
    conditions = optional(list(object({
      test     = string
      variable = string
      values   = list(string)
    })), [])
  }))

  validation {
    condition     = alltrue([for statement in var.statements : contains(["Allow", "Deny"], statement.effect)])
    error_message = "Effects are Allow and Deny: ${join(", ", [for statement in var.statements : statement.effect])}."
  }
}

locals {
  numbered = { for number, statement in var.statements : coalesce(statement.sid, "Statement${number}") => statement }
  single   = { for name, statement in local.numbered : name => one(statement.actions) if length(statement.actions) == 1 }
}

output "json" {
  value = jsonencode({
    Version = "2012-10-17"
    Statement = [
      for name, statement in local.numbered : {
        for key, value in {
          Sid      = name
          Effect   = statement.effect
          Action   = length(statement.actions) == 1 ? statement.actions[0] : jsonencode(statement.actions)
          Resource = join(",", statement.resources)
          Condition = length(statement.conditions) == 0 ? null : jsonencode({
            for condition in statement.conditions : condition.test => { (condition.variable) = condition.values }...
          })
        } : key => value if value != null
      }
    ]
  })
}

output "effects" {
  value = { for name, statement in local.numbered : statement.effect => name... }
}

output "single" {
  value = local.single
}
