variable "flavour" {
  type    = string
  default = "small"

  validation {
    condition     = contains(["small", "large"], var.flavour)
    error_message = "The flavour is small or large."
  }
}

variable "machines" {
  type    = number
  default = 2
}

variable "monitoring" {
  type    = bool
  default = false
}

variable "old" {
  type       = string
  default    = "x"
  deprecated = "Use flavour."
}

locals {
  flavours = ["small", "large"]
  cpus     = { for name in local.flavours : name => name == "small" ? 1 : 8 }
}
