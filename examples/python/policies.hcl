# What our resources must look like. `resource` is the resource in question: attributes by name, blocks as lists.

policy "buckets-are-encrypted" {
  resources = ["aws_s3_bucket"]
  deny      = length(try(resource.server_side_encryption_configuration, [])) == 0
  message   = "bucket \"${resource.bucket}\" is stored in the clear"
}

policy "no-ssh-from-everywhere" {
  resources = ["aws_security_group"]
  deny = anytrue([
    for rule in try(resource.ingress, []) :
    rule.from_port <= 22 && rule.to_port >= 22 && contains(rule.cidr_blocks, "0.0.0.0/0")
  ])
  message = "port 22 is open to ${join(", ", distinct(flatten(resource.ingress[*].cidr_blocks)))}"
}

policy "tags" {
  resources = ["aws_s3_bucket", "aws_security_group", "aws_instance"]
  deny      = length(setsubtract(["owner", "team"], keys(try(resource.tags, {})))) > 0
  message   = "missing: ${join(", ", sort(setsubtract(["owner", "team"], keys(try(resource.tags, {})))))}"
}

policy "small-machines" {
  resources = ["aws_instance"]
  deny      = !can(regex("^t3\\.", resource.instance_type))
  message   = "${resource.instance_type} is not of the family t3"
}
