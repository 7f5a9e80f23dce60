variable "kind" {
  type    = string
  default = "machine"
}

variable "size" {
  type    = number
  default = 2

  validation {
    condition     = var.size <= length(local.tool_sets) * 4
    error_message = "There are tools for ${length(local.tool_sets) * 4} machines."
  }
}

variable "domain" {
  type = string
}

variable "network" {
  type    = string
  default = "10.40.0.0/16"
}

variable "gateway" {
  type    = bool
  default = false
}
