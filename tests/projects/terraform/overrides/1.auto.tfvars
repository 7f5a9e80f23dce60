who = "1.auto.tfvars"
