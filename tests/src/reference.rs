//! The reference of the functions: its examples evaluated, its pages written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_cli::functions::{Page, asked_for, product_name, since};
use hcl_eval::dialect::{PRODUCTS, Profile, by_name};
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::function::{Function, FunctionTable};
use hcl_eval::reference::{Example, topics};
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

use crate::fake_host::fake_host;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The dialect that an example of a function is evaluated in.
fn table_of(name: &str, example: &Example<'_>) -> Option<Arc<FunctionTable>> {
    let has = |product: &&str| by_name(product).is_some_and(|table| table.get(name).is_some());
    let product = example.dialect.or_else(|| PRODUCTS.into_iter().find(has))?;
    by_name(product).filter(|table| table.get(name).is_some())
}

/// Returns the console's output for an example of a function.
///
/// # Errors
/// No dialect has the function, or the expression can't be read.
pub fn output(name: &str, example: &Example<'_>) -> Result<String, String> {
    let table = table_of(name, example).ok_or_else(|| format!("no dialect has {name}"))?;
    let scope = Scope::builder().functions(table).build();
    let source = Source::new("example", example.input).map_err(|error| error.to_string())?;
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    if let Some(problem) = diagnostics.first() {
        return Err(problem.to_string());
    }
    let host = fake_host();
    let options = EvalOptions { host: Some(&host), ..EvalOptions::default() };
    let (value, diagnostics) = evaluate(parsed.expression(), Some(&scope), &options);
    match diagnostics.first() {
        Some(problem) if has_errors(&diagnostics) => Ok(format!("Error: {}", problem.detail)),
        _ => Ok(value.display_console()),
    }
}

/// The text of a topic with the outputs that its examples have. Examples of functions that no dialect has
/// keep theirs.
pub fn with_outputs(text: &str) -> String {
    let topic = hcl_eval::reference::parse(text);
    let mut examples = topic
        .entries
        .iter()
        .flat_map(|entry| entry.examples.iter().map(|example| (example, output(entry.name, example))));
    let mut out = String::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(input) = line.strip_prefix("> ").filter(|_| inside) {
            let (example, output) = examples.next().expect("as many examples as lines that begin with >");
            assert_eq!(example.input, input, "examples come in the order of the text");
            let output = output.unwrap_or_else(|_| example.output.to_owned());
            out.push_str(&format!("{line}\n{output}\n"));
            continue;
        }
        let fence = line.starts_with("```");
        inside = if fence { line.starts_with("```console") } else { inside };
        if fence || !inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// The file of the page of a function. No system has anything against it.
pub fn page_name(name: &str) -> String {
    format!("{}.md", name.replace("::", "-"))
}

/// The text of the page of a function.
pub fn page(name: &str) -> Result<String, String> {
    let page = Page::find(name, None).map_err(|error| error.to_string())?;
    let mut out = format!("# {name}\n\n");
    for profile in &page.profiles {
        write_profile(name, profile, page.profiles.len() > 1, &mut out);
    }
    if !page.entry.notes.is_empty() {
        let heading = if page.profiles.len() > 1 { "## Notes\n\n" } else { "" };
        out.push_str(&format!("{heading}{}\n\n", page.entry.notes));
    }
    out.push_str("## Examples\n\n");
    let mut examples = page.entry.examples.iter().peekable();
    while let Some(first) = examples.next() {
        if let Some(dialect) = first.dialect.filter(|_| page.profiles.len() > 1) {
            out.push_str(&format!("In {}:\n\n", product_name(dialect)));
        }
        let mut example = first;
        out.push_str("```console\n");
        loop {
            out.push_str(&format!("> {}\n{}\n", example.input, example.output));
            match examples.next_if(|next| next.dialect == first.dialect) {
                Some(next) => example = next,
                None => break,
            }
        }
        out.push_str("```\n\n");
    }
    out.push_str(&format!("Topic: {}. [All functions](README.md)\n", page.topic));
    Ok(out)
}

fn write_profile(name: &str, profile: &Profile, one_of_several: bool, out: &mut String) {
    let function = &profile.function;
    let products = in_words(&profile.products);
    let releases = in_releases(name, &profile.products);
    if one_of_several {
        out.push_str(&format!("## In {products}\n\n"));
    }
    out.push_str(&format!("{}\n\n```text\n{}\n```\n\n", function.description(), function.signature_as(name)));
    for parameter in function.all_parameters() {
        out.push_str(&format!("- `{}`: {}\n", parameter.name, parameter.description));
    }
    if function.all_parameters().next().is_some() {
        out.push('\n');
    }
    if !one_of_several {
        out.push_str(&format!("In {products}."));
    }
    if let Some(capability) = function.needed_capability() {
        let separator = if one_of_several { "" } else { " " };
        let (what, flag) = (asked_for(capability), capability.as_str());
        out.push_str(&format!("{separator}Asks for {what}: `--allow {flag}`."));
    }
    if !out.ends_with("\n\n") {
        out.push_str("\n\n");
    }
    if !releases.is_empty() {
        out.push_str(&format!("Since {releases}.\n\n"));
    }
}

/// The releases of the products that first had a function.
fn in_releases(name: &str, products: &[&'static str]) -> String {
    let of = |(product, release): (&str, String)| format!("{} {release}", product_name(product));
    since(name, products).into_iter().map(of).collect::<Vec<_>>().join(", ")
}

fn in_words(products: &[&str]) -> String {
    let names: Vec<_> = products
        .iter()
        .map(|product| match *product {
            "hcl" => "the language's own library".into(),
            other => product_name(other),
        })
        .collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.to_string(),
        None => String::new(),
    }
}

/// The text of the index.
pub fn index() -> String {
    let mut out = String::from(
        "# Functions\n\nThe functions of Terraform, OpenTofu, Packer, Nomad and of the language's own library \
         (`--dialect hcl`), by topic.\n`hcl functions NAME` shows the same in a terminal. \
         Each column gives the first release known to have the function; `x` under hcl means that it is available. \
         Older releases can be selected, for example `--dialect terraform-1.11`.\n\n",
    );
    for topic in topics() {
        out.push_str(&format!("## {}\n\n{}\n\n", topic.title, topic.introduction).replace("\n\n\n", "\n"));
        out.push_str(
            "| function | | Terraform | OpenTofu | Packer | Nomad | hcl |\n|---|---|:-:|:-:|:-:|:-:|:-:|\n",
        );
        for entry in &topic.entries {
            let functions: Vec<Option<Arc<Function>>> =
                PRODUCTS.iter().map(|product| of(product, entry.name)).collect();
            let description = functions.iter().flatten().next().map_or("", |function| function.description());
            let mark = |(product, function): (&&str, &Option<Arc<Function>>)| match function {
                Some(_) => hcl_eval::dialect::since(product, entry.name).unwrap_or_else(|| "x".to_owned()),
                None => String::new(),
            };
            let mut marks: Vec<String> = PRODUCTS.iter().zip(&functions).map(mark).collect();
            // What Packer has in one place only stands in its column.
            if marks.pop().as_deref() == Some("x") {
                "in defaults".clone_into(&mut marks[2]);
            }
            out.push_str(&format!(
                "| [{}]({}) | {} | {} |\n",
                entry.name,
                page_name(entry.name),
                description,
                marks.join(" | ")
            ));
        }
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

fn of(product: &str, name: &str) -> Option<Arc<Function>> {
    by_name(product)?.get(name).map(Arc::clone)
}
