//! `hcl console` at a terminal and behind a pipe.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::process::{Command, Stdio};

use rexpect::reader::Options;
use rexpect::session::{PtySession, spawn_with_options};
use tempfile::TempDir;

const CTRL_C: char = '\x03';
const CTRL_D: char = '\x04';

/// A console at a terminal of its own, its history in `state`.
struct Terminal(PtySession);

impl Terminal {
    fn open(state: &TempDir, arguments: &[&str]) -> Self {
        let mut command = Command::new(hcl_apart::hcl());
        command
            .args(["console", "--color", "never"])
            .args(arguments)
            .env("XDG_STATE_HOME", state.path())
            .env("TERM", "xterm")
            .current_dir(state.path());
        let options = Options::new().timeout_ms(Some(20_000)).strip_ansi_escape_codes(true);
        let mut terminal = Self(spawn_with_options(command, options).unwrap());
        terminal.answers("Ctrl-D leaves.");
        terminal
    }

    fn types(&mut self, keys: &str) {
        self.0.send(keys).unwrap();
        self.0.flush().unwrap();
    }

    fn presses(&mut self, key: char) {
        self.types(&key.to_string());
    }

    /// Waits until a text appears.
    fn sees(&mut self, text: &str) {
        self.0.exp_string(text).unwrap();
    }

    /// Waits for an answer and for the prompt behind it: keys pressed before may get lost.
    fn answers(&mut self, text: &str) {
        self.sees(text);
        self.sees("hcl> ");
    }

    /// Leaves by a command, which unlike Ctrl-D is not lost when the terminal is between two prompts.
    fn leaves(mut self) {
        self.types(":quit\r");
        self.0.exp_eof().unwrap();
    }
}

#[test]
fn an_expression_is_answered() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &["--var", "name=\"ann\""]);
    terminal.types("\"${upper(name)}-${1 + 1}\"\r");
    terminal.answers("\"ANN-2\"");
    terminal.types(":type [name]\r");
    terminal.answers("tuple([");
    terminal.types(":vars\r");
    terminal.answers("name = \"ann\"");
    terminal.presses(CTRL_D);
    terminal.0.exp_eof().unwrap();
}

#[test]
fn lines_typed_ahead_are_answered() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types("1 + 10\r2 + 20\r3 + 30\r4 + 40\r");
    for answer in ["11", "22", "33", "44"] {
        terminal.answers(answer);
    }
    terminal.leaves();
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let state = TempDir::new().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "echo \"I am $$.\"; \"$0\" console --color never; stty -a"]).arg(hcl_apart::hcl());
    command.env("XDG_STATE_HOME", state.path()).env("TERM", "xterm").current_dir(state.path());
    let mut shell = spawn_with_options(command, Options::new().timeout_ms(Some(20_000))).unwrap();
    shell.exp_string("I am ").unwrap();
    let id = shell.exp_string(".").unwrap();
    shell.exp_string("hcl> ").unwrap();
    assert!(Command::new("pkill").args(["-TERM", "-P", &id]).status().unwrap().success());
    let settings = shell.exp_eof().unwrap();
    assert!(settings.contains("Terminated") && settings.contains(" icanon"), "{settings}");
}

#[test]
fn variables_and_locals_of_a_module_are_listed() {
    let state = TempDir::new().unwrap();
    let text = "variable \"zone\" {\n  default = \"eu\"\n}\nvariable \"n\" {}\nlocals {\n  name = upper(var.zone)\n}\n";
    std::fs::write(state.path().join("main.tf"), text).unwrap();
    let mut terminal = Terminal::open(&state, &["--module", "."]);
    terminal.types(":vars\r");
    terminal.sees("local.name = \"EU\"");
    terminal.sees("var.n = (known after apply)");
    terminal.answers("var.zone = \"eu\"");
    terminal.leaves();
}

#[test]
fn an_error_does_not_end_the_console() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &["--var", "name=\"ann\""]);
    terminal.types("nam\r");
    terminal.answers("Did you mean \"name\"");
    terminal.types("1 +\r");
    terminal.answers("Missing expression");
    terminal.types(":nonsense\r");
    terminal.answers("There is no command :nonsense.");
    terminal.types("40 + 2\r");
    terminal.answers("42");
    terminal.leaves();
}

#[test]
fn names_attributes_and_commands_are_completed() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &["--var", "server={ port = 8080, limits = { cpu = 2 } }"]);
    terminal.types("ser\t.po\t\r");
    terminal.answers("8080");
    terminal.types("server.limits.\t\r");
    terminal.answers("2");
    // One candidate is taken, several are listed with their signatures.
    terminal.types("strrev\t\"abc\")\r");
    terminal.answers("\"cba\"");
    terminal.types("trim\t\t");
    terminal.sees("trimprefix(str: string, prefix: string) -> string");
    terminal.sees("hcl> trim");
    terminal.presses(CTRL_C);
    terminal.sees("hcl> ");
    terminal.types(":v\t\r");
    terminal.answers("server = {");
    terminal.leaves();
}

