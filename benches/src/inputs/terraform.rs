//! Terraform-like files.

use super::blanks::Filler;

/// A file of at least `size` bytes.
pub(super) fn file(size: usize, seed: u64) -> String {
    let mut filler = Filler::new(seed);
    let mut text = String::with_capacity(size + 4096);
    while text.len() < size {
        item(&mut filler, &mut text);
        text.push('\n');
    }
    text
}

/// A file of one item.
pub(super) fn one_item(seed: u64) -> String {
    let mut text = String::new();
    item(&mut Filler::new(seed), &mut text);
    text
}

/// A file of attributes, as in `.tfvars`.
pub(super) fn few_attributes(seed: u64) -> String {
    let mut filler = Filler::new(seed);
    let mut text = String::new();
    for _ in 0..filler.random.between(1, 8) {
        filler.fill("«unique» = [\"«word»\", «1-99», true] # «word»\n", &mut text);
    }
    text
}

fn item(filler: &mut Filler, text: &mut String) {
    let pattern = match filler.random.between(0, 11) {
        0 | 1 => VARIABLE,
        2 | 3 => LOCALS,
        4..=8 => return resource(filler, text),
        9 => MODULE,
        _ => OUTPUT,
    };
    filler.fill(pattern, text);
}

fn resource(filler: &mut Filler, text: &mut String) {
    filler.fill(RESOURCE, text);
    match filler.random.between(0, 9) {
        0..=3 => filler.fill(USER_DATA, text),
        4 | 5 => filler.fill(POLICY, text),
        _ => {}
    }
    filler.fill(LIFECYCLE, text);
}

const VARIABLE: &str = r#"variable "«unique»" {
  type        = «string|number|bool|list(string)|map(object({ name = string, size = number }))»
  description = "The «word» «word» setting used by the «word» module for «word»."
  default     = «"us-east-1"|3|true|["a", "b", "c"]|null»

  validation {
    condition     = length(var.«name») > «1-9» && can(regex("^[a-z]+$", var.«name»))
    error_message = "The value must be «word», not «word»."
  }
}
"#;

const LOCALS: &str = r#"locals {
  # «word» lookup tables, keyed by «word»
  «unique» = { for k, v in var.«name» : k => merge(v, { name = "${var.prefix}-${k}", zone = v.zone }) if v.enabled }
  «unique» = [for s in var.«name» : upper(s) if s != ""]
  «unique» = { for s in local.«name» : s.«word» => s... }
  «unique» = flatten([for a in local.«name» : [for b in a.children : { id = a.id, child = b }]])
  «unique» = var.env == "prod" ? «3-9» : «1-2» + length(data.«name».all.ids) * 2
  «unique» = {
    "«word»" = «1-65535»
    "«word»-«word»" = 0.«1000-9999»
    «word»   = [«0-9999», «0-9999», «0-9999», «0-9999», «0-9999», «0-9999», «0-9999», «0-9999»]
    nested = { a = true, b = null, c = { d = "«word»" } }
  }
}
"#;

const RESOURCE: &str = r#"/*
 * «word» «word»: managed by the «word» team.
 */
resource "«aws_instance|aws_security_group|aws_s3_bucket|google_compute_instance|azurerm_virtual_machine»" "«unique»" {
  count         = var.«name» ? «1-5» : 0
  ami           = data.aws_ami.«name».id
  instance_type = lookup(var.instance_types, var.env, "t3.«micro|small|large»")
  name          = "${var.prefix}-«word»-${count.index + 1}.${local.«name».domain}"
  subnet_ids    = aws_subnet.«name»[*].id
  zone          = element(data.aws_availability_zones.available.names, count.index % «2-4»)

  vpc_security_group_ids = [
    aws_security_group.«name».id,
    module.«name».outputs["«word»"].sg_id, // «word»
    "sg-«100000000000-999999999999»",
  ]

  ingress {
    from_port   = «1-65535»
    to_port     = «1-65535»
    protocol    = "tcp"
    cidr_blocks = ["10.«0-255».«0-255».0/24", "10.«0-255».«0-255».0/24", var.«name»]
  }

  dynamic "ebs_block_device" {
    for_each = { for d in var.«name» : d.name => d if d.size > 0 }
    content {
      device_name = ebs_block_device.key
      volume_size = ebs_block_device.value.size * 1.5
      encrypted   = !var.«name» || ebs_block_device.value.secret
    }
  }

  tags = {
    Name        = "«word»-«word»"
    Environment = var.env
    Owner       = "«word»@example.com" # «word»
    CostCenter  = format("%s-%04d", var.«name», «0-9999»)
  }
"#;

const USER_DATA: &str = r#"
  user_data = <<-EOT
    #!/bin/bash
    set -euo pipefail
    echo "starting «word» on ${var.region} as «name»"
    export NODE_NAME=${local.«name».name}
    %{ for host in var.«name» ~}
    add-host ${host.name} ${host.ip}
    %{ endfor ~}
    %{ if var.debug }set -x%{ else }set +x%{ endif }
    curl -fsSL "https://«word».example.com/$${not_interpolated}/install.sh" | bash -s -- --«word»=«1-99»
  EOT
"#;

const POLICY: &str = r#"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Action   = ["s3:GetObject", "s3:PutObject", "«word»:*"]
      Effect   = "Allow"
      Resource = "arn:aws:s3:::${var.bucket}/*"
      Condition = { StringEquals = { "aws:SourceVpc" = [for v in var.vpcs : v.id] } }
    }]
  })
"#;

const LIFECYCLE: &str = r#"
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [tags["«word»"], user_data]
  }
}
"#;

const MODULE: &str = r#"module "«unique»" {
  source  = "git::https://git.example.com/«word»/«word».git?ref=v«0-9».«0-30».«0-9»"
  version = "~> «1-9».0"
  for_each = toset(["«word»", "«word»"])

  providers = {
    aws = aws.«word»
  }
  vpc_id  = data.terraform_remote_state.«word».outputs.vpc_id
  subnets = concat(module.«name».private_subnets, [for i in range(3) : cidrsubnet(var.cidr, 8, i)])
}
"#;

const OUTPUT: &str = r#"output "«unique»" {
  description = "IDs of the «word» «word»"
  value       = [for i in aws_instance.«name» : i.private_ip if i.«word» != null]
  sensitive   = «true|false»
}
"#;
