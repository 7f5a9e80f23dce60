module "base" {
  source = "./label"

  namespace = var.namespace
  stage     = var.stage
  tags = {
    ManagedBy = "terraform"
    Empty     = ""
  }
}

module "web" {
  source = "./label"

  context    = module.base.context
  name       = "Web Server"
  attributes = ["public", "public", "v1"]
  tags       = { Port = 443 }
}

module "short" {
  source = "./label"

  context   = module.web.context
  delimiter = ""
  limit     = 12
}

module "team" {
  source   = "./label"
  for_each = var.teams

  context    = module.base.context
  name       = each.key
  attributes = each.value.attributes
  tags       = each.value.tags
  limit      = each.value.limit
}

module "upper" {
  source = "./label"

  context    = module.web.context
  letters    = "upper"
  order      = ["name", "namespace"]
  delimiter  = "/"
  tag_order  = ["name"]
  attributes = ["more"]
}

module "off" {
  source = "./label"

  enabled = false
  context = module.web.context
}

locals {
  names    = { for key, label in module.team : key => label.id }
  longest  = max(0, [for name in values(local.names) : length(name)]...)
  everyone = merge([for label in module.team : label.tags]...)
}
