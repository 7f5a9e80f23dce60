//! An item that is put into a document and taken out again leaves no trace, and an edit leaves everything else: for
//! every place of every configuration in the tree.

use std::fs;
use std::path::{Path, PathBuf};

use hcl_syntax::ast::{Body, Expression, ExpressionKind, Label};
use hcl_syntax::diagnostic::Error;
use hcl_syntax::edit::{Address, Document, Gap, Reach, Side};
use hcl_syntax::escape::write_quoted;

/// A name that no file has.
const NEW: &str = "put_in_by_a_test";

/// The configurations of the tree: files, and inputs of the case documents.
fn configurations() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["examples", "tests", "hcl-cli", "hcl-syntax", "hcl-eval", "bindings", "docs", "benches"] {
        find(&root.join(folder), &mut files);
    }
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.display().to_string();
        if !name.ends_with(".md") {
            found.push((name, text));
            continue;
        }
        for (number, fence) in text.split("\n```hcl").skip(1).enumerate() {
            let inside = fence.split_once('\n').and_then(|(_, rest)| rest.split("\n```").next());
            found.push((format!("{name}, {number}"), format!("{}\n", inside.unwrap_or_default())));
        }
    }
    found
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            find(&path, found);
        } else if ["hcl", "tf", "hcldec", "tfvars", "t", "nomad", "md"].contains(&ending) {
            found.push(path);
        }
    }
}

/// A place that something can be put in: the address of it, with a dot behind, or nothing for the whole file.
struct Place {
    prefix: String,
    /// True for an object.
    is_object: bool,
}

fn places(body: Body<'_>, prefix: &str, found: &mut Vec<Place>) {
    for attribute in body.attributes() {
        objects(attribute.expression(), &format!("{prefix}{}", attribute.name()), found);
    }
    let mut headers: Vec<Vec<&str>> = Vec::new();
    for block in body.blocks() {
        let labels = block.labels().map(Label::text);
        let header: Vec<_> = [block.block_type()].into_iter().chain(labels).collect();
        let n_before = headers.iter().filter(|earlier| earlier.starts_with(&header)).count();
        let mut inner = format!("{prefix}{}", header[0]);
        for label in &header[1..] {
            inner.push('.');
            write_quoted(label, &mut inner);
        }
        headers.push(header);
        let inner = format!("{inner}[{n_before}].");
        found.push(Place { prefix: inner.clone(), is_object: false });
        places(block.body(), &inner, found);
    }
}

fn objects(value: Expression<'_>, address: &str, found: &mut Vec<Place>) {
    match value.kind() {
        ExpressionKind::Parentheses(inner) => objects(inner, address, found),
        ExpressionKind::Object(items) => {
            found.push(Place { prefix: format!("{address}."), is_object: true });
            for item in items.iter() {
                if let Some(name) = item.key_name() {
                    objects(item.value, &format!("{address}.{name}"), found);
                }
            }
        }
        _ => {}
    }
}

/// Puts a value into every place of a text and takes it out again; returns the problems and the number of places.
fn complaints(name: &str, text: &str, value: &str) -> (Vec<String>, usize) {
    let Ok(original) = Document::parse("main.hcl", text) else { return (Vec::new(), 0) };
    // A heredoc at the end has got its newline.
    let text = original.text();
    let mut found = vec![Place { prefix: String::new(), is_object: false }];
    places(original.file().body(), "", &mut found);
    let mut wrong = Vec::new();
    let mut n_edits = 0;
    for place in found {
        let outer = place.prefix.trim_end_matches('.');
        let is_clear = outer.is_empty() || outer.parse().is_ok_and(|outer| original.find(&outer).len() == 1);
        // In an object in one line a comment belongs to all of the line.
        if !is_clear || (place.is_object && value.contains('#')) {
            continue;
        }
        n_edits += 1;
        let address: Address = format!("{}{NEW}", place.prefix).parse().expect("an address");
        let mut document = Document::parse("main.hcl", text).expect("a text without errors");
        let done = document.set(&address, value, Reach::One);
        let with = document.text().to_owned();
        let done = done.and_then(|()| document.remove(&address, Reach::One).map(drop));
        if let Err(problems) = done {
            wrong.push(format!(
                "{name}: {address}: {}\n{}\n{}",
                problems.diagnostics()[0],
                end_of(text),
                end_of(&with)
            ));
        } else if document.text() != text {
            let (text, with, after) = (end_of(text), end_of(&with), end_of(document.text()));
            wrong.push(format!("{name}: {address}\n{text}\n{with}\n{after}"));
        }
    }
    (wrong, n_edits)
}

