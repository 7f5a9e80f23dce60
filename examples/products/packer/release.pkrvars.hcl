image_name     = "build-agent"
ubuntu_version = "24.04"
regions        = ["eu-central-1", "eu-west-1", "us-east-1"]

disks = [
  { device = "sdb", size = 50 },
  { device = "sdc", size = "200", type = "st1", encrypted = false },
]

tags = {
  Team = "platform"
}
