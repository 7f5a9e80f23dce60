output "id" {
  value = local.given.enabled ? local.id : ""
}

output "full" {
  value = local.given.enabled ? local.full : ""
}

output "enabled" {
  value = local.given.enabled
}

output "tags" {
  value = local.given.enabled ? merge(local.own_tags, { for name, text in local.given.tags : name => text if text != "" }) : {}
}

output "tags_as_list" {
  value = local.given.enabled ? [
    for name in sort(keys(local.own_tags)) : {
      key                 = name
      value               = local.own_tags[name]
      propagate_at_launch = true
    }
  ] : []
}

output "context" {
  value = merge(local.given, { delimiter = local.delimiter })
}
