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
        found.push(page(verb, &format!("# hcl {verb}\n\n```help\n{}\n```\n", text.trim_end())));
    }
    index.push_str(&format!("\n```help\n{}\n```\n", all.trim_end()));
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

/// The verbs that a help text lists, each with what it does.
fn verbs(help: &str) -> impl Iterator<Item = (&str, &str)> {
    let list = help.split_once("Commands:\n").map_or("", |(_, list)| list);
    let lines = list.lines().take_while(|line| !line.is_empty());
    let entries = lines.filter_map(|line| line.trim().split_once("  "));
    entries.map(|(verb, what)| (verb, what.trim())).filter(|(verb, _)| *verb != "help")
}

#[cfg(test)]
mod tests {
    use super::verbs;

    #[test]
    fn verbs_are_read_from_the_help() {
        let help =
            "Usage: x\n\nCommands:\n  eval   Evaluate\n  check  Look\n  help   Print\n\nOptions:\n  -h  no\n";
        assert_eq!(verbs(help).collect::<Vec<_>>(), [("eval", "Evaluate"), ("check", "Look")]);
    }
}
