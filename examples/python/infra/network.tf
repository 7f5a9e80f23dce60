variable "admins" {
  default = ["10.0.0.0/8"]
}

resource "aws_security_group" "admin" {
  tags = { owner = "ann", team = "ops" }

  ingress {
    from_port   = 22
    to_port     = 22
    cidr_blocks = var.admins
  }
}

resource "aws_security_group" "web" {
  tags = { owner = "ann", team = "ops" }

  ingress {
    from_port   = 443
    to_port     = 443
    cidr_blocks = ["0.0.0.0/0"]
  }
  ingress {
    from_port   = 0
    to_port     = 1024
    cidr_blocks = concat(var.admins, ["0.0.0.0/0"])
  }
}

resource "aws_instance" "jump" {
  instance_type = "m7i.large"
  subnet_id     = aws_subnet.admin.id
  tags          = { owner = "ann", team = "ops" }
}

resource "aws_instance" "worker" {
  instance_type = data.aws_ec2_instance_type.cheap.instance_type
  tags          = { owner = "ann", team = "ops" }
}
