//! The parameters of every function of `hcl.h` stand in one order: the object, what goes in, options, what comes out, `diags`.

use std::path::Path;

/// Functions with another order, and why they keep it.
const EXCEPTIONS: [(&str, &str); 2] = [
    (
        "hcl_body_content",
        "`frame` follows `flags`: it came later, and programs and the Go module are compiled with it",
    ),
    ("hcl_scope_user_functions", "`base` follows `flags`, as above"),
];

/// Where a parameter belongs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Object,
    In,
    Options,
    Out,
    Diags,
}

struct Parameter {
    ty: String,
    name: String,
}

struct Function {
    name: String,
    parameters: Vec<Parameter>,
}

fn header() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/hcl.h");
    std::fs::read_to_string(path).expect("include/hcl.h can be read")
}

/// The types of the header of which nothing is known but the name.
fn handles(header: &str) -> Vec<&str> {
    header
        .lines()
        .filter_map(|line| line.strip_prefix("typedef struct hcl_"))
        .filter_map(|rest| rest.strip_suffix(';')?.split(' ').nth(1))
        .collect()
}

fn functions(header: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for declaration in header.split("\nHCL_API").skip(1) {
        let declaration = declaration.split(';').next().unwrap_or_default();
        let (before, parameters) = declaration.split_once('(').expect("a function has parameters");
        let name = before.rsplit([' ', '*', '\n']).next().unwrap_or_default();
        let parameters = parameters.trim_end_matches(')').split(',').map(str::trim).filter(|p| *p != "void");
        let parameters = parameters.map(|parameter| {
            let start = parameter.rfind([' ', '*']).expect("a type and a name") + 1;
            Parameter { ty: parameter[..start].trim().to_owned(), name: parameter[start..].to_owned() }
        });
        found.push(Function { name: name.to_owned(), parameters: parameters.collect() });
    }
    found
}

fn place(parameter: &Parameter, index: usize, handles: &[&str]) -> Place {
    let Parameter { ty, name } = parameter;
    let is_handle =
        |ty: &str| handles.contains(&ty.trim_start_matches("const ").trim_end_matches([' ', '*']));
    let is_options = ty == "const hcl_limits *" || ty.starts_with("const hcl_") && ty.ends_with("_opts *");
    match () {
        () if index == 0 && is_handle(ty) && !ty.ends_with("**") => Place::Object,
        () if ty == "hcl_diags **" && index == 0 => Place::Object,
        () if ty == "hcl_diags **" && name == "diags" => Place::Diags,
        () if name == "flags" || is_options => Place::Options,
        () if ty.starts_with("const ") || !ty.ends_with('*') || ty == "void *" => Place::In,
        () if is_handle(ty) && !ty.ends_with("**") => Place::In,
        () => Place::Out,
    }
}

#[test]
fn parameters_stand_in_one_order() {
    let header = header();
    let handles = handles(&header);
    let functions = functions(&header);
    assert!(functions.len() > 200 && handles.len() > 20, "{} functions, {handles:?}", functions.len());
    for Function { name, parameters } in &functions {
        let places: Vec<Place> =
            parameters.iter().enumerate().map(|(index, p)| place(p, index, &handles)).collect();
        let is_excepted = EXCEPTIONS.iter().any(|(excepted, _)| excepted == name);
        assert_eq!(!places.is_sorted(), is_excepted, "{name}: {places:?}");
    }
    for (name, why) in EXCEPTIONS {
        assert!(functions.iter().any(|function| function.name == name), "there is no {name}, {why}");
    }
}

/// A text is followed by its length, which has its name.
#[test]
fn lengths_are_named_after_their_texts() {
    for Function { name, parameters } in functions(&header()) {
        for pair in parameters.windows(2) {
            if pair[0].ty == "const char *" {
                let named = [format!("{}_len", pair[0].name), "len".to_owned()];
                assert!(named.contains(&pair[1].name), "{name}: {} follows {}", pair[1].name, pair[0].name);
            }
        }
    }
}
