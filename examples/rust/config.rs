//! A daemon's configuration in types of its own: defaults, blocks by label, variants, and complaints of the daemon's own at
//! the places of values, beside those of the library.
//!
//! `cargo run -p hcl-examples --bin config`

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::serde::{Spanned, from_file};
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::{self, Diagnostic, Diagnostics, IntoResult};
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
    port: Spanned<u32>,
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
    show("workers = 1\nlisten \"a\" {\n  port = 443 + 70000\n}\nstore \"memory\" {}\n", &scope)?;
    show("workers = 1\nlisten \"a\" {\n  port = 80\n  tsl {}\n}\nstore \"memory\" {}\n", &scope)
}

/// Prints a configuration, or everything that is wrong with it.
fn show(text: &str, scope: &Arc<Scope>) -> Result<(), Box<dyn Error>> {
    let source = Source::new("demo.hcl", text)?;
    match load(source, scope) {
        Ok(config) => print(&config),
        // An error of this kind shows the source lines.
        Err(problems) => println!("{problems}"),
    }
    Ok(())
}

fn load(source: Source, scope: &Arc<Scope>) -> Result<Config, diagnostic::Error> {
    let file = parse_file(source, &ParseLimits::default()).into_result()?;
    let config = from_file::<Config>(&file, Some(scope), &EvalOptions::default())?;
    check(&config, file.source()).into_result()?;
    Ok(config)
}

/// The daemon's own rules for a configuration.
fn check(config: &Config, source: &Source) -> Diagnostics {
    let mut problems = Diagnostics::new();
    for listen in config.listen.values() {
        if *listen.port >= 65536 {
            let problem = Diagnostic::error("demo.port", "Port out of range", "port must be below 65536.");
            problems.push(match listen.port.range() {
                Some(place) => problem.at(source, source.span_of(place)),
                None => problem,
            });
        }
    }
    problems
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
