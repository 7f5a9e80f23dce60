variable "resources" {
  type = map(object({
    kind = optional(string, "vm")
    tags = optional(map(string), {})
    disk = optional(object({
      size      = optional(number, 20)
      type      = optional(string, "ssd")
      snapshots = optional(list(object({ every = string, keep = optional(number, 7) })), [{ every = "1d" }])
    }), {})
    owner = optional(object({
      team = string
      mail = optional(string)
    }))
    ports = optional(tuple([number, string]))
    flags = optional(set(string), ["monitored"])
  }))
  default = {
    a = {}
    b = { kind = "db", disk = { size = 100, snapshots = [] }, owner = { team = "data" } }
    c = { tags = { Team = "core", "cost:center" = 12 }, disk = null, flags = null, ports = ["80", true] }
    d = { disk = { type = null, snapshots = [{ every = "6h", keep = null }, { every = "1w", keep = 4 }] }, extra = "dropped" }
  }
}

variable "required" {
  type    = set(string)
  default = ["Name", "Team"]
}

variable "settings" {
  type = object({
    name    = string
    enabled = optional(bool, true)
    limits  = optional(map(number))
    nested  = optional(object({ a = optional(string, "deep"), b = optional(any) }), { b = 1 })
  })
  default  = { name = "default" }
  nullable = false
}

variable "anything" {
  default = null
}

variable "loose" {
  type    = list(any)
  default = [1, "two", true]
}

module "tagging" {
  source   = "./tagging"
  for_each = var.resources

  name     = each.key
  tags     = each.value.tags
  owner    = each.value.owner
  required = var.required
}

locals {
  disks     = { for name, resource in var.resources : name => resource.disk }
  snapshots = flatten([for name, resource in var.resources : [for number, snapshot in try(resource.disk.snapshots, []) : merge(snapshot, { id = "${name}${number}" })]])
  missing   = { for name, tagging in module.tagging : name => tagging.missing if length(tagging.missing) > 0 }
  kinds     = { for name, resource in var.resources : resource.kind => name... }
}
