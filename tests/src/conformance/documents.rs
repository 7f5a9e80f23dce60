//! Whole files: `documents` and `documents_bytes`.

use hcl_cli::batch;
use serde_json::{Map, Value as Json};

use super::Verdict;
use super::judge::{Closeness, ask, diagnostics_agree, list, same, string};

/// A file's diagnostics agree, and what could be understood of it. Of a file that is not UTF-8 the
/// diagnostics alone.
pub(super) fn judge(case: &Json) -> Verdict {
    let mut request = Map::new();
    for key in ["source", "source_base64"] {
        if let Some(source) = case.get(key) {
            request.insert(key.to_owned(), source.clone());
        }
    }
    let answer = ask(batch::check::answer, request);
    let agreed = diagnostics_agree(case, &answer, Closeness::Starts).and_then(|()| {
        if case.get("source").is_some() { body_agrees(&case["body"], &answer["body"]) } else { Ok(()) }
    });
    Verdict::of(agreed)
        .and_strictly(|| diagnostics_agree(case, &answer, Closeness::Ranges))
        .and_strictly(|| ranges_agree(&case["body"], &answer["body"]))
}

/// Names, expressions and where names stand; types, labels and bodies of blocks.
fn body_agrees(wanted: &Json, got: &Json) -> Result<(), String> {
    let wanted_attributes: Vec<_> = sound_attributes(wanted).collect();
    let names: Vec<_> = wanted_attributes.iter().map(|attribute| string(attribute, "name")).collect();
    let outline = |attribute: &Json| {
        (
            string(attribute, "name").to_owned(),
            string(attribute, "expr").to_owned(),
            attribute["name_range"]["start"].to_string(),
        )
    };
    let w: Vec<_> = wanted_attributes.iter().map(|attribute| outline(attribute)).collect();
    let got_attributes = list(got, "attributes").iter();
    let g: Vec<_> =
        got_attributes.filter(|attribute| names.contains(&string(attribute, "name"))).map(outline).collect();
    if w != g {
        return Err(format!("attributes {g:?} wanted {w:?}"));
    }
    let header = |block: &Json| (block["type"].to_string(), block["labels"].to_string());
    let blocks = |body| list(body, "blocks").iter().map(header).collect::<Vec<_>>();
    if blocks(wanted) != blocks(got) {
        return Err(format!("blocks {:?} wanted {:?}", blocks(got), blocks(wanted)));
    }
    let mut pairs = list(wanted, "blocks").iter().zip(list(got, "blocks"));
    pairs.try_for_each(|(wanted, got)| body_agrees(&wanted["body"], &got["body"]))
}

/// Attributes but those of which the reference lost the end.
fn sound_attributes(body: &Json) -> impl Iterator<Item = &Json> {
    let ends = |attribute: &&Json| attribute["expr_range"]["end"]["line"].as_u64() != Some(0);
    list(body, "attributes").iter().filter(ends)
}

/// All ranges of a body.
fn ranges_agree(wanted: &Json, got: &Json) -> Result<(), String> {
    for attribute in sound_attributes(wanted) {
        let same_name = |other: &&Json| other["name"] == attribute["name"];
        let other = list(got, "attributes").iter().find(same_name).unwrap_or(&Json::Null);
        same_ranges(attribute, other, &["range", "name_range", "expr_range"])?;
    }
    for (wanted, got) in list(wanted, "blocks").iter().zip(list(got, "blocks")) {
        let keys = ["range", "type_range", "label_ranges", "open_brace_range", "close_brace_range"];
        same_ranges(wanted, got, &keys)?;
        ranges_agree(&wanted["body"], &got["body"])?;
    }
    Ok(())
}

fn same_ranges(wanted: &Json, got: &Json, keys: &[&str]) -> Result<(), String> {
    match keys.iter().find(|key| !same(&wanted[**key], &got[**key])) {
        None => Ok(()),
        Some(key) => Err(format!("{key} {} wanted {}", got[*key], wanted[*key])),
    }
}
