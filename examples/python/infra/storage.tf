variable "team" {
  default = "data"
}

resource "aws_s3_bucket" "logs" {
  bucket = "${var.team}-logs"
  tags   = { owner = "ann", team = var.team }

  server_side_encryption_configuration {
    rule = "aws:kms"
  }
}

resource "aws_s3_bucket" "scratch" {
  bucket = "${var.team}-scratch"
  tags   = { owner = "bob" }
}