#[test]
fn names_of_the_module_in_the_folder_are_completed() {
    let state = TempDir::new().unwrap();
    let net = state.path().join("net");
    std::fs::create_dir(&net).unwrap();
    std::fs::write(net.join("main.tf"), "output \"subnet\" {\n  value = { mask = 24 }\n}\n").unwrap();
    let text = "variable \"zone\" {\n  default = \"b\"\n}\nlocals {\n  greeting = \"hello\"\n}\n\
                module \"network\" {\n  source = \"./net\"\n}\n";
    std::fs::write(state.path().join("main.tf"), text).unwrap();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types("var.z\t\r");
    terminal.answers("\"b\"");
    terminal.types("local.gr\t\r");
    terminal.answers("\"hello\"");
    terminal.types("module.net\t.sub\t.ma\t\r");
    terminal.answers("24");
    terminal.leaves();
}

#[test]
fn the_signature_is_hinted_when_a_call_begins() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types("join(");
    terminal.sees("separator: string");
    terminal.presses(CTRL_C);
    terminal.sees("hcl> ");
    terminal.leaves();
}

#[test]
fn open_brackets_go_on_in_the_next_line() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types("[\r1,\r2,\r][1] + 40\r");
    terminal.answers("42");
    terminal.types("<<E\rsome text\rE\r");
    // The answer has another delimiter than the input, which is shown several times.
    terminal.sees("<<EOT\r\n");
    terminal.answers("some text");
    terminal.leaves();
}

#[test]
fn the_history_is_kept_between_runs() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types("6 * 7\r");
    terminal.answers("42");
    terminal.leaves();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types("\x1b[A");
    terminal.sees(":quit");
    terminal.types("\x1b[A");
    terminal.sees("6 * 7");
    terminal.types(" + 1\r");
    terminal.answers("43");
    terminal.leaves();
}

#[test]
fn ctrl_c_stops_an_evaluation_and_not_the_console() {
    let state = TempDir::new().unwrap();
    let mut terminal = Terminal::open(&state, &["--var", "r=range(1000)"]);
    terminal.types("[for a in r : 1 if [for b in r : 1 if sum(r) < 0] != []]\r");
    // A million sums of a thousand numbers take far longer than the pause, and no limit comes before them.
    std::thread::sleep(std::time::Duration::from_millis(500));
    terminal.presses(CTRL_C);
    terminal.answers("cancelled");
    terminal.types("40 + 2\r");
    terminal.answers("42");
    terminal.leaves();
}

#[test]
fn files_of_variables_can_be_loaded() {
    let state = TempDir::new().unwrap();
    std::fs::write(state.path().join("good.hcl"), "port = 8080\n").unwrap();
    std::fs::write(state.path().join("bad.hcl"), "port = \n").unwrap();
    let mut terminal = Terminal::open(&state, &[]);
    terminal.types(":load bad.hcl\r");
    terminal.answers("Invalid expression");
    terminal.types(":load missing.hcl\r");
    terminal.answers("missing.hcl: ");
    terminal.types(":load good.hcl\r");
    terminal.answers("1 new variable from good.hcl");
    terminal.types("port + 1\r");
    terminal.answers("8081");
    terminal.leaves();
}

#[test]
fn places_at_the_end_of_an_input_are_in_its_line() {
    let told = |input: &str| {
        let mut child = Command::new(hcl_apart::hcl())
            .arg("console")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
    };
    assert!(told("1 +\n").contains("<input>:1:"), "{}", told("1 +\n"));
    assert_eq!(told("<<E\nx\nE\n1\n"), "");
}

#[test]
fn a_pipe_is_answered_one_expression_after_the_other() {
    let mut child = Command::new(hcl_apart::hcl())
        .arg("console")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = b"1 + 1\n[\n  3,\n]\n\nnope\n:type true\n\"last\"";
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "2\n[\n  3,\n]\nbool\n\"last\"\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("no variable named \"nope\""));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn notes_stand_beside_answers() {
    let folder = TempDir::new().unwrap();
    let text = "variable \"zone\" {}\noutput \"zone\" {\n  value = var.zone\n}\n";
    std::fs::write(folder.path().join("main.tf"), text).unwrap();
    let mut child = Command::new(hcl_apart::hcl())
        .arg("console")
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"var.zone\noutput.zone\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "(known after apply)\n");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("note: not known because var.zone has no value"), "{told}");
    assert!(told.ends_with(" --address output.zone gives an output of the module\n"), "{told}");
}
