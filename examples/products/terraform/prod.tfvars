project     = "billing"
environment = "prod"
region      = "eu-central-1"

network = {
  cidr               = "10.20.0.0/16"
  availability_zones = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]
  flow_logs          = { traffic = "ALL" }
}

services = {
  api = {
    image    = "registry.example.com/billing/api:4.2.1"
    replicas = 3
    cpu      = 512
    ports    = [{ port = 443, public = true }, { port = "9090" }]
    environment = {
      "database-host" = "db.billing-prod.internal"
      pool-size       = 20
    }
  }
  worker = {
    image  = "registry.example.com/billing/worker"
    memory = 2048
  }
  reports = {
    image    = "registry.example.com/billing/reports:1.0"
    schedule = "cron(0 6 * * ? *)"
  }
}

extra_tags = {
  CostCenter = "4711"
  Owner      = "Zahlungsverkehr"
}

alarm_emails = ["oncall@example.com", "billing@example.com", "oncall@example.com"]
