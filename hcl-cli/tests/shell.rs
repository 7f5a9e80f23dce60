//! The command in a shell: folders, colors, flags that are not there, completions, manual pages, how fast it starts.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

fn hcl(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
    command.args(arguments);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Exit status, standard output, standard error.
fn ends(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn check_goes_through_folders() {
    let folder = folder(&[
        ("main.tf", "a = \n"),
        ("deep/down/job.nomad", "b = ]\n"),
        ("deep/vars.tf.json", "{\"c\": }\n"),
        ("deep/image.pkr.hcl", "locals {\n  d = 1\n}\n"),
        ("package.json", "{{{"),
        (".hidden/x.hcl", "{{{"),
        ("notes.txt", "{{{"),
    ]);
    let (status, _, told) = ends(hcl(&["check", "."]).current_dir(folder.path()));
    assert_eq!(status, 1);
    let places: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("  at ")).collect();
    // Modules have no such arguments, which is told beside the errors of syntax.
    let of_modules = ["main.tf:1:5", "main.tf:1:1", "deep/vars.tf.json:1:7", "deep/vars.tf.json:1:2"];
    assert_eq!(places, [&of_modules[..], &["deep/down/job.nomad:1:5"]].concat(), "{told}");
}

#[test]
fn what_cant_be_read_does_not_keep_others_from_being_checked() {
    let folder = folder(&[("bad.hcl", "a = ]\n"), ("good.hcl", "a = 1\n")]);
    let (status, _, told) =
        ends(hcl(&["check", "missing.hcl", "bad.hcl", "good.hcl"]).current_dir(folder.path()));
    assert_eq!(status, 2);
    assert!(told.contains("at bad.hcl:1:5") && told.contains("hcl: missing.hcl: "), "{told}");
    let (status, ..) = ends(hcl(&["check", "missing.hcl", "good.hcl"]).current_dir(folder.path()));
    assert_eq!(status, 2);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&locked).is_ok();
    let (_, _, told) = ends(hcl(&["check", "."]).current_dir(folder.path()));
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(is_root || told.contains("locked: "), "{told}");
    assert!(told.contains("bad.hcl:1:5"), "{told}");
}

#[test]
fn a_flag_that_is_not_there_is_wrong_usage() {
    for arguments in [&["eval", "--typo"][..], &["vars", "--typo"], &["check", "--typo"]] {
        let (status, out, told) = ends(&mut hcl(arguments));
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {told}");
        assert!(told.contains("--typo"), "{told}");
    }
    assert_eq!(ends(&mut hcl(&["eval", "-5 + 3"])).1, "-2\n");
    assert_eq!(ends(&mut hcl(&["eval", "--5"])).1, "5\n");
    let (status, _, told) = ends(&mut hcl(&["eval", "--dialect", "terafrom", "1"]));
    assert_eq!(status, 2);
    assert!(told.contains("terraform") && told.contains("opentofu"), "{told}");
}

