# Values whose types JSON has no form for, strings that look like templates, and names that need quotes.

variable "text" {
  description = "Not a template: $${a}, %%{b}"
  default     = "$${x} %%{y} ${"folded"}"
}

variable "shape" {
  type = object({
    name = string
    size = optional(number, 3)
    both = optional(tuple([string, bool]))
  })
  default  = { name = "n$${n}" }
  nullable = false

  validation {
    condition     = var.shape.size > 2 && can(regex("^n", var.shape.name))
    error_message = "The size is ${var.shape.size}."
  }
}

variable "anything" {
  type      = any
  sensitive = false
  ephemeral = false
  default = {
    nothing  = null
    negative = -1.5
    list     = [1, "2", true, null, [], {}]
    "$${k}"  = "v"
  }
}

locals {
  set       = toset(["b", "a", "a"])
  map       = tomap({ a = 1 })
  number    = tonumber("1")
  typed     = tostring(null)
  list      = tolist([])
  secret    = sensitive("x")
  choice    = true ? [1] : [2]
  chosen    = var.anything == null ? tolist(["a"]) : ["b"]
  computed  = { (var.text) = 1, plain = 2 }
  twice     = { a = 1, "a" = 2 }
  big       = 9007199254740993 * 9007199254740993
  stripped  = "  ${~ var.shape.size ~}  "
  joined    = "${var.shape.size}${""}"
  nested    = "${"${var.shape.size}"}"
  single    = "${var.shape.size}"
  directive = "%{for k, v in local.map}${k}=${v};%{endfor}%{if true~} yes %{~else}no%{endif}"
  dollars   = "$$${var.shape.size}$ %%"
  doc       = <<-EOT
    first ${var.shape.name}
      "second" \ $${third}
  EOT
  indented  = [<<EOT
line
EOT
    , "after"]
  each      = { for k in local.set : k => upper(k) if k != "" }
  grouped   = { for k in ["a", "b", "a"] : k => k... }
  splat     = var.anything.list[*]
  types     = [local.set == toset(["a", "b"]), local.list == tolist([])]
}

output "all" {
  value = [local.set, local.map, local.doc]
}
