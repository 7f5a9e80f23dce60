locals {
  organisation = yamldecode(file("${path.module}/organisation.yaml"))
  defaults     = local.organisation.defaults

  team_files = fileset(path.module, "teams/*.yaml")
  teams      = { for name in local.team_files : trimsuffix(basename(name), ".yaml") => yamldecode(file("${path.module}/${name}")) }

  yaml_files = { for name in fileset("${path.module}/repositories", "*.yaml") : trimsuffix(name, ".yaml") => yamldecode(file("${path.module}/repositories/${name}")) }
  json_files = { for name in fileset("${path.module}/repositories", "*.json") : trimsuffix(name, ".json") => jsondecode(file("${path.module}/repositories/${name}")) }

  repositories = {
    for name, settings in merge(local.yaml_files, local.json_files) : name => {
      visibility  = try(settings.visibility, local.defaults.visibility)
      description = trimspace(try(settings.description, "Repository ${name}"))
      topics      = sort(distinct(concat(local.defaults.topics, try(settings.topics, []))))
      protection  = merge(local.defaults.protection, try(settings.protection, {}))
      homepage    = try(settings.homepage, null)
    }
  }

  grants = flatten([
    for team, settings in local.teams : [
      for repository, permission in settings.repositories : {
        key        = "${team}:${repository}"
        team       = team
        repository = repository
        permission = permission
      }
    ]
  ])

  by_repository = { for grant in local.grants : grant.repository => grant.team... }
  memberships   = merge([for team, settings in local.teams : { for person in settings.members : "${team}/${person}" => local.organisation.people[person] }]...)
  parents       = { for team, settings in local.teams : team => lookup(settings, "parent", null) }
  digest        = substr(filesha256("${path.module}/organisation.yaml"), 0, 12)
}

module "member" {
  source   = "./member"
  for_each = local.organisation.people

  login = each.key
  role  = each.value.role
  mail  = try(each.value.mail, null)
  teams = [for team, settings in local.teams : settings.name if contains(settings.members, each.key)]
}

output "owners" {
  value = [for login, member in module.member : login if member.is_owner]
}
