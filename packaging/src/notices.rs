//! Notices: the crates inside, their licences and the texts that these want to be handed on.

use std::fmt::Write as _;

use crate::graph::Graph;
use crate::license::{evened, texts};

/// The line between two texts.
const RULE: &str = "--------------------------------------------------------------------------------";

/// A page of text.
pub(crate) fn text(graph: &Graph) -> Result<String, String> {
    let mut page = String::from("Third-party notices\n\n");
    let roots: Vec<String> = graph.roots.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let _ = writeln!(page, "{} contains code of, or tables made of, these packages.\n", roots.join(", "));
    for one in graph.foreign() {
        let named = format!("{} {}", one.id.0, one.id.1);
        let _ = writeln!(page, "{named:30} {}", one.license);
        if let Some(repository) = &one.repository {
            let _ = writeln!(page, "{:30} {repository}", "");
        }
    }
    let _ = writeln!(
        page,
        "\nIt also contains parts of the Rust standard library of {}, copyright of the contributors to the Rust\n\
         project, under the MIT license or the Apache License 2.0; their texts stand below.",
        graph.rustc
    );
    for (content, users) in grouped(graph)? {
        let _ = write!(page, "\n{RULE}\n{}\n\n{}\n", users.join("\n"), content.trim_end());
    }
    Ok(page)
}

/// Each text once, with what it is the text of: names of files and crates.
fn grouped(graph: &Graph) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut groups: Vec<(String, String, Vec<String>)> = Vec::new();
    for one in graph.foreign() {
        for text in texts(one)? {
            let user = format!("{} of {} {}", text.file, one.id.0, one.id.1);
            let key = evened(&text.content);
            match groups.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, _, users)) => users.push(user),
                None => groups.push((key, text.content, vec![user])),
            }
        }
    }
    Ok(groups.into_iter().map(|(_, content, users)| (content, users)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Selection;

    #[test]
    fn every_crate_is_named_with_its_texts() {
        let selection = Selection { packages: vec!["hcl-ffi".to_owned()], ..Selection::default() };
        let mut graph = Graph::of(&selection).expect("cargo knows this workspace");
        let page = text(&graph).expect("every crate has a text");
        for one in graph.foreign() {
            let named = format!("{} {}", one.id.0, one.id.1);
            assert!(page.lines().any(|line| line.starts_with(&named)), "{named} is not in the list");
            assert!(page.contains(&format!("of {named}\n")), "{named} is without a text");
        }
        let nom = graph.crates.keys().find(|id| id.0 == "nom").cloned().expect("the parser is inside");
        graph.crates.remove(&nom);
        assert!(!text(&graph).expect("the others have texts").contains("of nom "));
    }
}
