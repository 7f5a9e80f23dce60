//! `docs/man/hcl.3` is made of `include/hcl.h` and `hcl.3.in`: the rules from its top, and the sections with a line for each
//! function. `HCL_UPDATE=1 cargo test -p hcl-ffi --test manpage` writes it anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text of a comment, line by line, without its stars.
fn comment(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines
        .filter_map(|line| line.strip_prefix('*'))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect()
}

/// Text as lines of mdoc: a sentence begins a line, no line is long, none looks like a request.
fn flow(text: &str) -> String {
    // Characters beyond ASCII have names for `troff`, which reads bytes.
    let text = text.replace('\\', "\\e").replace('`', "").replace('…', "\\[u2026]");
    let mut lines: Vec<String> = Vec::new();
    let mut begin = true;
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if !begin && line.len() + word.len() < 78 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                lines.push(if word.starts_with(['.', '\'']) {
                    format!("\\&{word}")
                } else {
                    word.to_owned()
                });
            }
        }
        begin = word.ends_with(['.', '!', '?']) || word.ends_with(".)");
    }
    lines.join("\n") + "\n"
}

fn paragraphs(lines: &[&str]) -> String {
    let paragraphs: Vec<String> = lines
        .split(|line| line.is_empty())
        .filter(|lines| !lines.is_empty())
        .map(|lines| {
            if lines.iter().all(|line| line.starts_with("  ")) { list(lines) } else { flow(&lines.join(" ")) }
        })
        .collect();
    paragraphs.join(".Pp\n")
}

/// Indented lines, each an item.
fn list(lines: &[&str]) -> String {
    let items: String = lines.iter().map(|line| format!(".It\n{}", flow(line))).collect();
    format!(".Bl -bullet -compact\n{items}.El\n")
}

/// The first sentence of a comment.
fn first_sentence(lines: &[&str]) -> String {
    let text = lines.iter().take_while(|line| !line.is_empty()).copied().collect::<Vec<_>>().join(" ");
    let end = text.match_indices(". ").map(|(at, _)| at).find(|&at| !text[..at].ends_with("e.g"));
    text[..end.unwrap_or(text.len())].trim_end_matches('.').to_owned()
}

/// A section of the header: its title, its prose, and its functions with their first sentences.
struct Section<'a> {
    title: &'a str,
    prose: Vec<&'a str>,
    functions: Vec<(String, String)>,
}

fn sections(header: &str) -> Vec<Section<'_>> {
    header.split("\\defgroup ").skip(1).map(section).collect()
}

fn section(text: &str) -> Section<'_> {
    let (head, body) = text.split_once("@{\n */\n").expect("a section opens");
    let body = body.split("\n/** @} */").next().unwrap_or(body);
    let title = head.lines().next().and_then(|line| line.split_once(' ')).expect("a title").1;
    let prose = comment(head);
    let functions = body.split("\n/**\n").skip(1).map(|piece| {
        let (said, prototype) = piece.split_once("*/\n").expect("a comment ends");
        let name = prototype.split('(').next().unwrap_or_default();
        let name = name.rsplit([' ', '*', '\n']).next().unwrap_or_default();
        (name.to_owned(), first_sentence(&comment(said)))
    });
    Section { title, prose, functions: functions.collect() }
}

/// The rules at the top of the header.
fn rules(header: &str) -> Vec<&str> {
    let top =
        header.split("RULES THAT HOLD FOR ALL FUNCTIONS").nth(1).expect("the header begins with its rules");
    comment(top.split("*/").next().unwrap_or_default())
}

fn generated() -> String {
    let header = read("include/hcl.h");
    let mut list = String::new();
    for section in sections(&header) {
        write!(list, ".Ss {}\n{}.Bl -tag -width Ds\n", section.title, paragraphs(&section.prose))
            .expect("text");
        for (name, said) in &section.functions {
            write!(list, ".It Fn {name}\n{}", flow(&format!("{said}."))).expect("text");
        }
        list.push_str(".El\n");
    }
    read("docs/man/hcl.3.in")
        .replace("@RULES@\n", &paragraphs(&rules(&header)))
        .replace("@FUNCTIONS@\n", &list)
}

#[test]
fn the_committed_page_is_current() {
    let generated = generated();
    assert!(generated.is_ascii(), "`troff` reads bytes");
    let path = root().join("docs/man/hcl.3");
    if std::env::var_os("HCL_UPDATE").is_some() {
        std::fs::write(&path, &generated).expect("docs/man/hcl.3 can be written");
    }
    assert!(
        read("docs/man/hcl.3") == generated,
        "docs/man/hcl.3 is stale: HCL_UPDATE=1 cargo test -p hcl-ffi --test manpage"
    );
}

#[test]
fn the_page_lists_every_function() {
    let header = read("include/hcl.h");
    let listed: Vec<String> =
        sections(&header).into_iter().flat_map(|s| s.functions).map(|(name, _)| name).collect();
    let declared =
        header.lines().filter(|line| !line.starts_with([' ', '/', '*', '#']) && line.contains("hcl_"));
    let declared: Vec<&str> =
        declared.filter_map(|line| line.split_once('(')).map(|(before, _)| before).collect();
    let declared: Vec<&str> = declared
        .iter()
        .filter_map(|before| before.rsplit([' ', '*']).next())
        .filter(|n| n.starts_with("hcl_"))
        .collect();
    assert!(declared.len() > 100, "the header declares only {} functions", declared.len());
    for name in declared {
        assert!(listed.iter().any(|listed| listed == name), "{name} is not on the page");
    }
}
