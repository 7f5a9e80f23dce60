# What the caller of the module says, with types, defaults and conditions.

variable "project" {
  type        = string
  description = "Short name; part of every other name."

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,20}$", var.project))
    error_message = "The project must be 3 to 21 lower-case letters, digits and dashes, beginning with a letter; ${var.project} is not."
  }
}

variable "environment" {
  type    = string
  default = "dev"

  validation {
    condition     = contains(["dev", "staging", "prod"], var.environment)
    error_message = "The environment must be dev, staging or prod."
  }
}

variable "region" {
  type = string
}

variable "network" {
  type = object({
    cidr               = string
    availability_zones = list(string)
    newbits            = optional(number, 4)
    public             = optional(bool, true)
    flow_logs = optional(object({
      retention_days = optional(number, 14)
      traffic        = optional(string, "REJECT")
    }), {})
  })
}

variable "services" {
  type = map(object({
    image    = string
    replicas = optional(number, 1)
    cpu      = optional(number, 256)
    memory   = optional(number)
    ports = optional(list(object({
      port     = number
      protocol = optional(string, "tcp")
      public   = optional(bool, false)
    })), [])
    environment = optional(map(string), {})
    schedule    = optional(string)
  }))
  default = {}
}

variable "extra_tags" {
  type     = map(string)
  default  = {}
  nullable = false
}

variable "alarm_emails" {
  type    = set(string)
  default = []
}

variable "database_password" {
  type      = string
  sensitive = true
  default   = null
}