/// The last lines of a text, on one line.
fn end_of(text: &str) -> String {
    let start = text.char_indices().rev().nth(70).map_or(0, |(at, _)| at);
    text[start..].escape_debug().to_string()
}

#[test]
fn what_is_set_and_removed_leaves_no_trace() {
    let mut wrong = Vec::new();
    let mut n_edits = 0;
    let configurations = configurations();
    for (name, text) in &configurations {
        let unix = text.replace("\r\n", "\n");
        let variants = [
            text.clone(),
            unix.replace('\n', "\r\n"),
            text.trim_end_matches(['\r', '\n']).to_owned(),
            format!("{unix}last = <<EOT\nx\nEOT\n"),
            format!("{unix}last = <<EOT\nx\nEOT"),
            format!("{unix}last = 1 # one"),
            format!("{unix}last {{ a = 1 }}"),
            format!("{unix}last {{}}"),
            format!("{unix}last {{ }} # one\n"),
            format!("{unix}last {{a = 1}}\nlast {{\ta = 1  }} # one"),
            format!("{unix}last {{ /* one */ }}\nlast {{/* one */ a = 1 /* two */ }}\n"),
            format!("{unix}last {{ a = [\n1] }}\nlast {{ a = {{ b = 1 /* one */ }}\n}}\n"),
            format!("{unix}last = {{ }}\nother = {{/* one */}}\nanother = {{ a = 1 /* one */, }}\n"),
            format!("{unix}last = {{ a = <<EOT\nx\nEOT\n}}\nother = {{ b = 1, a = <<EOT\nx\nEOT\n }}\n"),
        ];
        for text in &variants {
            for value in ["1", "[\n  1,\n]", "<<EOT\nx\nEOT", "\"x\" # why"] {
                let (said, n) = complaints(name, text, value);
                wrong.extend(said);
                n_edits += n;
            }
        }
    }
    assert!(configurations.len() > 300 && n_edits > 10_000, "{} {n_edits}", configurations.len());
    assert!(wrong.is_empty(), "{} of {n_edits}: {}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

/// Chance that repeats.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    fn blank(&mut self) -> &'static str {
        self.of(&["", "", " ", " ", "  ", "\t", "/* c */", " /* c */ ", "/* a\n b */"])
    }

    fn comment(&mut self) -> &'static str {
        self.of(&["", "", "", " ", "  # c", " // c", " /* c */", "/* c */ ", "\t"])
    }

    fn value(&mut self, depth: usize, out: &mut String) {
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0..=2 => out.push_str(self.of(&["1", "\"x\"", "[]", "{}", "null", "a.b", "\"${x}\"", "f(1)"])),
            3 => out.push_str(self.of(&["<<E\nx\nE\n", "<<-E\n  x\n  E\n", "<<E\nE\n"])),
            4 => out.push_str(self.of(&["(1)", "({ a = 1 })", "[\n1\n]", "{ # c\n}", "{\n}", "{ }"])),
            5 => {
                out.push('[');
                for _ in 0..self.below(3) {
                    out.push_str(self.of(&["", " ", "\n", "# c\n"]));
                    self.value(depth - 1, out);
                    out.push_str(self.blank());
                    out.push(',');
                }
                out.push_str(self.of(&["", " ", "\n"]));
                out.push(']');
            }
            _ => {
                out.push('{');
                out.push_str(self.of(&["", " ", "\n", "\n  ", " # c\n", " /* c */ "]));
                for n in 0..self.below(4) {
                    out.push_str(&format!("k{n}"));
                    out.push_str(self.of(&[" = ", "=", ": "]));
                    self.value(depth - 1, out);
                    let blank = self.blank();
                    out.push_str(blank);
                    out.push_str(self.of(&[",", ", ", "\n", ",\n", " # c\n", ", # c\n", "\n\n"]));
                }
                out.push_str(self.of(&["", " ", "\t", "# d\n"]));
                out.push('}');
            }
        }
    }

    fn body(&mut self, depth: usize, out: &mut String) {
        for n in 0..self.below(4) {
            out.push_str(self.of(&["", "", "", "\n", "# before\n", "/* before */ ", "\t", "  ", "\n\n"]));
            if depth == 0 || self.below(3) > 0 {
                out.push_str(&format!("n{n}"));
                out.push_str(self.of(&[" = ", "=", "  ="]));
                self.value(2, out);
                if !out.ends_with('\n') {
                    out.push_str(self.comment());
                    out.push('\n');
                }
            } else {
                out.push_str(self.of(&["b", "c \"l\"", "b x"]));
                out.push_str(self.of(&[" {", "{", "  {", " /* h */ {"]));
                match self.below(3) {
                    0 => out.push_str(self.blank()),
                    1 => {
                        out.push_str(self.blank());
                        out.push_str("a = ");
                        self.value(1, out);
                        out.push_str(self.blank());
                    }
                    _ => {
                        // Blanks behind the brace would say that the block was one line.
                        out.push_str(self.of(&["", "", " # c", "/* c */"]));
                        out.push('\n');
                        self.body(depth - 1, out);
                    }
                }
                out.push('}');
                out.push_str(self.comment());
                out.push('\n');
            }
        }
        out.push_str(self.of(&["", "", "# end\n", "\n"]));
    }
}

