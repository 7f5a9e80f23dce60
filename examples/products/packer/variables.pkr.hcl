# What the template is told, and what follows from it.

packer {
  required_plugins {
    amazon = {
      source  = "github.com/hashicorp/amazon"
      version = ">= 1.2.8"
    }
    docker = {
      source  = "github.com/hashicorp/docker"
      version = ">= 1.0.8"
    }
  }
}

variable "image_name" {
  type    = string
  default = "base"
}

variable "ubuntu_version" {
  type    = string
  default = "22.04"

  validation {
    condition     = can(regex("^[0-9]{2}\\.04$", var.ubuntu_version))
    error_message = "Only long-term releases are built."
  }
}

variable "regions" {
  type    = list(string)
  default = ["eu-central-1"]
}

variable "disks" {
  type = list(object({
    device    = string
    size      = number
    type      = optional(string, "gp3")
    encrypted = optional(bool, true)
  }))
  default = []
}

variable "tags" {
  type    = map(string)
  default = {}
}

variable "token" {
  type      = string
  sensitive = true
  default   = ""
}

locals {
  codenames = { "20.04" = "focal", "22.04" = "jammy", "24.04" = "noble" }
  codename  = local.codenames[var.ubuntu_version]
  ami_name  = "${var.image_name}-${local.codename}-${replace(var.ubuntu_version, ".", "")}"
  all_tags = merge(var.tags, {
    Name = local.ami_name
    OS   = "Ubuntu ${var.ubuntu_version} (${title(local.codename)})"
  })
  packages = sort(distinct(concat(["ca-certificates", "curl"], local.codename == "noble" ? [] : ["python3-venv"])))
}

local "registry_login" {
  expression = "builder:${var.token}"
  sensitive  = true
}
