variable "context" {
  description = "What another label is made of; arguments of this one count more"
  type        = any
  default = {
    enabled    = true
    namespace  = null
    stage      = null
    name       = null
    delimiter  = null
    attributes = []
    tags       = {}
    order      = []
    letters    = null
    limit      = null
  }

  validation {
    condition     = lookup(var.context, "letters", null) == null ? true : contains(["lower", "title", "upper", "none"], var.context["letters"])
    error_message = "Letters are lower, title, upper or none."
  }
}

variable "enabled" {
  type    = bool
  default = null
}

variable "namespace" {
  type    = string
  default = null
}

variable "stage" {
  type    = string
  default = null
}

variable "name" {
  type    = string
  default = null
}

variable "delimiter" {
  type    = string
  default = null
}

variable "attributes" {
  type    = list(string)
  default = []
}

variable "tags" {
  type    = map(string)
  default = {}
}

variable "order" {
  type    = list(string)
  default = null
}

variable "tag_order" {
  type    = set(string)
  default = ["namespace", "stage", "name", "attributes"]
}

variable "letters" {
  type    = string
  default = null
}

variable "limit" {
  type    = number
  default = null

  validation {
    condition     = var.limit == null ? true : var.limit >= 6 || var.limit == 0
    error_message = "A limit is 0 or at least 6: shorter names have no room for a checksum."
  }
}
