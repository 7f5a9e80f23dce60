variable "datacenters" {
  type    = list(string)
  default = ["dc1"]
}

variable "version" {
  type        = string
  description = "The release to run."
}

variable "replicas" {
  type    = number
  default = 1

  validation {
    condition     = var.replicas >= 1 && var.replicas <= 20
    error_message = "There must be 1 to 20 replicas."
  }
}

variable "ports" {
  type = map(object({
    to   = number
    path = string
  }))
  default = {
    http = { to = 8080, path = "/healthz" }
  }
}

variable "environment" {
  type    = map(string)
  default = {}
}

locals {
  image       = "registry.example.com/shop/web:${var.version}"
  is_canary   = regex_replace(var.version, "^.*-rc[0-9]+$", "rc") == "rc"
  update_step = max(1, floor(var.replicas / 3))
  tags        = concat(["version=${var.version}"], local.is_canary ? ["canary"] : [])
}

job "web" {
  datacenters = var.datacenters
  type        = "service"
  priority    = local.is_canary ? 40 : 60

  # The scheduler knows the node; this file does not. The text reaches it as it is written.
  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }

  constraint {
    attribute = "${meta.rack}"
    operator  = "distinct_property"
    value     = local.update_step
  }

  update {
    max_parallel = local.update_step
    canary       = local.is_canary ? 1 : 0
    auto_revert  = true
  }

  group "app" {
    count = var.replicas

    network {
      mode = "bridge"

      dynamic "port" {
        for_each = var.ports
        labels   = [port.key]

        content {
          to = port.value.to
        }
      }
    }

    dynamic "service" {
      for_each = { for name, port in var.ports : name => port if port.path != null }

      content {
        name = "web-${service.key}"
        port = service.key
        tags = concat(local.tags, ["host=${node.unique.name}"])

        check {
          type     = "http"
          path     = service.value.path
          interval = "10s"
          timeout  = "2s"
        }
      }
    }

    task "server" {
      driver = "docker"

      config {
        image = local.image
        ports = keys(var.ports)
        args = [
          "--listen=0.0.0.0:${NOMAD_PORT_http}",
          "--advertise=${NOMAD_ADDR_http}",
          "--zone=${node.datacenter}/${meta.rack}",
          "--workers=${var.replicas * 2}",
        ]
      }

      env {
        ALLOCATION = "${NOMAD_ALLOC_ID}"
        INDEX      = "${NOMAD_ALLOC_INDEX} of ${var.replicas}"
        VERSION    = var.version
        LITERAL    = "$${not.a.reference}"
        SETTINGS   = jsonencode(merge({ region = "$${NOMAD_REGION}" }, var.environment))
      }

      template {
        destination = "local/upstreams.conf"
        change_mode = "signal"
        data        = <<-EOF
          # ${local.image} on ${node.unique.name}
          {{ range service "api" }}
          server {{ .Address }}:{{ .Port }};
          {{ end }}
          %{ for name in keys(var.ports) ~}
          listen ${name};
          %{ endfor ~}
        EOF
      }

      resources {
        cpu    = 200 + 100 * length(var.ports)
        memory = 256
      }
    }
  }
}
