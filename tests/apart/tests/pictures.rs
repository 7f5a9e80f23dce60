//! The pictures of the documentation are what a terminal shows today.
//!
//! The commands run, their output goes through a terminal emulator, and the screen is written as SVG.
//! `HCL_UPDATE=1 cargo test -p hcl-apart --test pictures` stores it in `docs/images`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use rexpect::reader::Options;
use rexpect::session::{PtySession, spawn_with_options};
use vt100::{Cell, Color, Parser, Screen};

const COLUMNS: u16 = 84;
const CELL: (f32, f32) = (8.4, 18.0);
const MARGIN: f32 = 14.0;

/// The screen of a terminal that was sent the text.
fn screen(text: &str) -> Parser {
    let mut terminal = Parser::new(60, COLUMNS, 0);
    terminal.process(text.replace("\r\n", "\n").replace('\n', "\r\n").as_bytes());
    terminal
}

/// The output of a command behind its prompt.
fn session(shown: &str, arguments: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hcl-cli/tests/broken");
    let output = Command::new(hcl_apart::hcl())
        .args(arguments)
        .current_dir(folder)
        .env("COLUMNS", "80")
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    format!("\x1b[32m$\x1b[0m {shown}\n{}{}", text(output.stdout), text(output.stderr))
}

fn color(color: Color) -> &'static str {
    match color {
        Color::Idx(1 | 9) => "#ff7b72",
        Color::Idx(2 | 10) => "#7ee787",
        Color::Idx(3 | 11) => "#e3b341",
        Color::Idx(4 | 12) => "#79c0ff",
        Color::Idx(5 | 13) => "#d2a8ff",
        Color::Idx(6 | 14) => "#76e3ea",
        Color::Idx(8) => "#8b949e",
        _ => "#e6edf3",
    }
}

fn style(cell: &Cell) -> String {
    let mut style = format!("fill=\"{}\"", color(cell.fgcolor()));
    if cell.bold() {
        style.push_str(" font-weight=\"bold\"");
    }
    if cell.dim() {
        style.push_str(" opacity=\"0.6\"");
    }
    style
}

/// The screen as a picture: a rounded window, a text element for each run of one style.
fn picture(screen: &Screen, title: &str) -> String {
    let (rows, columns) = screen.size();
    let is_blank =
        |row: u16| (0..columns).all(|column| screen.cell(row, column).unwrap().contents().trim().is_empty());
    let n_rows = (0..rows).rev().find(|row| !is_blank(*row)).map_or(1, |last| last + 1);
    let width = f32::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f32::from(n_rows) * CELL.1 + 2.0 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n"
    );
    for row in 0..n_rows {
        let y = MARGIN + f32::from(row) * CELL.1 + 13.0;
        let mut column = 0;
        while column < columns {
            let first = screen.cell(row, column).unwrap();
            let start = column;
            let mut text = String::new();
            while column < columns {
                let cell = screen.cell(row, column).unwrap();
                if style(cell) != style(first) || (cell.is_wide() && column > start) {
                    break;
                }
                text.push_str(if cell.has_contents() { cell.contents() } else { " " });
                column += if cell.is_wide() { 2 } else { 1 };
                if cell.is_wide() {
                    break;
                }
            }
            if !text.trim().is_empty() {
                // Browsers drop blanks at the ends of a text and join those inside, and stretch the rest over its length.
                let before = text.len() - text.trim_start().len();
                let after = text.len() - text.trim_end().len();
                let blanks = |n: usize| f32::from(u16::try_from(n).unwrap()) * CELL.0;
                let x = MARGIN + f32::from(start) * CELL.0 + blanks(before);
                let length = f32::from(column - start) * CELL.0 - blanks(before + after);
                let text = text.trim().replace(' ', "\u{a0}");
                let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                let style = style(first);
                writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\" {style}>{text}</text>"
                )
                .unwrap();
            }
        }
    }
    out + "</g>\n</svg>\n"
}

/// The stored picture is the current one.
fn check(name: &str, title: &str, text: &str) {
    let terminal = screen(text);
    let current = picture(terminal.screen(), title);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images").join(name);
    if std::env::var_os("HCL_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &current).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == current, "{name} shows something else now:\n{}", terminal.screen().contents());
}

#[test]
fn a_diagnostic() {
    let shown = "hcl decode --spec service.hcldec wrong-type.hcl misspelt-argument.hcl";
    let arguments: Vec<_> = shown.split(' ').skip(1).collect();
    check("diagnostic.svg", "Two mistakes in a configuration", &session(shown, &arguments));
}

#[test]
fn an_explanation_of_a_code() {
    let shown = "hcl explain-error content.unsupported_argument";
    check(
        "explain-error.svg",
        "What a code means",
        &session(shown, &["explain-error", "content.unsupported_argument"]),
    );
}

#[test]
fn an_explained_value() {
    let shown = "hcl eval --explain --var 'ports=[80, 443]' 'max(ports...) > 100 ? \"tls\" : \"plain\"'";
    let arguments =
        ["eval", "--explain", "--var", "ports=[80, 443]", "max(ports...) > 100 ? \"tls\" : \"plain\""];
    check("explain.svg", "How a value came about", &session(shown, &arguments));
}

/// Types a line and gives all that the terminal received until the text is seen.
fn say(console: &mut PtySession, line: &str, answer: &str) -> String {
    console.send_line(line).unwrap();
    let before = console.exp_string(answer).unwrap();
    let after = console.exp_string("hcl> ").unwrap();
    before + answer + &after + "hcl> "
}

#[test]
fn the_console() {
    let state = tempfile::tempdir().unwrap();
    let mut command = Command::new(hcl_apart::hcl());
    command.args(["console", "--var", "servers=[{name=\"web\",port=80},{name=\"db\",port=5432}]"]);
    command.env("XDG_STATE_HOME", state.path()).env("TERM", "xterm-256color").env("HOME", state.path());
    command.env_remove("NO_COLOR");
    let options = Options::new().timeout_ms(Some(20_000));
    let mut console = spawn_with_options(command, options).unwrap();
    let mut seen = console.exp_string("hcl> ").unwrap() + "hcl> ";
    seen += &say(&mut console, "{ for s in servers : s.name => s.port }", "\"web\" = 80\r\n}");
    seen += &say(&mut console, ":type servers[0]", "})");
    check("console.svg", "hcl console", &seen);
}
