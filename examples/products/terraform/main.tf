# The resources that use the locals. Evaluating locals leaves them alone.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = local.tags
  }
}

resource "aws_vpc" "this" {
  cidr_block           = var.network.cidr
  enable_dns_hostnames = true
}

resource "aws_subnet" "this" {
  for_each = local.subnets

  vpc_id                  = aws_vpc.this.id
  cidr_block              = each.value.cidr
  availability_zone       = each.value.zone
  map_public_ip_on_launch = each.value.tier == "public"
  tags                    = each.value.tags
}

resource "aws_ecs_service" "this" {
  for_each = local.services

  name          = each.value.full_name
  desired_count = each.value.replicas

  dynamic "load_balancer" {
    for_each = [for port in each.value.ports : port if port.public]

    content {
      container_name = each.key
      container_port = load_balancer.value.port
    }
  }

  lifecycle {
    ignore_changes = [desired_count]
  }
}

output "subnet_ids" {
  value = { for key, subnet in aws_subnet.this : key => subnet.id }
}
