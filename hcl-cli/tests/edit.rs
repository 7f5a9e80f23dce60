//! `hcl get`, `hcl set` and `hcl rm` on files, as a script sees them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scene;

use std::fs;

use scene::Scene;

const SERVICE: &str = "service \"web\" {\n  # of the proxy\n  port = var.base + 80 # usual\n}\n";

#[test]
fn values_are_printed_as_written_or_evaluated() {
    let scene = Scene::new(SERVICE);
    let get =
        |arguments: &[&str]| scene.run(&[&["get", "service.web.port", "main.hcl"], arguments].concat(), "");
    assert_eq!(get(&[]), (0, "var.base + 80\n".to_owned(), String::new()));
    assert_eq!(get(&["--json", "--var", "var={ base = 8000 }"]), (0, "8080\n".to_owned(), String::new()));
    let (status, stdout, stderr) = get(&["--json"]);
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert!(stderr.contains("var"), "{stderr}");
    let (status, stdout, _) = scene.run(&["get", "service", "-"], SERVICE);
    assert_eq!((status, stdout.as_str()), (0, SERVICE));
}

#[test]
fn files_are_changed_in_place() {
    let scene = Scene::new(SERVICE);
    assert_eq!(scene.silently(&["set", "service.web.port", "1", "main.hcl"]), 0);
    assert_eq!(scene.text(), SERVICE.replace("var.base + 80", "1"));
    assert_eq!(scene.silently(&["set", "service.web.host", "--string", "a \"b\" ${c}", "main.hcl"]), 0);
    assert_eq!(scene.run(&["get", "--raw", "service.web.host", "main.hcl"], "").1, "a \"b\" ${c}\n");
    assert_eq!(scene.silently(&["rm", "service.web.port", "main.hcl"]), 0);
    assert_eq!(scene.text(), "service \"web\" {\n  host = \"a \\\"b\\\" $${c}\"\n}\n");
    assert_eq!(scene.silently(&["set", "--create", "log.level", "-1", "main.hcl"]), 0);
    assert_eq!(scene.run(&["get", "log", "main.hcl"], "").1, "log {\n  level = -1\n}\n");
}

#[cfg(unix)]
#[test]
fn a_changed_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new(SERVICE);
    fs::set_permissions(scene.path(), fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(scene.silently(&["set", "service.web.port", "1", "main.hcl"]), 0);
    assert_eq!(fs::metadata(scene.path()).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn changes_can_be_looked_at_first() {
    let scene = Scene::new(SERVICE);
    assert_eq!(scene.silently(&["set", "--check", "service.web.port", "1", "main.hcl"]), 1);
    assert_eq!(scene.silently(&["set", "--check", "service.web.port", "var.base + 80", "main.hcl"]), 0);
    let (status, stdout, _) = scene.run(&["rm", "--diff", "service.web.port", "main.hcl"], "");
    assert_eq!(status, 0);
    assert!(stdout.contains("\n-  # of the proxy\n-  port = var.base + 80 # usual\n"), "{stdout}");
    assert_eq!(scene.text(), SERVICE);
    let (status, stdout, _) = scene.run(&["rm", "service.web.port", "-"], SERVICE);
    assert_eq!((status, stdout.as_str()), (0, "service \"web\" {\n}\n"));
}

#[test]
fn what_cannot_be_done_is_told_and_leaves_the_file_alone() {
    let text = format!("{SERVICE}{SERVICE}");
    let scene = Scene::new(&text);
    let told = |arguments: &[&str]| {
        let (status, stdout, stderr) = scene.run(arguments, "");
        assert_eq!((stdout.as_str(), scene.text()), ("", text.clone()));
        (status, stderr)
    };
    let (status, stderr) = told(&["get", "service.wep.port", "main.hcl"]);
    assert_eq!(status, 1);
    assert!(stderr.contains("Address not found") && stderr.contains("Did you mean \"web\"?"), "{stderr}");
    let (status, stderr) = told(&["rm", "service", "main.hcl"]);
    assert_eq!(status, 1);
    assert!(stderr.contains("Ambiguous address") && stderr.contains("lines 1, 5"), "{stderr}");
    let (status, stderr) = told(&["set", "service[0].port", "1 +", "main.hcl"]);
    assert_eq!(status, 1);
    assert!(stderr.contains("Missing expression"), "{stderr}");
    assert_eq!(told(&["get", "a..b", "main.hcl"]).0, 1);
    assert_eq!(told(&["get", "a", "absent.hcl"]).0, 2);
    assert_eq!(told(&["get", "a", "main.json"]).0, 2);
    assert_eq!(told(&["set", "a", "main.hcl"]).0, 2);
    assert_eq!(scene.run(&["get", "a", "-"], "a = \n").0, 1);
    assert_eq!(scene.silently(&["rm", "--all", "service", "main.hcl"]), 0);
    assert_eq!(scene.text(), "");
}

#[test]
fn a_wildcard_that_meets_no_block_says_what_it_is_for() {
    let scene = Scene::new("a = { k = 1 }\nb \"x\" {\n  c = 1\n}\n");
    for (address, there) in [("b.x.*", "There is: c."), ("a.*", "There is: k.")] {
        for arguments in [&["rm", address, "main.hcl"][..], &["set", address, "2", "main.hcl"]] {
            let (status, stdout, stderr) = scene.run(arguments, "");
            assert_eq!((status, stdout.as_str()), (1, ""), "{arguments:?}");
            let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains("A * stands for block types and labels only"), "{said}");
            assert!(said.contains(there), "{said}");
        }
    }
}
