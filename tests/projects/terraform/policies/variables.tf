variable "account" {
  type    = string
  default = "123456789012"

  validation {
    condition     = length(regexall("^\\d{12}$", var.account)) == 1
    error_message = "An account has twelve digits."
  }
}

variable "buckets" {
  type = map(object({
    readers    = optional(list(string), [])
    writers    = optional(list(string), [])
    prefix     = optional(string)
    encryption = optional(object({ key = string, required = optional(bool, true) }))
  }))
  default = {
    logs = {
      readers = ["audit", "ops"]
    }
    uploads = {
      readers    = ["web"]
      writers    = ["web", "batch"]
      prefix     = "incoming/"
      encryption = { key = "alias/uploads" }
    }
  }
}

variable "trusted" {
  type = list(object({
    kind   = string
    names  = list(string)
    audits = optional(map(list(string)), {})
  }))
  default = [
    { kind = "Service", names = ["ec2", "lambda"] },
    { kind = "Federated", names = ["token.actions.example.com"], audits = { "sub" = ["repo:acme/*"] } },
  ]
}
