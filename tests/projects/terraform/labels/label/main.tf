locals {
  defaults = {
    order       = ["namespace", "stage", "name", "attributes"]
    delimiter   = "-"
    unwanted    = "/[^-a-zA-Z0-9]/"
    hash_length = 5
  }

  given = {
    enabled   = var.enabled == null ? var.context.enabled : var.enabled
    namespace = try(coalesce(var.namespace, var.context.namespace), null)
    stage     = try(coalesce(var.stage, var.context.stage), null)
    name      = try(coalesce(var.name, var.context.name), null)
    delimiter = var.delimiter == null ? var.context.delimiter : var.delimiter
    letters   = try(coalesce(var.letters, var.context.letters), "lower")
    limit     = try(coalesce(var.limit, var.context.limit), 0)
    order     = try(coalescelist(coalesce(var.order, []), var.context.order), local.defaults.order)
    attributes = compact(distinct(concat(
      try(tolist(var.context.attributes), []),
      var.attributes,
    )))
    tags = merge(var.context.tags, var.tags)
  }

  delimiter = local.given.delimiter == null ? local.defaults.delimiter : local.given.delimiter

  cased = {
    for part, text in {
      namespace  = local.given.namespace
      stage      = local.given.stage
      name       = local.given.name
      attributes = join(local.delimiter, local.given.attributes)
      } : part => (
      text == null ? "" : local.given.letters == "title" ? title(lower(replace(text, local.defaults.unwanted, ""))) :
      local.given.letters == "upper" ? upper(replace(text, local.defaults.unwanted, "")) :
      local.given.letters == "lower" ? lower(replace(text, local.defaults.unwanted, "")) :
      replace(text, local.defaults.unwanted, "")
    )
  }

  parts = [for part in local.given.order : local.cased[part] if length(local.cased[part]) > 0]
  full  = join(local.delimiter, local.parts)

  room = local.given.limit - (local.defaults.hash_length + length(local.delimiter))
  cut  = local.given.limit <= 0 ? "" : trimsuffix(substr(local.full, 0, max(local.room, 0)), local.delimiter)
  hash = substr(md5(local.full), 0, local.defaults.hash_length)
  id   = local.given.limit != 0 && length(local.full) > local.given.limit ? "${local.cut}${local.delimiter}${local.hash}" : local.full

  own_tags = {
    for part in var.tag_order : title(part) => part == "name" ? local.id : local.cased[part]
    if length(part == "name" ? local.id : local.cased[part]) > 0
  }
}