#[test]
fn generated_documents_are_left_without_a_trace() {
    let mut wrong = Vec::new();
    let n_documents: u64 = std::env::var("HCL_DOCUMENTS").map_or(3_000, |n| n.parse().expect("a number"));
    let mut n_edits = 0;
    for number in 0..n_documents {
        let mut chance = Chance(number);
        chance.below(2);
        let mut text = String::new();
        chance.body(2, &mut text);
        if chance.below(4) == 0 {
            text = text.replace('\n', "\r\n");
        }
        if chance.below(4) == 0 {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        for value in ["1", "[\n  1,\n]", "<<EOT\nx\nEOT", "\"x\" # why"] {
            let (said, n) = complaints(&number.to_string(), &text, value);
            wrong.extend(said);
            n_edits += n;
        }
    }
    assert!(n_edits as u64 > n_documents, "{n_edits}");
    assert!(wrong.is_empty(), "{} of {n_edits}: {}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

/// The texts that edits are undone in: the corpora, and generated ones.
fn texts() -> Vec<String> {
    let generated = (0..1_500).map(|number| {
        let mut chance = Chance(number);
        chance.below(2);
        let mut text = String::new();
        chance.body(2, &mut text);
        text
    });
    configurations().into_iter().map(|(_, text)| text).chain(generated).collect()
}

/// Everything that can be named, outside in, with the address of what it stands in.
fn items(document: &Document) -> Vec<(Option<Address>, Address)> {
    let mut found = Vec::new();
    let mut containers: Vec<Option<Address>> = vec![None];
    while let Some(container) = containers.pop() {
        for (address, item) in document.list(container.as_ref()).unwrap_or_default() {
            if document.find(&address).len() == 1 {
                let is_object = matches!(item.value().map(Expression::kind), Some(ExpressionKind::Object(_)));
                if is_object || item.value().is_none() {
                    containers.push(Some(address.clone()));
                }
                found.push((container.clone(), address));
            }
        }
    }
    found
}

type Edit<'e> = &'e dyn Fn(&mut Document) -> Result<(), Error>;

/// Makes an edit and the one that takes it back: the text between must parse and keep the pieces that are given, and the
/// text afterwards must be the first. A refused edit must have changed nothing; returns false then.
fn undone(text: &str, kept: [&str; 2], [edit, back]: [Edit<'_>; 2], wrong: &mut Vec<String>) -> bool {
    let mut document = Document::parse("main.hcl", text).expect("a text without errors");
    let is_done = edit(&mut document).is_ok();
    let between = document.text().to_owned();
    if !is_done {
        if between != text {
            wrong.push(format!("refused, but changed:\n{text:?}\n{between:?}"));
        }
        return false;
    }
    let is_kept = between.starts_with(kept[0]) && between.ends_with(kept[1]);
    if !is_kept || Document::parse("main.hcl", between.as_str()).is_err() {
        wrong.push(format!("changed elsewhere:\n{text:?}\n{between:?}"));
    }
    let problems = back(&mut document).err();
    if problems.is_some() || document.text() != text {
        wrong.push(format!("not undone: {problems:?}\n{text:?}\n{between:?}\n{:?}", document.text()));
    }
    true
}

#[test]
fn what_is_renamed_set_appended_and_put_beside_is_undone() {
    let mut wrong = Vec::new();
    let mut n_done = [0; 5];
    for text in texts() {
        let Ok(document) = Document::parse("main.hcl", text) else { continue };
        let text = document.text();
        for (parent, at) in items(&document).into_iter().take(40) {
            let found = document.find(&at)[0];
            let span = found.span();
            let (start, end) = (span.start as usize, span.end as usize);
            let outside = [&text[..start], &text[end..]];
            // The item that has the new name, which is the only one.
            let renamed = |document: &Document| {
                let listed = document.list(parent.as_ref())?;
                let new = listed.into_iter().find(|(_, found)| found.name() == Some(NEW));
                Ok::<_, Error>(new.expect("the new name").0)
            };
            let take_out = |it: &mut Document| it.remove(&renamed(it)?, Reach::One).map(drop);

            let old_name = found.name().expect("what is listed has a name");
            if text[start..].starts_with(old_name) {
                let rename = |it: &mut Document| it.rename(&at, NEW, Reach::One);
                let back = |it: &mut Document| it.rename(&renamed(it)?, old_name, Reach::One);
                n_done[0] += usize::from(undone(text, outside, [&rename, &back], &mut wrong));
            }
            let value = String::from_utf8(document.source_of(found)).expect("a text");
            if found.value().is_some() && !value.contains(['\n', '\r']) {
                let set = |it: &mut Document| it.set(&at, "[\n  0,\n]", Reach::One);
                let back = |it: &mut Document| it.set(&at, &value, Reach::One);
                n_done[1] += usize::from(undone(text, outside, [&set, &back], &mut wrong));
            }
            if found.value().is_none() {
                let block = |it: &mut Document| {
                    it.append_block(Some(&at), NEW, &["x.y"], "a = 1\n", Gap::EmptyLine, Reach::One)
                };
                let back = |it: &mut Document| it.remove(&at.join(NEW), Reach::One).map(drop);
                n_done[2] += usize::from(undone(text, outside, [&block, &back], &mut wrong));
            }
            // Comments belong to the items that they stand above, wherever new ones go.
            let before = |it: &mut Document| it.insert(&at, Side::Before, &format!("{NEW} = 1\n"));
            let kept = ["", &text[start..]];
            n_done[3] += usize::from(undone(text, kept, [&before, &take_out], &mut wrong));
            let after = |it: &mut Document| it.insert(&at, Side::After, &format!("{NEW} {{\n}}\n"));
            let kept = [&text[..end], ""];
            n_done[4] += usize::from(undone(text, kept, [&after, &take_out], &mut wrong));
        }
    }
    assert!(n_done.iter().all(|&n| n > 1_000), "{n_done:?}");
    assert!(wrong.is_empty(), "{} of {n_done:?}: {}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}

#[test]
fn blocks_that_are_appended_are_what_a_parser_sees() {
    let mut n_done = 0;
    for text in texts() {
        let Ok(mut document) = Document::parse("main.hcl", text) else { continue };
        let text = document.text().to_owned();
        for _ in 0..2 {
            document
                .append(None, &format!("\u{feff}# of it\n{NEW} \"x\" {{\n  a = <<E\nE\n}}"))
                .expect("a block");
            document.append(None, "\n").expect("nothing");
        }
        let seen = Document::parse("main.hcl", document.bytes()).expect("what was appended parses");
        let address: Address = format!("{NEW}.x").parse().expect("an address");
        assert_eq!(seen.find(&address).len(), 2, "{text}");
        assert!(document.text().starts_with(text.trim_end_matches(['\r', '\n', ' ', '\t'])), "{text}");
        assert_eq!(document.remove(&address, Reach::All).expect("two blocks"), 2);
        assert_eq!(document.text(), text);
        n_done += 1;
    }
    assert!(n_done > 1_500, "{n_done}");
}

#[test]
fn references_that_are_renamed_are_renamed_back() {
    let mut n_renamed = 0;
    for text in texts() {
        let Ok(mut document) = Document::parse("main.hcl", text) else { continue };
        let text = document.text().to_owned();
        for root in ["var", "local", "each", "data", "a", "x"] {
            let n = document.rename_references(root, NEW).expect("a name");
            assert_eq!(document.text() == text, n == 0, "{root}\n{text}");
            // Whatever is gone was a reference: comments and texts keep the name.
            assert_eq!(document.text().matches(NEW).count(), n, "{root}\n{text}");
            assert_eq!(document.rename_references(NEW, root).expect("a name"), n, "{root}\n{text}");
            assert_eq!(document.text(), text, "{root}");
            n_renamed += n;
        }
    }
    assert!(n_renamed > 900, "{n_renamed}");
}
