variable "layers" {
  description = "Objects, the later ones over the earlier ones, two levels deep"
  type        = any

  validation {
    condition     = length(var.layers) > 0
    error_message = "At least one layer is needed."
  }
}

locals {
  keys = distinct(flatten([for layer in var.layers : keys(layer)]))

  found = {
    for key in local.keys : key => [for layer in var.layers : layer[key] if contains(keys(layer), key)]
  }

  merged = {
    for key, values in local.found : key => (
      length(values) == 1 ? values[0] : can(keys(values[0])) ? {
        for inner in distinct(flatten([for value in values : keys(value)])) : inner => (
          can(keys(values[0][inner]))
          ? merge([for value in values : try(value[inner], {})]...)
          : [for value in values : value[inner] if can(value[inner])][length([for value in values : 1 if can(value[inner])]) - 1]
        )
      } : values[length(values) - 1]
    )
  }
}

output "merged" {
  value = local.merged
}

output "overridden" {
  value = [for key, values in local.found : key if length(values) > 1]
}
