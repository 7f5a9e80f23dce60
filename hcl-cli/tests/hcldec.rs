//! The commands that decode, as a script sees them: flags, standard streams, files, exit statuses.

use std::io::{self, Write as _};
use std::process::{Command, Output, Stdio};

use hcl_cli::hcldec::{Answer, Files, Terminal, run};

const SPEC: &str = "object {\n  attr \"port\" {\n    type = number\n  }\n  block_list \"tag\" {\n    attr {\n      name = \"name\"\n    }\n  }\n}\n";

/// Files that are made up.
struct MadeUp(&'static [(&'static str, &'static str)]);

impl Files for MadeUp {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn read_input(&self) -> io::Result<Vec<u8>> {
        self.read("standard input")
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::other("the disk is full"))
    }
}

fn answer(arguments: &[&str], files: &'static [(&'static str, &'static str)]) -> Answer {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    run(&arguments, &MadeUp(files), Terminal::default())
}

#[test]
fn values_go_to_standard_output() {
    let files = &[("s", SPEC), ("standard input", "port = 80\n")];
    assert_eq!(answer(&["-ss"], files).stdout, "{\"port\":80,\"tag\":[]}\n");
    let typed = answer(&["--spec", "s", "--with-type", "--keep-nulls=true"], files);
    assert_eq!(
        typed.stdout,
        "{\"value\":{\"port\":80,\"tag\":[]},\"type\":[\"object\",{\"port\":\"number\",\"tag\":[\"list\",\"dynamic\"]}]}\n"
    );
}

#[test]
fn several_files_are_read_as_one() {
    let files =
        &[("s", SPEC), ("a.hcl", "tag {\n  name = \"a\"\n}\n"), ("b.json", "{\"port\": 1, \"tag\": {}}")];
    let merged = answer(&["--spec=s", "--keep-nulls", "a.hcl", "b.json"], files);
    assert_eq!((merged.stdout.as_str(), merged.status), ("{\"port\":1,\"tag\":[\"a\",null]}\n", 0));
}

#[test]
fn complaints_are_told_as_text_with_what_they_are_about() {
    let files = &[("s", SPEC), ("a.hcl", "port = x\n"), ("b.json", "{\n  \"tag\": [{\"nam\": 1}]\n}\n")];
    let told = answer(&["--spec=s", "--vars={\"x\": \"many\"}", "a.hcl", "b.json"], files);
    assert_eq!((told.stdout.as_str(), told.status), ("", 2));
    assert_eq!(
        told.stderr,
        "Error: Incorrect attribute value type\n\n  on a.hcl line 1:\n   1: port = x\n\nwith x as \"many\".\n\nThis value does not suit the argument \"port\": a number is required.\n\nError: Extraneous JSON object property\n\n  on b.json line 2, in tag[0]:\n   2:   \"tag\": [{\"nam\": 1}]\n\nNo argument and no type of blocks named \"nam\" is expected here. Did you mean\n\"name\"?\n\n"
    );
}

/// Each message says what its place lies in, which must not mean to search the whole file for each.
#[test]
fn many_complaints_are_told_in_proportion() {
    const N_BLOCKS: usize = 20_000;
    let native = "tag {\n  x = 1\n}\n".repeat(N_BLOCKS);
    let json = format!("{{\"tag\": [{}\n]}}", vec!["\n{\"x\": 1}"; N_BLOCKS].join(","));
    for (name, text) in [("many.hcl", native), ("many.json", json)] {
        let files: &'static [_] = vec![("s", SPEC), (name, &*text.leak())].leak();
        let start = std::time::Instant::now();
        let told = answer(&["--spec=s", name], files);
        let time = start.elapsed();
        let within = if name == "many.hcl" { "in tag:" } else { "in tag[19999]:" };
        assert_eq!((told.stderr.matches("Error: ").count(), told.status), (N_BLOCKS, 2));
        assert!(told.stderr.contains(within));
        assert!(time.as_secs() < 10, "{name} took {time:?}");
    }
}

