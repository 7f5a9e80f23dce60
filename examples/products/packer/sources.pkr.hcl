# What is built: one image for each source.

source "amazon-ebs" "ubuntu" {
  ami_name      = local.ami_name
  instance_type = "t3.small"
  region        = var.regions[0]
  ami_regions   = slice(var.regions, 1, length(var.regions))
  ssh_username  = "ubuntu"
  tags          = local.all_tags

  source_ami_filter {
    filters = {
      name                = "ubuntu/images/*ubuntu-${local.codename}-${var.ubuntu_version}-amd64-server-*"
      root-device-type    = "ebs"
      virtualization-type = "hvm"
    }
    most_recent = true
    owners      = ["099720109477"]
  }

  # One block for each disk that the variables ask for.
  dynamic "launch_block_device_mappings" {
    for_each = var.disks
    iterator = disk

    content {
      device_name           = "/dev/${disk.value.device}"
      volume_size           = disk.value.size
      volume_type           = disk.value.type
      encrypted             = disk.value.encrypted
      delete_on_termination = disk.key == 0
    }
  }
}

source "docker" "ubuntu" {
  image  = "ubuntu:${local.codename}"
  commit = true
  changes = [
    "LABEL version=${var.ubuntu_version}",
    "ENTRYPOINT [\"/sbin/init\"]",
  ]
}

build {
  name = local.ami_name

  sources = ["source.amazon-ebs.ubuntu", "source.docker.ubuntu"]

  provisioner "shell" {
    environment_vars = ["DEBIAN_FRONTEND=noninteractive", "CODENAME=${local.codename}"]
    inline = concat(
      ["apt-get update", "apt-get install -y ${join(" ", local.packages)}"],
      formatlist("mkfs.ext4 /dev/%s", [for disk in var.disks : disk.device]),
    )
  }

  # The label of a generated block can be computed.
  dynamic "provisioner" {
    for_each = { file = "/etc/motd", powershell = "C:/motd.txt" }
    labels   = [provisioner.key]

    content {
      source      = "files/${provisioner.key}"
      destination = provisioner.value
    }
  }

  post-processor "manifest" {
    output = "${local.ami_name}.json"
  }
}
