# Rules are tried in order; what none of them allows is denied.

rule "health" {
  action = "allow"
  when   = method == "GET" && path == "/healthz"
}

rule "admin from outside" {
  action = "deny"
  when   = startswith(path, "/admin") && !comes_from("10.0.0.0/8")
}

rule "own team" {
  action = "allow"
  when   = header("X-Team") != "" && startswith(path, "/teams/${header("X-Team")}/")
}

rule "operators" {
  action = "allow"
  when   = contains(["operators", "owners"], header("X-Role"))
}
