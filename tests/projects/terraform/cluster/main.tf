variable "environment" {
  type    = string
  default = "prod"
}

variable "apps" {
  type = map(object({
    replicas = optional(number)
    image    = optional(object({ repository = optional(string), tag = optional(string) }), {})
    env      = optional(map(string), {})
    host     = optional(string)
  }))
  default = {
    shop = {
      image = { tag = "2.0" }
      env   = { CURRENCY = "EUR", LOG_LEVEL = "debug" }
      host  = "shop.example.com"
    }
    mail = { replicas = 2 }
  }
}

variable "node_pools" {
  type = list(object({
    name   = string
    size   = optional(string, "small")
    min    = optional(number, 1)
    max    = optional(number, 3)
    labels = optional(map(string), {})
    taints = optional(list(object({ key = string, value = optional(string, "true"), effect = string })), [])
  }))
  default = [
    { name = "default" },
    { name = "batch", size = "large", min = 0, max = 10, labels = { queue = "slow" }, taints = [{ key = "batch", effect = "NoSchedule" }] },
  ]
}

locals {
  base        = yamldecode(templatefile("${path.module}/values/base.yaml", { name = var.environment }))
  environment = yamldecode(fileexists("${path.module}/values/${var.environment}.yaml") ? file("${path.module}/values/${var.environment}.yaml") : "{}")

  pools = {
    for pool in var.node_pools : pool.name => merge(pool, {
      labels = merge({ "node.example.com/pool" = pool.name, "node.example.com/size" = pool.size }, pool.labels)
      taints = [for taint in pool.taints : "${taint.key}=${taint.value}:${taint.effect}"]
    })
  }

  capacity = {
    min = sum(values(local.pools)[*].min)
    max = sum(var.node_pools[*].max)
  }
}

module "values" {
  source   = "./merge"
  for_each = var.apps

  layers = [
    local.base,
    local.environment,
    { for key, value in each.value : key => value if value != null && key != "image" && key != "host" },
    { image = { for key, value in each.value.image : key => value if value != null } },
  ]
}

locals {
  deployments = {
    for name, values in module.values : name => {
      apiVersion = "apps/v1"
      kind       = "Deployment"
      metadata = {
        name   = name
        labels = { app = name, environment = var.environment }
      }
      spec = {
        replicas = values.merged.replicas
        selector = { matchLabels = { app = name } }
        template = {
          metadata = {
            labels      = { app = name }
            annotations = { checksum = substr(sha256(jsonencode(values.merged.env)), 0, 8) }
          }
          spec = {
            containers = [{
              name      = name
              image     = "${values.merged.image.repository}:${values.merged.image.tag}"
              env       = [for key, value in values.merged.env : { name = key, value = tostring(value) }]
              ports     = [for port in values.merged.ports : { name = port.name, containerPort = port.port }]
              resources = values.merged.resources
            }]
          }
        }
      }
    }
  }

  ingresses = [
    for name, app in var.apps : {
      host    = app.host
      backend = { service = name, port = one([for port in module.values[name].merged.ports : port.port if port.name == "http"]) }
    } if app.host != null
  ]

  manifests = join("---\n", [for name, deployment in local.deployments : yamlencode(deployment)])
}

output "images" {
  value = { for name, deployment in local.deployments : name => one(deployment.spec.template.spec.containers[*].image) }
}
