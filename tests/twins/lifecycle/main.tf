# Arguments of lifecycle blocks and provisioners, some of which are names.

resource "terraform_data" "source" {
  for_each = toset(["x"])
}

resource "terraform_data" "single" {}

resource "terraform_data" "some" {
  input            = 1
  triggers_replace = [1, "two"]

  lifecycle {
    create_before_destroy = true
    prevent_destroy       = false
    ignore_changes        = [input, triggers_replace[0]]
    replace_triggered_by  = [terraform_data.single, terraform_data.source["x"].id]

    precondition {
      condition     = length(terraform_data.single) > 1 + 1
      error_message = "Numbers are broken."
    }
    postcondition {
      condition     = self.input == 1
      error_message = "The input is ${self.input}."
    }
  }

  connection {
    type = "ssh"
    host = self.id
  }

  provisioner "local-exec" {
    command = "echo first"
  }
  provisioner "remote-exec" {
    inline = ["echo second"]
  }
  provisioner "local-exec" {
    when       = destroy
    on_failure = continue
    command    = "echo third ${self.id}"
  }
}

resource "terraform_data" "all" {
  for_each = terraform_data.source

  lifecycle {
    ignore_changes       = all
    replace_triggered_by = [terraform_data.source[each.key]]
  }
}

check "whole" {
  data "terraform_remote_state" "other" {
    backend    = "local"
    depends_on = [terraform_data.single]
  }

  assert {
    condition     = length(terraform_data.all) == 1
    error_message = "There are ${length(terraform_data.all)}."
  }
}
