//! Links and anchors of a Markdown text.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// A link or a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The destination as it is written: a path, an address, an anchor.
    pub target: String,
    /// The bytes of the text that the destination takes. Empty for a reference whose definition stands elsewhere.
    pub place: Range<usize>,
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The links and pictures that the text writes out, in order; autolinks are left out.
pub fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (event, place) in parser(text).into_offset_iter() {
        let Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) =
            event
        else {
            continue;
        };
        if link_type == LinkType::Inline {
            let written = &text[place.clone()];
            // The destination stands behind the text of the link, so the last occurrence is the one.
            let start = written.rfind(&format!("]({dest_url}")).map(|at| place.start + at + 2);
            let place = start.map_or(0..0, |start| start..start + dest_url.len());
            found.push(Link { target: dest_url.into_string(), place });
        } else if matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut) {
            found.push(Link { target: dest_url.into_string(), place: 0..0 });
        }
    }
    found
}

/// The texts of the headings, without markup, each with its level from 1.
pub fn headings(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut heading: Option<(usize, String)> = None;
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level as usize, String::new())),
            Event::End(TagEnd::Heading(_)) => found.extend(heading.take()),
            Event::Text(part) | Event::Code(part) => {
                if let Some((_, text)) = &mut heading {
                    text.push_str(&part);
                }
            }
            _ => {}
        }
    }
    found
}

/// The anchor of a heading, by the rule that forges and mdBook share.
pub fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// The anchors that links may name: one for each heading; the second of the same text ends in `-1`.
pub fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let of = |(_, heading): (usize, String)| {
        let anchor = anchor(&heading);
        let count = seen.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    };
    headings(text).into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::{anchors, links};

    #[test]
    fn links_are_found_where_their_destination_stands() {
        let text = "See [a [b](x.md#y)] and ![p](p.svg).\n\n```text\n[no](no.md)\n```\n\n[later][r] `[c](c.md)`\n\n[r]: r.md\n";
        let found = links(text);
        let targets: Vec<_> = found.iter().map(|link| link.target.as_str()).collect();
        assert_eq!(targets, ["x.md#y", "p.svg", "r.md"]);
        assert_eq!(&text[found[0].place.clone()], "x.md#y");
        assert_eq!(&text[found[1].place.clone()], "p.svg");
    }

    #[test]
    fn anchors_are_those_of_forges() {
        let text = "# What `try` is\n\n## C++\n\n## One, two\n\n## C\n";
        assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), ["c", "c-1", "one-two", "what-try-is"]);
    }
}
