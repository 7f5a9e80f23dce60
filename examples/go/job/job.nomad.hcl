variable "zone" {
  default = "eu"
}

variable "replicas" {
  default = 2
}

job "web" {
  region = upper(var.zone)

  group "app" {
    count = var.replicas

    task "server" {
      driver = "docker"

      config {
        args = [
          "--listen=0.0.0.0:${NOMAD_PORT_http}",
          "--node=${ node.unique.name }",
          "--of=${var.replicas}",
        ]
      }

      env {
        RACK  = meta.rack
        IS_EU = var.zone == "eu"
      }
    }
  }
}
