variable "engine" {
  type    = object({ name = string, version = optional(string) })
  default = { name = "postgres", version = "16.2" }

  validation {
    condition     = contains(keys(local.engines), var.engine.name)
    error_message = "No engine \"${var.engine.name}\"; there are ${join(", ", keys(local.engines))}."
  }

  validation {
    condition     = var.engine.version == null || can(regex("^\\d+\\.\\d+$", coalesce(var.engine.version, "-")))
    error_message = "Versions are of two numbers, such as 16.2."
  }
}

variable "storage" {
  type = object({
    size       = number
    limit      = optional(number)
    iops       = optional(number)
    throughput = optional(number)
  })
  default = { size = 20 }

  validation {
    condition     = var.storage.size >= 20 && var.storage.size <= 65536
    error_message = "20 to 65536 GiB."
  }

  validation {
    condition     = var.storage.limit == null ? true : var.storage.limit > var.storage.size
    error_message = "The limit, ${coalesce(var.storage.limit, 0)}, must be above the size, ${var.storage.size}."
  }
}

variable "window" {
  type    = string
  default = "sun:03:00-sun:04:30"

  validation {
    condition     = length(regexall("^(?:mon|tue|wed|thu|fri|sat|sun):[0-2]\\d:[0-5]\\d-(?:mon|tue|wed|thu|fri|sat|sun):[0-2]\\d:[0-5]\\d$", var.window)) > 0
    error_message = <<-EOT
      A window looks like sun:03:00-sun:04:30.
      It is in UTC.
    EOT
  }
}

variable "replicas" {
  type    = number
  default = 2

  validation {
    condition     = var.replicas <= local.engines[var.engine.name].replicas
    error_message = "${var.engine.name} has at most ${local.engines[var.engine.name].replicas} replicas."
  }
}

variable "password" {
  type      = string
  sensitive = true
  default   = "correct horse"

  validation {
    condition     = length(var.password) >= 8
    error_message = "The password is too short."
  }
}

variable "users" {
  type = map(object({
    password = optional(string)
    grants   = optional(list(string), ["select"])
  }))
  sensitive = true
  default = {
    app    = { password = "s3cret", grants = ["select", "insert"] }
    report = {}
  }
}

variable "token" {
  type      = string
  ephemeral = true
  default   = "temporary"
}

variable "retention" {
  type     = number
  nullable = false
  default  = 7
}
