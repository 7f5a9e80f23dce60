locals {
  arn = "arn:aws:s3:::${var.account}"

  statements = {
    for name, bucket in var.buckets : name => concat(
      length(bucket.readers) == 0 ? [] : [{
        Sid       = "Read${title(name)}"
        Effect    = "Allow"
        Action    = ["s3:GetObject", "s3:ListBucket"]
        Resource  = ["${local.arn}-${name}", "${local.arn}-${name}/${coalesce(bucket.prefix, "*")}"]
        Principal = { AWS = [for reader in bucket.readers : "arn:aws:iam::${var.account}:role/${reader}"] }
      }],
      [for writer in bucket.writers : {
        Sid       = "Write${title(name)}By${title(writer)}"
        Effect    = "Allow"
        Action    = "s3:PutObject"
        Resource  = "${local.arn}-${name}/${bucket.prefix == null ? "" : bucket.prefix}*"
        Principal = { AWS = "arn:aws:iam::${var.account}:role/${writer}" }
      }],
      bucket.encryption == null ? [] : bucket.encryption.required ? [{
        Sid       = "DenyPlain${title(name)}"
        Effect    = "Deny"
        Action    = "s3:PutObject"
        Principal = "*"
        Resource  = "${local.arn}-${name}/*"
        Condition = { StringNotEquals = { "s3:x-amz-server-side-encryption-aws-kms-key-id" = bucket.encryption.key } }
      }] : [],
    )
  }

  policies = { for name, list in local.statements : name => jsonencode({ Version = "2012-10-17", Statement = list }) if length(list) > 0 }

  trust = jsonencode({
    Version = "2012-10-17"
    Statement = [
      for one in var.trusted : merge(
        {
          Effect    = "Allow"
          Action    = one.kind == "Federated" ? "sts:AssumeRoleWithWebIdentity" : "sts:AssumeRole"
          Principal = { (one.kind) = one.kind == "Service" ? formatlist("%s.amazonaws.com", one.names) : one.names }
        },
        length(one.audits) == 0 ? {} : {
          Condition = { StringLike = { for claim, patterns in one.audits : "${one.names[0]}:${claim}" => patterns } }
        },
      )
    ]
  })

  actions = sort(distinct(flatten([for list in local.statements : [for statement in list : statement.Action]])))
}

module "document" {
  source = "./document"

  statements = [
    { actions = ["logs:*"] },
    { sid = "Tags", effect = "Deny", actions = ["ec2:DeleteTags"], resources = ["arn:aws:ec2:*:${var.account}:instance/*"] },
    { actions = ["kms:Decrypt"], conditions = [{ test = "StringEquals", variable = "kms:ViaService", values = ["s3.eu.amazonaws.com"] }] },
  ]
}

output "policies" {
  value = local.policies
}
