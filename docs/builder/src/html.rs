//! The links of the book as mdBook has made it: each leads to a file, and to a place in it where it names one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::tree::{files, join};

/// The parts of a page that links are about.
#[derive(Default)]
struct Anchored {
    /// Names that links may have behind `#`.
    names: BTreeSet<String>,
    /// Destinations of links, pictures, scripts and styles.
    targets: Vec<String>,
}

/// The links of the HTML files below a folder that lead nowhere. The page for addresses that are not there is left out: its
/// links are those of the root.
///
/// # Errors
/// A file can't be read, or there is none.
pub fn dead_links(folder: &Path) -> Result<Vec<String>, String> {
    let mut pages = BTreeMap::new();
    for path in files(folder, "").into_iter().filter(|path| path.ends_with(".html") && path != "404.html") {
        let text = fs::read_to_string(folder.join(&path)).map_err(|error| format!("{path}: {error}"))?;
        pages.insert(path, anchored(&text));
    }
    if pages.is_empty() {
        return Err(format!("{}: there is no page", folder.display()));
    }
    let mut dead = Vec::new();
    for (page, Anchored { targets, .. }) in &pages {
        for target in targets.iter().filter(|target| !is_elsewhere(target)) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { page.clone() } else { join(page, path) };
            let is_inside = !target.starts_with('/') && !path.starts_with("..");
            let has_anchor = pages.get(&path).is_none_or(|page| page.names.contains(anchor));
            if !is_inside || !folder.join(&path).is_file() || !anchor.is_empty() && !has_anchor {
                dead.push(format!("{page}: {target} leads nowhere"));
            }
        }
    }
    Ok(dead)
}

/// Returns true for a destination that begins with a scheme, such as `https:` or `mailto:`.
fn is_elsewhere(target: &str) -> bool {
    target.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'))
}

/// Reads names and links from the tags of a page. mdBook writes attributes in double quotes, and `<` in texts as an entity.
fn anchored(html: &str) -> Anchored {
    let mut found = Anchored::default();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let tag = &rest[start..];
        let end = tag.find('>').unwrap_or(tag.len());
        for attribute in tag[..end].split_ascii_whitespace() {
            let Some((name, value)) = attribute.split_once("=\"") else { continue };
            let value = value.split('"').next().unwrap_or_default().replace("&amp;", "&");
            match name {
                "id" => _ = found.names.insert(value),
                "href" | "src" => found.targets.push(value),
                _ => {}
            }
        }
        rest = &tag[end..];
        if tag.starts_with("<script") {
            rest = rest.find("</script").map_or("", |end| &rest[end..]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{anchored, is_elsewhere};

    #[test]
    fn destinations_with_a_scheme_lead_elsewhere() {
        assert!(["https://a/b", "mailto:a@b", "data:image/png;base64,"].iter().all(|to| is_elsewhere(to)));
        assert!(!["a.html?u=http://b", "a/b:c.html", "#a:b"].iter().any(|to| is_elsewhere(to)));
    }

    #[test]
    fn names_and_links_are_read_from_tags() {
        let html = "<a href=\"b.html#c&amp;d\">x</a><h1 class=\"t\" id=\"e\">&lt;a href=\"f\"&gt;</h1>\
                    <script src=\"g.js\">\"<a href=\\\"h\\\">\"</script><img alt=\"\" src=\"i.svg\">";
        let found = anchored(html);
        assert_eq!(found.targets, ["b.html#c&d", "g.js", "i.svg"]);
        assert_eq!(found.names.into_iter().collect::<Vec<_>>(), ["e"]);
    }
}
