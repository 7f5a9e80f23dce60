//! `hcl fmt` on files and folders, as a script sees it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn fmt(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .arg("fmt")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Standard output and exit status.
fn told(folder: &Path, arguments: &[&str], input: &str) -> (String, i32) {
    let output = fmt(folder, arguments, input);
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn folders_are_searched_and_files_rewritten() {
    let folder = folder(&[
        ("b.hcl", "a=1\n"),
        ("a.tf", "a = 1\n"),
        ("sub/c.tfvars", "x=[1,2]"),
        ("sub/d.txt", "a=1\n"),
        (".hidden/e.hcl", "a=1\n"),
    ]);
    let expected = "./b.hcl\n./sub/c.tfvars\n";
    assert_eq!(told(folder.path(), &["--check"], ""), (expected.to_owned(), 1));
    assert_eq!(fs::read_to_string(folder.path().join("b.hcl")).unwrap(), "a=1\n");
    assert_eq!(told(folder.path(), &[], ""), (expected.to_owned(), 0));
    assert_eq!(fs::read_to_string(folder.path().join("b.hcl")).unwrap(), "a = 1\n");
    // A file is left without the newline that it never had.
    assert_eq!(fs::read_to_string(folder.path().join("sub/c.tfvars")).unwrap(), "x = [1, 2]");
    assert_eq!(fs::read_to_string(folder.path().join("sub/d.txt")).unwrap(), "a=1\n");
    assert_eq!(fs::read_to_string(folder.path().join(".hidden/e.hcl")).unwrap(), "a=1\n");
    assert_eq!(told(folder.path(), &["--check"], ""), (String::new(), 0));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = folder(&[]);
    assert_eq!(told(folder.path(), &["-"], "a=1"), ("a = 1".to_owned(), 0));
    assert_eq!(
        told(folder.path(), &["--style", "terraform", "-"], "foo bar{}"),
        ("foo \"bar\" {}\n".to_owned(), 0)
    );
    assert_eq!(told(folder.path(), &["--check", "-"], "a=1\n"), (String::new(), 1));
    assert_eq!(told(folder.path(), &["--check", "-"], "a = 1\n"), (String::new(), 0));
}

#[test]
fn a_difference_is_shown_and_nothing_written() {
    let folder = folder(&[("a.hcl", "a=1\nb = 2\n")]);
    let (out, status) = told(folder.path(), &["--diff", "a.hcl"], "");
    assert_eq!(out, "--- a.hcl\n+++ a.hcl\n@@ -1,2 +1,2 @@\n-a=1\n+a = 1\n b = 2\n");
    assert_eq!(status, 0);
    assert_eq!(told(folder.path(), &["--diff", "--check", "a.hcl"], "").1, 1);
    assert_eq!(fs::read_to_string(folder.path().join("a.hcl")).unwrap(), "a=1\nb = 2\n");
}

#[test]
fn one_bad_file_does_not_keep_others_from_being_formatted() {
    let folder = folder(&[("bad.tf", "a = \n"), ("good.tf", "a=1\n")]);
    let output = fmt(folder.path(), &["--style", "terraform", "missing.tf", "."], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "./good.tf\n");
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(complaints.contains("missing.tf: "), "{complaints}");
    assert!(complaints.contains("bad.tf:1"), "{complaints}");
    assert_eq!(fs::read_to_string(folder.path().join("good.tf")).unwrap(), "a = 1\n");
    // The language's own style takes it.
    assert_eq!(told(folder.path(), &["bad.tf"], "").1, 0);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("real/a.hcl", "a=1\n")]);
    let real = folder.path().join("real/a.hcl");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/a.hcl", folder.path().join("link.hcl")).unwrap();
    assert_eq!(told(folder.path(), &["link.hcl"], "").1, 0);
    assert!(fs::symlink_metadata(folder.path().join("link.hcl")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "a = 1\n");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.path().join("real")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn hard_links_stay_links() {
    use std::os::unix::fs::MetadataExt;
    let folder = folder(&[("a.hcl", "aaaa=1\nb   =              2\n")]);
    let (a, b) = (folder.path().join("a.hcl"), folder.path().join("b.hcl"));
    fs::hard_link(&a, &b).unwrap();
    assert_eq!(told(folder.path(), &["a.hcl"], ""), ("a.hcl\n".to_owned(), 0));
    assert_eq!(fs::read_to_string(&b).unwrap(), "aaaa = 1\nb    = 2\n");
    assert_eq!(fs::metadata(&a).unwrap().ino(), fs::metadata(&b).unwrap().ino());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    // Written under one name while it is read under the other, it would be left with the end of the old text.
    fs::write(&a, "aaaa=1\n".repeat(20_000)).unwrap();
    assert_eq!(told(folder.path(), &["."], ""), ("./a.hcl\n".to_owned(), 0));
    assert_eq!(told(folder.path(), &["--check", "."], ""), (String::new(), 0));
}

/// A file of several names is written where it is, for which there may be no room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_a_file_of_several_names_as_it_is() {
    // A user may mount in a namespace of their own, unless the system forbids it.
    let script = r#"
        mkdir disk && mount -t tmpfs -o size=64k none disk && cd disk && cp ../a.hcl . && ln a.hcl b || exit 99
        "$0" fmt a.hcl && exit 98
        cmp a.hcl ../a.hcl && cmp b a.hcl && ls -A
    "#;
    // With the copy of the new text beside the old one, 15 of 16 pages are full, and the old one grows by 3.
    let old = "a=1\n".repeat(6_100);
    let folder = folder(&[("a.hcl", &old)]);
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_hcl")]).current_dir(folder.path());
    let Ok(output) = command.output() else { return };
    if matches!(output.status.code(), Some(1 | 99)) && !folder.path().join("disk").exists() {
        return;
    }
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((output.status.code(), &*stdout), (Some(0), "a.hcl\nb\n"), "{stderr}");
    assert!(stderr.contains("a.hcl: No space left on device") && !stderr.contains("damaged"), "{stderr}");
}

