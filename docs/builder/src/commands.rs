//! The reference of the command: a page for each verb, which is its help.

use crate::Page;

/// Gives what `hcl` prints for arguments.
pub type Help<'a> = &'a dyn Fn(&[&str]) -> Result<String, String>;

/// The pages: that of the command first, then its verbs.
///
/// # Errors
/// The command can't be asked.
pub fn pages(help: Help<'_>) -> Result<Vec<Page>, String> {
    let all = help(&["--help"])?;
    let mut index = String::from("# The command\n\n");
    let mut found = Vec::new();
    for (verb, what) in verbs(&all) {
        index.push_str(&format!("- [`hcl {verb}`]({verb}.md): {what}\n"));
        let text = help(&[verb, "--help"])?;
        found.push(page(verb, &format!("# hcl {verb}\n\n```help\n{}```\n", wrapped(&text))));
    }
    index.push_str(&format!("\n```help\n{}```\n", wrapped(&all)));
    found.insert(0, page("README", &index));
    Ok(found)
}

fn page(name: &str, text: &str) -> Page {
    Page {
        origin: format!("docs/generated/command/{name}.md"),
        path: format!("command/{name}.md"),
        text: text.to_owned(),
    }
}

/// How many columns a line of help has in the book; in a terminal it is as long as its paragraph.
const COLUMNS: usize = 100;

/// A help text in lines of at most [`COLUMNS`], each as far from the edge as the paragraph that it is of.
fn wrapped(help: &str) -> String {
    let mut out = String::new();
    for line in help.trim_end().lines() {
        let text = line.trim_start();
        let margin = " ".repeat(line.len() - text.len());
        let mut width = 0;
        // Blanks between words stand for themselves: they align the lists of verbs and values.
        for word in text.split_inclusive(' ') {
            let n_columns = word.trim_end().chars().count();
            if width > 0 && width + n_columns > COLUMNS {
                out.truncate(out.trim_end().len());
                out.push('\n');
                width = 0;
            }
            if width == 0 {
                out.push_str(&margin);
                width = margin.len();
            }
            out.push_str(word);
            width += word.chars().count();
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

/// The verbs that a help text lists, each with what it does.
fn verbs(help: &str) -> impl Iterator<Item = (&str, &str)> {
    let list = help.split_once("Commands:\n").map_or("", |(_, list)| list);
    let lines = list.lines().take_while(|line| !line.is_empty());
    let entries = lines.filter_map(|line| line.trim().split_once("  "));
    entries.map(|(verb, what)| (verb, what.trim())).filter(|(verb, _)| *verb != "help")
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, verbs, wrapped};

    #[test]
    fn long_lines_of_help_are_wrapped_within_their_margin() {
        let help =
            format!("Options:\n      --long\n          {}\n\n  -h  no\n", "word ".repeat(30).trim_end());
        let wrapped = wrapped(&help);
        let lines: Vec<_> = wrapped.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= COLUMNS), "{wrapped}");
        assert_eq!(lines[2], format!("          {}", "word ".repeat(18).trim_end()));
        assert_eq!(lines[3], format!("          {}", "word ".repeat(12).trim_end()));
        assert_eq!(lines[4..], ["", "  -h  no"]);
    }

    #[test]
    fn verbs_are_read_from_the_help() {
        let help =
            "Usage: x\n\nCommands:\n  eval   Evaluate\n  check  Look\n  help   Print\n\nOptions:\n  -h  no\n";
        assert_eq!(verbs(help).collect::<Vec<_>>(), [("eval", "Evaluate"), ("check", "Look")]);
    }
}
