//! A bill of materials in the form of SPDX 2.3.

use serde_json::{Value, json};

use crate::graph::{Crate, Graph, Id};
use crate::license::{holders, texts};

/// The document, as JSON.
pub(crate) fn document(graph: &Graph, created: u64) -> Result<String, String> {
    let mut packages = Vec::new();
    let mut relationships = Vec::new();
    for one in graph.crates.values() {
        packages.push(package(one)?);
        for other in &one.needs {
            relationships.push(relationship(&reference(&one.id), "DEPENDS_ON", &reference(other)));
        }
    }
    packages.push(json!({
        "SPDXID": "SPDXRef-rust-std",
        "name": "rust-std",
        "versionInfo": graph.rustc,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": false,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "MIT OR Apache-2.0",
        "copyrightText": "the contributors to the Rust project",
    }));
    for root in &graph.roots {
        relationships.push(relationship("SPDXRef-DOCUMENT", "DESCRIBES", &reference(root)));
        relationships.push(relationship(&reference(root), "DEPENDS_ON", "SPDXRef-rust-std"));
    }
    let names: Vec<String> = graph.roots.iter().map(|(name, version)| format!("{name}-{version}")).collect();
    let document = json!({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": names.join("+"),
        "documentNamespace": format!("urn:libhcl:sbom:{}:{created}", names.join("+")),
        "creationInfo": { "created": date(created), "creators": ["Tool: hcl-packaging"] },
        "packages": packages,
        "relationships": relationships,
    });
    let text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn package(one: &Crate) -> Result<Value, String> {
    let (name, version) = &one.id;
    let claims = if one.is_ours { Vec::new() } else { holders(one, &texts(one)?) };
    let mut package = json!({
        "SPDXID": reference(&one.id),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": false,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": one.license,
        "copyrightText": if claims.is_empty() { "NOASSERTION".to_owned() } else { claims.join("\n") },
    });
    if !one.is_ours {
        package["externalRefs"] = json!([{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": format!("pkg:cargo/{name}@{version}"),
        }]);
    }
    if let Some(checksum) = &one.checksum {
        package["checksums"] = json!([{ "algorithm": "SHA256", "checksumValue": checksum }]);
    }
    Ok(package)
}

fn relationship(from: &str, kind: &str, to: &str) -> Value {
    json!({ "spdxElementId": from, "relationshipType": kind, "relatedSpdxElement": to })
}

/// Identifiers have letters, digits, dots and dashes.
fn reference((name, version): &Id) -> String {
    let letters = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    format!("SPDXRef-{}-{}", name.replace(letters_not, "-"), version.chars().map(letters).collect::<String>())
}

fn letters_not(c: char) -> bool {
    !c.is_ascii_alphanumeric()
}

/// Seconds since 1970 as SPDX writes a time.
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the day that some have more is their last.
    let from_0000_03_01 = days + 719_468;
    let era = from_0000_03_01 / 146_097;
    let day_of_era = from_0000_03_01 % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::graph::Selection;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(date(1_700_000_000), "2023-11-14T22:13:20Z");
    }

    #[test]
    fn every_crate_is_listed_once_and_relationships_name_what_is_listed() {
        let selection = Selection { packages: vec!["hcl-ffi".to_owned()], ..Selection::default() };
        let graph = Graph::of(&selection).expect("cargo knows this workspace");
        let text = document(&graph, 1_700_000_000).expect("a document");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let packages = document["packages"].as_array().expect("a list");
        let ids: BTreeSet<&str> = packages.iter().filter_map(|one| one["SPDXID"].as_str()).collect();
        assert_eq!(ids.len(), packages.len());
        assert_eq!(packages.len(), graph.crates.len() + 1, "the standard library is one more");
        for one in graph.foreign() {
            let locator = format!("pkg:cargo/{}@{}", one.id.0, one.id.1);
            assert!(
                packages.iter().any(|package| package["externalRefs"][0]["referenceLocator"] == locator),
                "{locator} is missing"
            );
        }
        for relationship in document["relationships"].as_array().expect("a list") {
            let to = relationship["relatedSpdxElement"].as_str().expect("an identifier");
            let from = relationship["spdxElementId"].as_str().expect("an identifier");
            assert!(ids.contains(to) && (ids.contains(from) || from == "SPDXRef-DOCUMENT"), "{from} {to}");
        }
    }
}