/// A name may hold what a terminal takes for commands.
#[cfg(unix)]
#[test]
fn names_in_complaints_can_be_seen() {
    let output = fmt(folder(&[]).path(), &["a\u{1b}[2J\n.hcl"], "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "hcl: a␛[2J␊.hcl: there is no such file or folder\n");
}

/// A pipe has no content to replace, and nobody may be there to write to it.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_unread() {
    let folder = folder(&[]);
    assert!(Command::new("mkfifo").arg(folder.path().join("p.hcl")).status().unwrap().success());
    let hcl = env!("CARGO_BIN_EXE_hcl");
    for arguments in [&["fmt", "p.hcl"][..], &["set", "a", "1", "p.hcl"], &["rm", "a", "p.hcl"]] {
        let mut child = Command::new("timeout");
        let output = child.arg("20").arg(hcl).args(arguments).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("hcl: p.hcl: not a regular file"), "{said}");
    }
}

#[test]
fn what_is_no_native_syntax_stays_as_it_is() {
    let texts: [(&str, &[u8]); 5] = [
        ("nul.tf", b"a=1\n\0"),
        ("program.tf", b"\x7fELF\x02\x01\x01\0\0"),
        ("latin.tf", b"a=\"\xe9\"\n"),
        ("wide.tf", b"\xff\xfea\0=\x001\0"),
        ("a.tf.json", b"{\"a\":1}\n"),
    ];
    for (name, text) in texts {
        let folder = folder(&[]);
        fs::write(folder.path().join(name), text).unwrap();
        let output = fmt(folder.path(), &["--style", "terraform", name], "");
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(output.stdout.is_empty(), "{name}");
        assert!(String::from_utf8(output.stderr).unwrap().contains(name));
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn batches_format_in_both_styles() {
    let requests = "{\"source\": \"a=1\", \"id\": 1}\n{\"source\": \"a=\\\"${b}\\\"\", \"style\": \"terraform\"}\n{\"source\": \"a=\", \"style\": \"terraform\"}\n{}\n";
    let (out, status) = told(Path::new("."), &["--jsonl"], requests);
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "{\"id\":1,\"formatted\":\"a = 1\"}");
    assert_eq!(lines[1], "{\"formatted\":\"a = b\\n\"}");
    assert!(lines[2].contains("\"summary\":\"Missing expression\""), "{out}");
    assert!(lines[3].contains("Invalid request"), "{out}");
    assert_eq!(status, 0);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let text =
        |n: usize| (0..=n).map(|line| format!("a{line}{}", ["=1\n", " = 1\n", " = \n"][n % 3])).collect();
    let files: Vec<(String, String)> = (0..90).map(|n| (format!("{}/{n}.hcl", n % 7), text(n))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = folder(&files);
    for arguments in [&["--check", "."][..], &["--diff", "--style", "terraform", "."]] {
        let outputs = ["1", "2", "16"].map(|jobs| {
            let output = fmt(folder.path(), &[arguments, &["--jobs", jobs]].concat(), "");
            (output.stdout, output.stderr, output.status.code())
        });
        assert!(outputs[0].0.len() > 200);
        assert!(outputs[0] == outputs[1] && outputs[0] == outputs[2], "{arguments:?}");
    }
    for jobs in ["0", "-1", "many"] {
        let output = fmt(folder.path(), &[&format!("--jobs={jobs}")], "");
        assert_eq!(output.status.code(), Some(2), "{jobs}");
    }
}

/// Whenever the process ends, each file has its old text or its new one.
#[test]
fn a_killed_process_leaves_no_file_half_written() {
    let old = "aaaa=1\nb   =              2\n".repeat(4_000);
    let new = "aaaa = 1\nb    = 2\n".repeat(4_000);
    let names: Vec<String> = (0..40).map(|n| format!("{n:02}.hcl")).collect();
    let (mut n_old, mut n_new) = (0, 0);
    for round in 0..8 {
        let folder = folder(&names.iter().map(|name| (&**name, &*old)).collect::<Vec<_>>());
        let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .args(["fmt", "."])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // The process is killed as soon as it has told of so many files.
        let mut told = std::io::BufReader::new(child.stdout.take().unwrap());
        for _ in 0..=round * 4 {
            std::io::BufRead::read_line(&mut told, &mut String::new()).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for name in &names {
            let text = fs::read_to_string(folder.path().join(name)).unwrap();
            assert!(text == old || text == new, "{name} is half written");
            *(if text == old { &mut n_old } else { &mut n_new }) += 1;
        }
        for entry in fs::read_dir(folder.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(names.contains(&name) || name.starts_with(".hcl-new-"), "nobody knows whose {name} is");
        }
    }
    assert!(n_old > 0 && n_new > 0, "killed too early or too late: {n_old} old, {n_new} new");
}

/// A signal that ends the process leaves each file with its old text or its new one, with its mode and its names, and
/// nothing beside it.
#[cfg(unix)]
#[test]
fn a_signal_leaves_no_file_half_written_and_none_behind() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::ExitStatusExt;

    use nix::sys::signal::Signal;

    let (old, new) = ("aaaa=1\nb   =              2\n".repeat(4_000), "aaaa = 1\nb    = 2\n".repeat(4_000));
    let names: Vec<String> = (0..200).map(|n| format!("{n:03}.hcl")).collect();
    let (mut n_old, mut n_new) = (0, 0);
    for (round, signal) in
        [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().cycle().take(9).enumerate()
    {
        let folder = folder(&names.iter().map(|name| (&**name, &*old)).collect::<Vec<_>>());
        for (n, name) in names.iter().enumerate() {
            let path = folder.path().join(name);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            // Files with a second name are written where they are.
            if n % 4 == 0 {
                fs::hard_link(&path, folder.path().join(format!(".{name}"))).unwrap();
            }
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
        command.args(["fmt", "."]);
        // It may have been done before.
        let ended = signalled(command, folder.path(), round, signal);
        assert!(
            ended.signal() == Some(signal as i32) || ended.success(),
            "{signal} has ended it with {ended}"
        );
        let mut found: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !(name.starts_with('.') && names.contains(&name[1..].to_owned())))
            .collect();
        found.sort();
        assert_eq!(found, names);
        for (n, name) in names.iter().enumerate() {
            let path = folder.path().join(name);
            let (text, metadata) = (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap());
            assert!(text == old || text == new, "{name} is half written");
            assert_eq!((metadata.mode() & 0o777, metadata.nlink()), (0o640, if n % 4 == 0 { 2 } else { 1 }));
            *(if text == old { &mut n_old } else { &mut n_new }) += 1;
        }
    }
    assert!(n_old > 0 && n_new > 0, "ended too early or too late: {n_old} old, {n_new} new");
}

/// A signal that whoever started the process ignores, as `nohup` does, stays without effect.
#[cfg(unix)]
#[test]
fn an_ignored_signal_is_ignored() {
    let names: Vec<String> = (0..20).map(|n| format!("{n:02}.hcl")).collect();
    let old = "aaaa=1\nb   =              2\n".repeat(1_000);
    let folder = folder(&names.iter().map(|name| (&**name, &*old)).collect::<Vec<_>>());
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" fmt .", env!("CARGO_BIN_EXE_hcl")]);
    assert_eq!(signalled(command, folder.path(), 0, nix::sys::signal::Signal::SIGHUP).code(), Some(0));
    assert_eq!(told(folder.path(), &["--check", "."], ""), (String::new(), 0));
}

/// The end of a process that formats the files of a folder, and that is sent a signal as soon as it has told of so many
/// files and one more.
#[cfg(unix)]
fn signalled(
    mut command: Command,
    folder: &Path,
    n_told: usize,
    signal: nix::sys::signal::Signal,
) -> std::process::ExitStatus {
    use std::io::{BufRead, BufReader, Read};

    let mut child = command.current_dir(folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..=n_told {
        told.read_line(&mut String::new()).unwrap();
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    told.read_to_end(&mut Vec::new()).unwrap();
    child.wait().unwrap()
}
