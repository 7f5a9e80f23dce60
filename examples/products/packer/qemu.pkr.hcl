# The third kind of image: a virtual machine, installed from the distribution's medium and then provisioned twice, as a
# server and as a desktop.

variable "password" {
  type      = string
  sensitive = true
  default   = "build-only"

  validation {
    condition     = length(var.password) >= 8
    error_message = "A password has eight characters or more."
  }
}

data "http" "checksums" {
  url = "https://releases.ubuntu.com/${var.ubuntu_version}/SHA256SUMS"
}

source "qemu" "ubuntu" {
  iso_url      = "https://releases.ubuntu.com/${var.ubuntu_version}/ubuntu-${var.ubuntu_version}-live-server-amd64.iso"
  iso_checksum = "file:${data.http.checksums.url}"
  vm_name      = "${local.ami_name}-${source.name}.qcow2"
  ssh_username = "ubuntu"
  ssh_password = var.password
  disk_size    = "${sum(concat([10], var.disks[*].size))}G"
}

build {
  name = "machines"

  source "source.qemu.ubuntu" {
    name = "server"
  }

  source "source.qemu.ubuntu" {
    name      = "desktop"
    disk_size = "40G"
  }

  provisioner "shell" {
    inline       = ["apt-get install -y ${source.name == "desktop" ? "ubuntu-desktop" : "openssh-server"}"]
    pause_before = "10s"
  }

  provisioner "ansible" {
    only            = ["qemu.server"]
    playbook_file   = "server.yml"
    extra_arguments = ["-e", "build=${build.name}", "-e", "host=${build.Host}"]
  }

  post-processors {
    post-processor "compress" {
      output = "${local.ami_name}-${source.name}.tar.gz"
    }

    post-processor "checksum" {
      checksum_types = ["sha256"]
    }
  }
}
