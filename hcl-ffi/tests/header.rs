//! `include/hcl.h` is what cbindgen makes of the sources now. `HCL_UPDATE=1 cargo test -p hcl-ffi --test header`
//! writes it anew, and the list of what the library exports, `debian/libhcl0.1.symbols`.

mod sections;

use std::path::Path;

fn generated() -> String {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config =
        cbindgen::Config::from_file(crate_dir.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let bindings = cbindgen::Builder::new().with_crate(crate_dir).with_config(config).generate();
    let mut header = Vec::new();
    bindings.expect("the sources can be read").write(&mut header);
    sections::arrange(&String::from_utf8(header).expect("the header is text"))
}

fn committed() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/hcl.h")
}

#[test]
fn the_committed_header_is_current() {
    let generated = generated();
    if std::env::var_os("HCL_UPDATE").is_some() {
        std::fs::write(committed(), &generated).expect("include/hcl.h can be written");
    }
    let committed = std::fs::read_to_string(committed()).expect("include/hcl.h can be read");
    assert!(
        committed == generated,
        "include/hcl.h is stale: HCL_UPDATE=1 cargo test -p hcl-ffi --test header"
    );
}

#[test]
fn the_version_macros_are_the_version_of_the_package() {
    let header = generated();
    let parts = [
        ("MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        ("MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        ("PATCH", env!("CARGO_PKG_VERSION_PATCH")),
    ];
    let mut number = 0;
    for (name, value) in parts {
        assert!(
            header.contains(&format!("#define HCL_VERSION_{name} {value}\n")),
            "HCL_VERSION_{name} is not {value}"
        );
        number = number << 8 | value.parse::<u32>().expect("a number");
    }
    assert!(header.contains(&format!("#define HCL_VERSION {number}\n")), "HCL_VERSION is not {number}");
}

/// Debian wants to know in which version a symbol came: those of the committed list keep theirs, new ones have the present one.
#[test]
fn the_committed_list_of_symbols_is_current() {
    let version = env!("CARGO_PKG_VERSION");
    let interface = env!("HCL_INTERFACE");
    let file = format!("debian/libhcl{interface}.symbols");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&file);
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let mut names: Vec<String> = sections::exports().into_iter().flat_map(|(_, names)| names).collect();
    names.sort();
    let mut list =
        format!("libhcl.so.{interface} libhcl{interface} #MINVER#\n* Build-Depends-Package: libhcl-dev\n");
    for name in names {
        let symbol = format!(" {name}@Base ");
        let since = committed.lines().find_map(|line| line.strip_prefix(&symbol)).unwrap_or(version);
        list.push_str(&format!("{symbol}{since}\n"));
        assert!(numbers(since) <= numbers(version), "{name} came in {since}, which is after {version}");
    }
    if std::env::var_os("HCL_UPDATE").is_some() {
        std::fs::write(&path, &list).expect("the list can be written");
    }
    assert!(
        std::fs::read_to_string(&path).expect("the list can be read") == list,
        "{file} is stale: HCL_UPDATE=1 cargo test -p hcl-ffi --test header"
    );
}

/// The three numbers of a version.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().expect("a version has numbers")).collect()
}

#[test]
fn every_function_is_in_a_section() {
    let listed: Vec<String> = sections::listed().into_iter().flat_map(|section| section.modules).collect();
    let exported: Vec<String> = sections::exports().into_iter().map(|(file, _)| file).collect();
    for file in &exported {
        assert!(listed.contains(file), "{file}.rs exports functions; say in sections.md where they belong");
    }
    for file in &listed {
        assert!(exported.contains(file), "sections.md lists {file}.rs, which exports nothing");
    }
}

/// The lines of the header's table of contents, without their numbers.
fn contents(header: &str) -> Vec<&str> {
    let table = header.split(" * CONTENTS\n *\n").nth(1).expect("a table of contents");
    let entries = table.lines().take_while(|line| line.trim() != "*");
    entries
        .map(|line| line.trim_start_matches([' ', '*']).split_once("  ").expect("a number and a title").1)
        .collect()
}

#[test]
fn the_contents_are_the_sections() {
    let header = generated();
    let titles: Vec<&str> = header
        .split("\\defgroup ")
        .skip(1)
        .map(|section| section.lines().next().and_then(|line| line.split_once(' ')).expect("a title").1)
        .collect();
    assert!(titles.len() > 20, "the header has only {} sections", titles.len());
    assert_eq!(contents(&header), titles);
}
