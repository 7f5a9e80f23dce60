# Each block of the job specification, filled as its page does.
job "all" {
  region      = "global"
  priority    = 50
  type        = "service"
  node_pool   = "default"
  all_at_once = false
  datacenters = ["dc1"]
  affinity {
    attribute = "${node.datacenter}"
    value     = "us"
    weight    = 100
  }
  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }
  meta {
    a = "b"
    n = 5
  }
  migrate {
    max_parallel     = 1
    health_check     = "checks"
    min_healthy_time = "10s"
    healthy_deadline = "5m"
  }
  multiregion {
    strategy {
      max_parallel = 1
      on_failure   = "fail_all"
    }
    region "west" {
      count       = 2
      datacenters = ["west-1"]
      meta {
        k = "v"
      }
    }
  }
  parameterized {
    payload       = "required"
    meta_required = ["a"]
  }
  periodic {
    crons            = ["*/15 * * * * *"]
    prohibit_overlap = true
  }
  reschedule {
    attempts       = 15
    interval       = "1h"
    delay          = "30s"
    delay_function = "exponential"
    max_delay      = "120s"
    unlimited      = false
  }
  spread {
    attribute = "${node.datacenter}"
    weight    = 100
    target "us-east1" {
      percent = 60
    }
  }
  ui {
    description = "x"
    link {
      label = "a"
      url   = "b"
    }
  }
  update {
    max_parallel      = 3
    health_check      = "checks"
    min_healthy_time  = "10s"
    healthy_deadline  = "5m"
    progress_deadline = "10m"
    auto_revert       = true
    auto_promote      = true
    canary            = 1
    stagger           = "30s"
  }
  vault {
    policies = ["a"]
  }
  group "g" {
    count          = 5
    shutdown_delay = "4s"
    consul {
      namespace = "x"
    }
    disconnect {
      lost_after = "6h"
      replace    = false
      reconcile  = "keep_original"
    }
    ephemeral_disk {
      migrate = true
      size    = 300
      sticky  = true
    }
    network {
      mode = "bridge"
      port "http" {
        static = 8080
        to     = -1
      }
      dns {
        servers = ["1.1.1.1"]
      }
      cni {
        args = {
          a = "b"
        }
      }
    }
    restart {
      attempts = 3
      delay    = "10s"
      interval = "10m"
      mode     = "fail"
    }
    scaling {
      enabled = true
      min     = 0
      max     = 10
      policy {
        cooldown = "1m"
        check "cpu" {
          interval = "${x}"
          timeout  = null
          strategy "target-value" {
            target = 70
          }
        }
        target "aws" {
          percent = "${y}"
        }
      }
    }
    service {
      name = "s"
      port = "http"
      meta {
        meta = "for"
      }
      canary_meta {
        a = "b"
      }
      tagged_addresses {
        lan = "x"
      }
      identity {
        aud = ["consul.io"]
        ttl = "1h"
      }
      weights {
        passing = 1
        warning = 2
      }
      check {
        type     = "http"
        path     = "/"
        interval = "10s"
        timeout  = "2s"
        header {
          Authorization = ["Basic x"]
        }
        check_restart {
          limit           = 3
          grace           = "90s"
          ignore_warnings = false
        }
      }
      connect {
        sidecar_service {
          tags = ["a"]
          meta {
            a = "b"
          }
          proxy {
            local_service_port = 80
            config {
              a = null
            }
            expose {
              path {
                path            = "/x"
                protocol        = "http"
                local_path_port = 9001
                listener_port   = "m"
              }
            }
            transparent_proxy {
              exclude_inbound_ports = ["22"]
              outbound_port         = 15001
              uid                   = "101"
            }
            upstreams {
              destination_name = "count-api"
              local_bind_port  = 8080
              mesh_gateway {
                mode = "local"
              }
            }
          }
        }
        sidecar_task {
          kill_timeout = "5s"
          env {
            A = "b"
          }
          resources {
            cpu    = 500
            memory = 1024
          }
        }
      }
    }
    volume "v" {
      type            = "csi"
      source          = "x"
      attachment_mode = "file-system"
      mount_options {
        fs_type = "ext4"
      }
    }
    task "t" {
      driver       = "docker"
      kill_timeout = "20s"
      action "date" {
        command = "/bin/date"
        args    = ["-u"]
      }
      artifact {
        source      = "https://x"
        destination = "local/"
        options {
          checksum = "md5:x"
        }
        headers {
          a = "b"
        }
      }
      config {
        image = "x"
        ports = ["http"]
        auth {
          username = "u"
        }
      }
      csi_plugin {
        id             = "csi"
        type           = "monolith"
        mount_dir      = "/csi"
        health_timeout = "30s"
      }
      dispatch_payload {
        file = "config.json"
      }
      env {
        A = "${NOMAD_IP_http}"
        B = 1
        C = true
      }
      identity {
        env  = true
        file = true
        ttl  = "1h"
      }
      lifecycle {
        hook    = "prestart"
        sidecar = false
      }
      logs {
        max_files     = 10
        max_file_size = 15
      }
      resources {
        cpu    = 100
        memory = 256
        device "nvidia/gpu" {
          count = 2
          constraint {
            attribute = "${device.attr.memory}"
            operator  = ">="
            value     = "2 GiB"
          }
          affinity {
            attribute = "${device.attr.memory}"
            value     = "4 GiB"
            weight    = 75
          }
        }
        numa {
          affinity = "require"
          devices  = ["nvidia/gpu"]
        }
      }
      template {
        data        = "x"
        destination = "local/x"
        env         = true
        change_mode = "script"
        splay       = "5s"
        change_script {
          command             = "/bin/foo"
          args                = ["-v"]
          timeout             = "5s"
          run_on_first_render = true
        }
        wait {
          min = "2s"
          max = "60s"
        }
      }
      vault {
        role = "x"
      }
      volume_mount {
        volume      = "v"
        destination = "/x"
      }
      schedule {
        cron {
          start = "0 30 9 * * * *"
          end   = "0 16 * * *"
        }
      }
      secret "s" {
        provider = "vault"
        path     = "x"
        config {
          engine = "kv_v2"
        }
      }
    }
  }
}
