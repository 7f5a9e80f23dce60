variable "regions" {
  description = "Where reports are made, with the memory that each takes."
  type        = map(object({ memory = number, shards = number }))
  default = {
    eu = { memory = 512, shards = 2 }
    us = { memory = 1024, shards = 3 }
  }

  validation {
    condition     = length(var.regions) > 0
    error_message = "A report is made in one region at least."
  }
}

variable "release" {
  type = string

  validation {
    condition     = can(parseint(substr(var.release, 0, 1), 10))
    error_message = "A release begins with a digit."
  }
}

variables {
  bucket = "reports"
  keep   = 7
}

locals {
  # In any order: the image comes before the registry.
  image    = "${local.registry}/report:${var.release}"
  registry = "registry.example.com/shop"
  shards   = flatten([for name, region in var.regions : [for i in range(region.shards) : "${name}-${i}"]])
}

job "report" {
  type = "batch"

  parameterized {
    payload       = "required"
    meta_required = ["day"]
    meta_optional = ["recipients"]
  }

  meta {
    bucket = var.bucket
    keep   = var.keep
    shards = join(",", local.shards)
  }

  constraint {
    attribute = attr.kernel.name
    value     = "linux"
  }

  dynamic "group" {
    for_each = var.regions
    iterator = region
    labels   = ["report-${region.key}"]

    content {
      count = region.value.shards

      constraint {
        attribute = "${meta.region}"
        value     = region.key
      }

      restart {
        attempts = 2
        interval = "30m"
        delay    = "15s"
        mode     = "fail"
      }

      task "render" {
        driver = "docker"

        config {
          image = local.image
          args = [
            "--day=${NOMAD_META_day}",
            "--shard=${NOMAD_ALLOC_INDEX}/${region.value.shards}",
            "--target=s3://${var.bucket}/${region.key}/${upper("day")}",
          ]
        }

        dispatch_payload {
          file = "request.json"
        }

        env {
          NODE = "{ ${node.unique.name} }"
          KEEP = "${var.keep}"
        }

        template {
          destination = "local/report.conf"
          change_mode = "noop"
          data        = <<-EOF
            {{ with nomadVar "nomad/jobs/report" }}token = "{{ .token }}"{{ end }}
            release = "${var.release}"
            node    = "${node.unique.id}"
            %{ for shard in local.shards ~}
            shard ${shard}
            %{ endfor ~}
          EOF
        }

        resources {
          cpu    = 500
          memory = region.value.memory
        }
      }
    }
  }
}
