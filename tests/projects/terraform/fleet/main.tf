variable "size" {
  type    = number
  default = 5

  validation {
    condition     = var.size >= 0 && var.size <= 50
    error_message = "The fleet has 0 to 50 nodes, not ${var.size}."
  }
}

variable "zones" {
  type    = list(string)
  default = ["a", "b", "c"]
}

variable "spare" {
  type    = bool
  default = false
}

variable "weights" {
  type    = list(number)
  default = [3, 1, 2]
}

module "node" {
  source = "./node"
  count  = var.size

  number = count.index
  zone   = element(var.zones, count.index)
  peers  = [for number in range(var.size) : number if number != count.index]
}

module "spare" {
  source = "./node"
  count  = var.spare ? 1 : 0

  number = 99
  zone   = var.zones[0]
}

resource "terraform_data" "disk" {
  count = var.size
  input = module.node[count.index].name
}

resource "terraform_data" "leader" {
  input = one(module.node[*].name) == null ? "nobody" : module.node[0].name

  lifecycle {
    precondition {
      condition     = var.size < 2
      error_message = "There is one leader."
    }
  }
}

locals {
  names    = module.node[*].name
  by_zone  = { for node in module.node : node.zone => node.name... }
  batches  = chunklist(local.names, 2)
  rotation = [for number in range(var.size) : element(local.names, number + 1)]
  weighted = flatten([for number, weight in var.weights : [for _ in range(weight) : var.zones[number]]])
  leader   = one(slice(local.names, 0, min(1, var.size)))
  spare    = one(module.spare[*].name)
  first    = try(module.node[0].name, "nobody")
  last     = var.size == 0 ? null : module.node[var.size - 1]
  stats = {
    total   = sum(concat([0], var.weights))
    share   = { for number, weight in var.weights : var.zones[number] => format("%.1f%%", 100 * weight / sum(var.weights)) }
    largest = max(var.weights...)
    order   = [for pair in sort([for number, weight in var.weights : format("%03d:%s", weight, var.zones[number])]) : split(":", pair)[1]]
  }
}

output "addresses" {
  value = zipmap(local.names, module.node[*].address)
}

output "disks" {
  value = terraform_data.disk[*].id
}