#[test]
fn colors_are_as_the_environment_says() {
    let is_colored = |set: &[(&str, &str)], arguments: &[&str]| {
        ends(hcl(&["eval"]).args(arguments).arg("1 +").envs(set.iter().copied())).2.contains('\x1b')
    };
    assert!(!is_colored(&[], &[]));
    assert!(is_colored(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!is_colored(&[("CLICOLOR_FORCE", "0")], &[]));
    assert!(!is_colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(is_colored(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!is_colored(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

/// Returns whether a program is there. Where it must be, a missing one fails the test.
fn have(program: &str) -> bool {
    let is_there =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    let is_required = std::env::var_os("HCL_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(is_there || !is_required, "{program} is missing");
    if !is_there {
        #[expect(clippy::print_stderr, reason = "what is left out is told")]
        {
            eprintln!("SKIPPED: {program} is missing");
        }
    }
    is_there
}

#[test]
fn completions_are_read_by_their_shells() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let (status, script, _) = ends(&mut hcl(&["completions", shell]));
        assert_eq!(status, 0);
        // PowerShell completes verbs and flags, not what stands behind these.
        // Fish has a flag without its dashes.
        let flag = if shell == "fish" { "-l var-file" } else { "--var-file" };
        let words = ["explain-error", flag, "opentofu"];
        for word in &words[..if shell == "powershell" { 2 } else { 3 }] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
        let path = folder.path().join(shell);
        fs::write(&path, script).unwrap();
        // PowerShell has no way to read a script without running it.
        if shell != "powershell" && have(shell) {
            let output = Command::new(shell).arg("-n").arg(&path).output().unwrap();
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
    assert_eq!(ends(&mut hcl(&["completions", "dos"])).0, 2);
}

#[test]
fn every_verb_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(ends(hcl(&["man", "--to"]).arg(folder.path())).0, 0);
    let help = ends(&mut hcl(&["--help"])).1;
    let verbs =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut n_verbs = 0;
    for verb in verbs.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help") {
        let page = fs::read_to_string(folder.path().join(format!("hcl-{verb}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains("OPTIONS") && page.is_ascii(), "{verb}");
        assert_eq!(ends(&mut hcl(&["man", verb])).1, page);
        n_verbs += 1;
    }
    assert!(n_verbs > 10);
    assert!(
        fs::read_to_string(folder.path().join("hcl.1")).unwrap().contains("Evaluate, check and inspect HCL")
    );
    assert_eq!(ends(&mut hcl(&["man", "nothing"])).0, 2);
}

/// The page of the other command tells all its flags.
#[test]
fn hcldec_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(ends(hcl(&["man", "--to"]).arg(folder.path())).0, 0);
    let page = fs::read_to_string(folder.path().join("hcldec.1")).unwrap();
    assert_eq!(ends(&mut hcl(&["man", "hcldec"])).1, page);
    let usage = ends(Command::new(env!("CARGO_BIN_EXE_hcldec")).arg("--help")).2;
    let flags: Vec<_> = usage.split_whitespace().filter(|word| word.starts_with("--")).collect();
    assert!(flags.len() > 6, "{usage}");
    for flag in flags {
        let name = flag.split('=').next().unwrap().replace('-', "\\-");
        assert!(page.contains(&name), "{name} is missing in {page}");
    }
}

/// Waits until a line with the text comes.
fn sees(lines: &mut impl Iterator<Item = std::io::Result<String>>, text: &str) {
    assert!(lines.any(|line| line.unwrap().contains(text)), "{text}");
}

#[test]
fn a_change_is_seen() {
    let folder = folder(&[("main.hcl", "a = ]\n")]);
    let mut watching =
        hcl(&["check", "--watch", "."]).current_dir(folder.path()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watching.stderr.take().unwrap()).lines();
    sees(&mut lines, "main.hcl:1:5");
    fs::write(folder.path().join("other.hcl"), "b = [\n").unwrap();
    sees(&mut lines, "other.hcl:");
    fs::write(folder.path().join("other.hcl"), "b = []\n").unwrap();
    fs::write(folder.path().join("main.hcl"), "a = []\n").unwrap();
    sees(&mut lines, "no errors were found");
    watching.kill().unwrap();
    watching.wait().unwrap();
    assert_eq!(ends(&mut hcl(&["check", "--watch", "-"])).0, 2);
}

/// Beginning is not what takes time. `make startup` runs this with optimisation, where some 2 ms are usual.
#[test]
fn it_starts_at_once() {
    const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 25 } else { 5 });
    let started = || {
        let begin = Instant::now();
        assert_eq!(ends(&mut hcl(&["eval", "1"])).1, "1\n");
        begin.elapsed()
    };
    let best = (0..50).map(|_| started()).min().unwrap();
    assert!(best < LIMIT, "{best:?}");
}
