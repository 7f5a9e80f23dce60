hostname = "build-07"
domain   = "ci.example.com"

users = [
  {
    name   = "ada"
    groups = ["docker", "wheel"]
    sudo   = true
    keys   = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleAda ada@example.com\n"]
  },
  {
    name = "ci"
    keys = [
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleCiOne",
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleCiTwo",
    ]
  },
]

packages = ["git", "jq", "podman"]

files = {
  "/etc/motd"           = "Build machine. Nothing here is kept.\n"
  "/etc/ssl/private.pem" = "not a key"
}

disks = [
  { device = "sdb", mount = "/var/lib/ci" },
  { device = "sdc", mount = "/cache", filesystem = "xfs" },
]

commands = [
  ["systemctl", "enable", "--now", "runner"],
  "touch /var/lib/ci/ready",
]

final_message = <<-EOT
  Ready.
  Jobs are taken from now on.
EOT
