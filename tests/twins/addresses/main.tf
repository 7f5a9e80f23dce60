# Addresses, and lists of them, which are read as they are written.

variable "names" {
  type    = set(string)
  default = ["a", "b"]
}

resource "terraform_data" "each" {
  for_each = var.names
  input    = "${each.key}-${each.value}"
}

resource "terraform_data" "counted" {
  count      = length(var.names) + 1
  input      = count.index
  depends_on = [terraform_data.each, terraform_data.plain]
}

resource "terraform_data" "plain" {
  input = {
    keys   = sort(keys(terraform_data.each))
    quoted = "$${not} %%{a} template"
  }
}

moved {
  from = terraform_data.old
  to   = terraform_data.plain
}

moved {
  from = terraform_data.single["x.y"]
  to   = terraform_data.each["a"]
}

moved {
  from = terraform_data.zero
  to   = terraform_data.counted[0]
}

removed {
  from = terraform_data.gone

  lifecycle {
    destroy = false
  }
}

import {
  to = terraform_data.plain
  id = "plain-${length(var.names)}"
}

import {
  for_each = toset(["a"])
  to       = terraform_data.each[each.key]
  id       = each.key
}

output "counted" {
  value       = terraform_data.counted[*].id
  description = "Written $${as it is}"
  depends_on  = [terraform_data.plain]
  sensitive   = false

  precondition {
    condition     = length(var.names) > 1
    error_message = "Two names are needed, not ${length(var.names)}."
  }
}

locals {
  sorted = sort(var.names)
  n      = length(var.names)
}
