//! A daemon's configuration in types of its own: defaults, blocks by label, variants, places for later complaints.
//!
//! `cargo run -p hcl-examples --bin config`

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::serde::{Spanned, from_file};
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::render::{RenderOptions, render_all};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use serde::Deserialize;

const CONFIGURATION: &str = r#"
workers = 2 * cpus

listen "public" {
  port = 443
  tls {
    certificate = "/etc/${name}/tls.pem"
  }
}

listen "admin" {
  port = 9000
}

store "disk" {
  path = "/var/lib/${name}"
}
"#;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Config {
    workers: u32,
    #[serde(default = "info")]
    log_level: String,
    listen: BTreeMap<String, Listen>,
    store: Store,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Listen {
    port: Spanned<u16>,
    tls: Option<Tls>,
}

#[derive(Deserialize, Debug)]
struct Tls {
    certificate: String,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Store {
    Memory {},
    Disk { path: String },
}

fn info() -> String {
    "info".to_owned()
}

fn main() -> Result<(), Box<dyn Error>> {
    let scope = Scope::builder()
        .functions(dialect::hcl())
        .variable("name", Value::string("demo"))
        .variable("cpus", Value::int(4))
        .build();
    show(CONFIGURATION, &scope)?;
    show("workers = \"many\"\n", &scope)?;
    show("workers = 1\nlisten \"a\" {\n  port = 80\n  tsl {}\n}\nstore \"memory\" {}\n", &scope)
}

/// Prints a configuration, or everything that is wrong with it.
fn show(text: &str, scope: &Arc<Scope>) -> Result<(), Box<dyn Error>> {
    let source = Source::new("demo.hcl", text)?;
    let (file, mut diagnostics) = parse_file(source, &ParseLimits::default());
    if diagnostics.is_empty() {
        match from_file::<Config>(&file, Some(scope), &EvalOptions::default()) {
            Ok(config) => print(&config),
            Err(problems) => diagnostics = problems,
        }
    }
    let mut shown = String::new();
    render_all(&diagnostics, &RenderOptions::default(), &mut shown);
    print!("{shown}");
    Ok(())
}

fn print(config: &Config) {
    println!("{} workers, log level {}", config.workers, config.log_level);
    for (name, listen) in &config.listen {
        let certificate = listen.tls.as_ref().map_or("no certificate", |tls| &tls.certificate);
        let place = listen.port.range().map(ToString::to_string).unwrap_or_default();
        println!("{name}: port {} (said at {place}), {certificate}", *listen.port);
    }
    match &config.store {
        Store::Memory {} => println!("nothing is kept"),
        Store::Disk { path } => println!("kept in {path}"),
    }
}
