//! Nomad-like job files.

use super::blanks::Filler;

/// A file of at least `size` bytes.
pub(super) fn file(size: usize, seed: u64) -> String {
    let mut filler = Filler::new(seed);
    let mut text = String::with_capacity(size + 16 * 1024);
    while text.len() < size {
        job(&mut filler, &mut text);
    }
    text
}

fn job(filler: &mut Filler, text: &mut String) {
    filler.fill(JOB, text);
    for _ in 0..filler.random.between(1, 3) {
        filler.fill(GROUP, text);
        for _ in 0..filler.random.between(1, 3) {
            filler.fill(TASK, text);
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n\n");
}

const JOB: &str = r#"job "«unique»" {
  region      = "global"
  datacenters = ["dc1", "dc«2-9»"]
  type        = "service"
  priority    = «1-100»

  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }
  update {
    max_parallel = «1-9»
    min_healthy_time = "10s"
    auto_revert = true
  }
"#;

const GROUP: &str = r#"  group "«unique»" {
    count = «1-20»
    network {
      port "http" { to = «1-65535» }
    }
"#;

const TASK: &str = r#"    task "«unique»" {
      driver = "docker"
      config {
        image = "registry.example.com/«word»/«word»:${var.version}"
        ports = ["http", "«word»"]
        args  = ["--listen", "0.0.0.0:${NOMAD_PORT_http}", "--log-level=«info|debug»"]
        labels = { team = "«word»", "com.example.id" = "«1-9999»" }
      }
      env {
        DB_HOST = "«word».service.consul"
        DB_PORT = "«1000-9999»"
        «unique» = "${meta.rack}-${node.unique.name}"
      }
      template {
        destination = "local/«word».env"
        env         = true
        data        = <<EOH
{{ with secret "secret/data/«word»" }}
KEY={{ .Data.data.key }}
{{ end }}
URL=http://«word»:«1-65535»/
EOH
      }
      resources {
        cpu    = «100-4000» # MHz
        memory = «64-8192»
      }
      service {
        name = "«word»-«word»"
        port = "http"
        tags = ["traefik.enable=true", "traefik.http.routers.«word».rule=Host(`«word».example.com`)"]
        check {
          type     = "http"
          path     = "/health"
          interval = "«5-60»s"
          timeout  = "2s"
        }
      }
    }
"#;