#[test]
fn exit_statuses_tell_whose_fault_it_is() {
    let files = &[("s", SPEC), ("a.hcl", "port = 1 / 0\n")];
    let told = |arguments: &[&str]| {
        let answer = answer(arguments, files);
        (answer.status, answer.stderr.lines().next().unwrap_or_default().to_owned())
    };
    assert_eq!(told(&["a.hcl"]), (1, "Error: the --spec=... argument is required".to_owned()));
    assert_eq!(told(&["--spec=s", "a.hcl"]), (1, "Error: cannot serialize infinity as JSON".to_owned()));
    assert_eq!(told(&["--spec=s", "--diags=xml"]).0, 2);
    assert_eq!(told(&["--spec=s", "b.hcl"]), (2, "Error: Failed to read file".to_owned()));
    assert_eq!(told(&["--bogus"]), (2, "unknown flag: --bogus".to_owned()));
    let full = answer(&["--spec=s", "--var-refs", "--out=x", "a.hcl"], files);
    assert_eq!(
        (full.status, full.stderr.as_str()),
        (1, "Error: can't open x for writing: the disk is full\n\n")
    );
}

#[test]
fn references_are_described_with_values_and_places() {
    let files = &[("s", SPEC), ("a.hcl", "port = x[0]\n")];
    let told = answer(&["--spec=s", "--vars={\"x\": [{}]}", "--var-refs", "a.hcl"], files);
    let compact: String = told.stdout.split_whitespace().collect();
    assert_eq!(
        compact,
        "[{\"root_name\":\"x\",\"value\":{},\"steps\":[{\"kind\":\"root\",\"name\":\"x\",\"range\":{\"filename\":\"a.hcl\",\"start\":{\"line\":1,\"column\":8,\"byte\":7},\"end\":{\"line\":1,\"column\":9,\"byte\":8}}},{\"kind\":\"index\",\"key\":0,\"range\":{\"filename\":\"a.hcl\",\"start\":{\"line\":1,\"column\":9,\"byte\":8},\"end\":{\"line\":1,\"column\":12,\"byte\":11}}}],\"range\":{\"filename\":\"a.hcl\",\"start\":{\"line\":1,\"column\":8,\"byte\":7},\"end\":{\"line\":1,\"column\":12,\"byte\":11}}}]"
    );
}

/// Runs an executable in a folder of its own with a specification, two files and standard input.
fn executed(executable: &str, arguments: &[&str], input: &str) -> Output {
    let name = arguments.concat().replace(|c: char| !c.is_ascii_alphanumeric(), "");
    let folder = std::env::temp_dir().join(format!("hcldec-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary folders can be made");
    let dynamic = "dynamic \"tag\" {\n  for_each = names\n  content {\n    name = tag.value\n  }\n}\n";
    for (name, text) in [("s.hcldec", SPEC), ("dynamic.hcl", dynamic)] {
        std::fs::write(folder.join(name), text).expect("temporary files can be written");
    }
    let mut command = Command::new(executable);
    command.args(arguments).current_dir(&folder).env_remove("COLUMNS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // A command that doesn't read its input may have ended already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let mut output = child.wait_with_output().expect("the command ends");
    if let Ok(written) = std::fs::read(folder.join("out.json")) {
        output.stdout = written;
    }
    let _ = std::fs::remove_dir_all(&folder);
    output
}

#[test]
fn the_executable_reads_standard_input_and_writes_a_file() {
    let output = executed(env!("CARGO_BIN_EXE_hcldec"), &["--spec=s.hcldec", "-o", "out.json"], "port = 7\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"{\"port\":7,\"tag\":[]}\n");
}

#[test]
fn dynamic_blocks_are_expanded_if_that_is_asked_for() {
    let names = ["--var", "names=[\"a\", \"b\"]"];
    let decode = |flags: &[&str]| {
        let arguments = [&["decode", "--spec", "s.hcldec", "dynamic.hcl"], flags, &names].concat();
        executed(env!("CARGO_BIN_EXE_hcl"), &arguments, "")
    };
    let output = decode(&["--dynamic"]);
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(0), b"{\"tag\":[\"a\",\"b\"]}\n".as_slice())
    );
    let output = decode(&["--diagnostics", "json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\"code\":\"content.unsupported_block\""));
}
