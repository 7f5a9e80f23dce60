//! Copies of the files that pages lead to and that are no pages, so that a book stands on its own.

use std::collections::BTreeMap;
use std::path::Path;

use crate::tree::files;

/// The files beside the pages.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sources {
    /// Paths in the book, and the files of the tree that are copied there.
    pub copies: BTreeMap<String, String>,
    /// Paths in the book, and the pages that list the files of a folder.
    pub listings: BTreeMap<String, String>,
}

impl Sources {
    /// The path in the book of a file or folder of the tree, which is copied.
    pub fn take(&mut self, root: &Path, origin: &str) -> String {
        if !root.join(origin).is_dir() {
            return self.copy(origin);
        }
        let place = format!("source/{origin}/index.html");
        if !self.listings.contains_key(&place) {
            let mut list = String::new();
            for file in files(root, origin) {
                self.copy(&file);
                let name = &file[origin.len() + 1..];
                list.push_str(&format!("<li><a href=\"{}\">{name}</a></li>\n", shown(name)));
            }
            let text = format!(
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
                 <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
                 <meta name=\"color-scheme\" content=\"light dark\"><title>{origin}</title></head>\n\
                 <body><h1>{origin}</h1>\n<ul>\n{list}</ul></body></html>\n"
            );
            self.listings.insert(place.clone(), text);
        }
        place
    }

    fn copy(&mut self, origin: &str) -> String {
        let place = format!("source/{}", shown(origin));
        self.copies.insert(place.clone(), origin.to_owned());
        place
    }
}

/// The name of a copy: browsers show texts by their ending. mdBook takes a link with `.md` anywhere in it for one to a page.
fn shown(name: &str) -> String {
    let pictures = [".svg", ".png", ".txt"];
    match name.strip_suffix(".md") {
        Some(stem) => format!("{stem}.markdown.txt"),
        None if pictures.iter().any(|ending| name.ends_with(ending)) => name.to_owned(),
        None => format!("{name}.txt"),
    }
}
