variable "namespace" {
  description = "Short name of the company, first part of every name"
  type        = string
  default     = "acme"

  validation {
    condition     = can(regex("^[a-z][a-z0-9]{1,7}$", var.namespace))
    error_message = "A namespace is two to eight lower-case letters and digits, not \"${var.namespace}\"."
  }
}

variable "stage" {
  type    = string
  default = "prod"

  validation {
    condition     = contains(["dev", "test", "prod"], var.stage)
    error_message = "The stage is one of dev, test and prod."
  }
}

variable "teams" {
  description = "Teams with the attributes of their names"
  type = map(object({
    attributes = optional(list(string), [])
    tags       = optional(map(string), {})
    limit      = optional(number)
  }))
  default = {
    payments = { attributes = ["blue", "v2"] }
    search   = { tags = { Owner = "finders" }, limit = 14 }
  }
}
