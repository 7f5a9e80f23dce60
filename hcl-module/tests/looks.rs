//! How often work on modules, templates and jobs looks at the clock, whatever the text is.
//!
//! The token of these tests is asked at every look, and measures how long the thread has worked since the one before.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(clippy::print_stdout, reason = "what a failed test measured is of use")]
#![allow(clippy::too_many_lines, reason = "the cases are tables")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;
#[path = "../../tests/watched.rs"]
mod watched;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use hcl_eval::eval::{EvalOptions, Evaluation};
use hcl_eval::limits::{CancelToken, Limits};
use hcl_module::nomad::{self, Job, JobOptions};
use hcl_module::packer::{Template, TemplateOptions};
use hcl_module::{Given, LoadOptions, Module, ResourceValue, TextFiles, body_value};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::ParseLimits;

use watched::{LONGEST_GAP, lateness, token, watched};

fn limits() -> Limits {
    Limits { cancel: Some(token()), ..Limits::default() }
}

fn parse_limits() -> ParseLimits {
    ParseLimits { cancel: Some(token()), ..ParseLimits::default() }
}

/// So many declarations: `make test-slow` has twice as many as `make test`.
static N: LazyLock<usize> =
    LazyLock::new(|| if std::env::var_os("HCL_SLOW").is_some() { 20_000 } else { 10_000 });

fn lines(line: impl Fn(usize) -> String) -> String {
    (0..*N).map(line).collect()
}

fn joined(separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..*N).map(item).collect::<Vec<_>>().join(separator)
}

/// The longest times without a look, by the work.
#[derive(Default)]
struct Gaps(Vec<String>);

impl Gaps {
    /// Runs work, of which what it makes is released apart.
    fn measure<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let (made, took, gap) = watched(work);
        println!("{name}: {took:?}, no look for {gap:?}");
        if gap > LONGEST_GAP {
            self.0.push(format!("{name}: no look for {gap:?}"));
        }
        made
    }

    fn module(&mut self, name: &str, file: &str, text: String, options: &LoadOptions<'_>) {
        let files = TextFiles::from_iter([(file, text)]);
        let options = LoadOptions { parse_limits: parse_limits(), limits: limits(), ..options.clone() };
        let (module, problems) = self.measure(&format!("load {name}"), || Module::load(&files, &options));
        let evaluation = EvalOptions { limits: limits(), ..EvalOptions::default() };
        let more = self.measure(&format!("check {name}"), || module.check(&evaluation));
        println!("    {} and {} problems", problems.len(), more.len());
    }

    fn template(&mut self, name: &str, file: &str, text: String, options: &TemplateOptions<'_>) {
        let files = TextFiles::from_iter([(file, text)]);
        let evaluation = EvalOptions { limits: limits(), ..EvalOptions::default() };
        let options = TemplateOptions {
            parse_limits: parse_limits(),
            evaluation: evaluation.clone(),
            ..options.clone()
        };
        let (template, problems) =
            self.measure(&format!("read {name}"), || Template::read(".", &files, &options));
        let blotted = self.measure(&format!("blot {name}"), || {
            template.secrets().blot_diagnostics(problems.clone(), &mut Evaluation::new(&evaluation))
        });
        assert_eq!(blotted.len(), problems.len());
        let (builds, more) = self.measure(&format!("builds {name}"), || template.builds(&evaluation));
        drop(builds);
        let (whole, _) = self.measure(&format!("structure {name}"), || template.structure(&evaluation));
        println!("    {} and {} problems, {}", problems.len(), more.len(), whole.is_some());
    }

    fn job(&mut self, name: &str, text: String, given: Vec<Given>) {
        let (body, _) = nomad::parse("a.nomad", text.into(), &parse_limits()).unwrap();
        let options = JobOptions { given, parse_limits: parse_limits(), ..JobOptions::default() };
        let evaluation = EvalOptions { limits: limits(), ..EvalOptions::default() };
        let (job, problems) = self.measure(&format!("open {name}"), || {
            Job::open(&body, &TextFiles::default(), &options, &mut Evaluation::new(&evaluation))
        });
        let more = self.measure(&format!("check {name}"), || job.check(&mut Evaluation::new(&evaluation)));
        let mut evaluation = Evaluation::new(&evaluation);
        let (body, _) = self.measure(&format!("evaluate {name}"), || job.evaluate(&mut evaluation));
        let whole = self.measure(&format!("value {name}"), || body_value(&body, &mut evaluation));
        println!("    {} and {} problems, {}", problems.len(), more.len(), whole.is_ok());
    }
}

#[test]
fn work_on_modules_looks_often() {
    let mut gaps = Gaps::default();
    let plain = LoadOptions::default();
    let planned = LoadOptions { planned: true, ..LoadOptions::default() };
    let same = |block: &str| lines(|_| format!("{block}\n"));
    let cases: &[(&str, String)] = &[
        ("variables", lines(|n| format!("variable \"v{n}\" {{\n  default = {n}\n}}\n"))),
        ("outputs", lines(|n| format!("output \"o{n}\" {{\n  value = {n}\n}}\n"))),
        ("locals", format!("locals {{\n{}}}\n", lines(|n| format!("a{n} = {n}\n")))),
        ("resources", lines(|n| format!("resource \"t\" \"r{n}\" {{\n  a = {n}\n}}\n"))),
        (
            "a resource",
            format!(
                "resource \"t\" \"r\" {{\n{}}}\noutput \"o\" {{\n value = t.r\n}}\n",
                lines(|n| format!("a{n} = {n}\n"))
            ),
        ),
        (
            "blocks of a resource",
            format!("resource \"t\" \"r\" {{\n{}}}\n", lines(|n| format!("b{n} {{ }}\n"))),
        ),
        ("providers", lines(|n| format!("provider \"p\" {{\n  alias = \"a{n}\"\n}}\n"))),
        (
            "checks",
            lines(|n| {
                format!(
                    "check \"c{n}\" {{\n  assert {{\n    condition = true\n    error_message = \"x\"\n  }}\n}}\n"
                )
            }),
        ),
        ("moved", lines(|n| format!("moved {{\n  from = t.a{n}\n  to = t.b{n}\n}}\n"))),
        ("same variables", same("variable \"v\" {}")),
        ("same outputs", same("output \"v\" {\n  value = 1\n}")),
        ("same resources", same("resource \"t\" \"v\" {}")),
        ("same providers", same("provider \"v\" {}")),
        ("same locals", same("locals {\n  a = 1\n}")),
        (
            "depends_on",
            format!(
                "resource \"t\" \"r\" {{\n  depends_on = [{}]\n}}\n{}",
                joined(", ", |n| format!("t.r{n}")),
                lines(|n| format!("resource \"t\" \"r{n}\" {{}}\n"))
            ),
        ),
        (
            "depends_on of an output",
            format!(
                "output \"o\" {{\n  value = 1\n  depends_on = [{}]\n}}\n{}",
                joined(", ", |n| format!("t.r{n}")),
                lines(|n| format!("resource \"t\" \"r{n}\" {{}}\n"))
            ),
        ),
        (
            "depends_on nothing",
            format!(
                "output \"o\" {{\n  value = 1\n  depends_on = [{}]\n}}\n",
                joined(", ", |n| format!("t.r{n}"))
            ),
        ),
        (
            "depends_on numbers",
            format!(
                "output \"o\" {{\n  value = 1\n  depends_on = [{}]\n}}\n",
                joined(", ", |n| format!("{n}"))
            ),
        ),
        (
            "ignore_changes",
            format!(
                "resource \"t\" \"r\" {{\n  lifecycle {{\n    ignore_changes = [{}]\n  }}\n}}\n",
                joined(", ", |n| format!("a{n}"))
            ),
        ),
        (
            "conditions",
            format!(
                "variable \"v\" {{\n{}}}\n",
                lines(|_| "validation {\n condition = var.v != 1\n error_message = \"x\"\n}\n".to_owned())
            ),
        ),
        (
            "required providers",
            format!(
                "terraform {{\n  required_providers {{\n{}}}\n}}\n",
                lines(|n| format!("p{n} = {{ source = \"a/b\" }}\n"))
            ),
        ),
        (
            "providers of a call",
            format!(
                "module \"m\" {{\n  source = \"./m\"\n  providers = {{\n{}}}\n}}\n",
                lines(|n| format!("p{n} = q.a{n}\n"))
            ),
        ),
        (
            "arguments of a call",
            format!("module \"m\" {{\n  source = \"./m\"\n{}}}\n", lines(|n| format!("p{n} = {n}\n"))),
        ),
        (
            "wrong names",
            format!(
                "locals {{\n o = {{ {} }}\n w = [{}]\n}}\n",
                joined(", ", |n| format!("a{n} = {n}")),
                joined(", ", |n| format!("local.o.b{n}"))
            ),
        ),
        (
            "undeclared",
            format!(
                "locals {{\n{}\n w = [{}]\n}}\n",
                lines(|n| format!("a{n} = {n}\n")),
                joined(", ", |n| format!("local.b{n}"))
            ),
        ),
        ("errors of locals", format!("locals {{\n{}}}\n", lines(|n| format!("a{n} = {n} + {{}}\n")))),
        (
            "all locals",
            format!(
                "locals {{\n{}\n all = [{}]\n}}\n",
                lines(|n| format!("a{n} = {n}\n")),
                joined(", ", |n| format!("local.a{n}"))
            ),
        ),
        ("a long list", format!("locals {{\n a = [{}]\n}}\n", "1,".repeat(10 * *N))),
        (
            "references of a resource",
            format!(
                "resource \"t\" \"r\" {{\n{}}}\nresource \"t\" \"s\" {{}}\n",
                lines(|n| format!("a{n} = t.s\n"))
            ),
        ),
        (
            "attributes that are taken",
            format!(
                "resource \"t\" \"r\" {{\n count = 10\n}}\nresource \"t\" \"s\" {{}}\noutput \"o\" {{\n value = [{}]\n}}\n",
                joined(", ", |n| format!("t.s.a{n}"))
            ),
        ),
    ];
    for (name, text) in cases {
        gaps.module(name, "main.tf", text.clone(), &plain);
        gaps.module(&format!("{name}, planned"), "main.tf", text.clone(), &planned);
    }
    let json: &[(&str, String)] = &[
        (
            "JSON variables",
            format!("{{\"variable\": {{{}}}}}", joined(", ", |n| format!("\"v{n}\": {{\"default\": {n}}}"))),
        ),
        (
            "JSON outputs",
            format!("{{\"output\": {{{}}}}}", joined(", ", |n| format!("\"v{n}\": {{\"value\": {n}}}"))),
        ),
        ("JSON locals", format!("{{\"locals\": {{{}}}}}", joined(", ", |n| format!("\"v{n}\": {n}")))),
        (
            "JSON resources",
            format!(
                "{{\"resource\": {{\"t\": {{{}}}}}}}",
                joined(", ", |n| format!("\"v{n}\": {{\"value\": {n}}}"))
            ),
        ),
        (
            "JSON resource",
            format!(
                "{{\"resource\": {{\"t\": {{\"r\": {{{}}}}}}}}}",
                joined(", ", |n| format!("\"v{n}\": {n}"))
            ),
        ),
    ];
    for (name, text) in json {
        gaps.module(name, "main.tf.json", text.clone(), &plain);
        gaps.module(&format!("{name}, planned"), "main.tf.json", text.clone(), &planned);
    }
    let wrong = (0..*N / 8).map(|n| Given::Assignment(format!("w{n}=1"))).collect();
    gaps.module(
        "wrong assignments",
        "main.tf",
        cases[0].1.clone(),
        &LoadOptions { given: wrong, ..plain.clone() },
    );
    let right = (0..*N).map(|n| Given::Assignment(format!("v{n}=1"))).collect();
    gaps.module("assignments", "main.tf", cases[0].1.clone(), &LoadOptions { given: right, ..plain.clone() });
    let value = |address: String| ResourceValue { address, value: hcl_eval::Value::count(1) };
    let wrong = (0..*N / 8).map(|n| value(format!("t.w{n}"))).collect();
    gaps.module(
        "wrong resource values",
        "main.tf",
        cases[3].1.clone(),
        &LoadOptions { resource_values: wrong, ..plain.clone() },
    );
    let right = (0..*N).map(|n| value(format!("t.r{n}"))).collect();
    gaps.module(
        "resource values",
        "main.tf",
        cases[3].1.clone(),
        &LoadOptions { resource_values: right, ..plain.clone() },
    );
    assert!(gaps.0.is_empty(), "{:#?}", gaps.0);
}

#[test]
fn modules_that_are_called_often_are_loaded_with_looks() {
    let mut gaps = Gaps::default();
    let calls: String = (0..90).map(|n| format!("module \"m{n}\" {{\n  source = \"./a\"\n}}\n")).collect();
    let variables = lines(|n| format!("variable \"v{n}\" {{\n  default = 1\n}}\n"));
    let names: String =
        (0..300).map(|n| format!("p{n} = {{ source = \"terraform.io/builtin/terraform\" }}\n")).collect();
    let names = format!("terraform {{\n  required_providers {{\n{names}}}\n}}\n");
    for (what, text) in [("variables", variables), ("names of the products' own provider", names)] {
        let files = TextFiles::from_iter([("main.tf", calls.clone()), ("a/main.tf", text)]);
        let options =
            LoadOptions { parse_limits: parse_limits(), limits: limits(), ..LoadOptions::default() };
        let (_, problems) = gaps.measure(what, || Module::load(&files, &options));
        assert!(problems.is_empty(), "{problems:?}");
    }
    assert!(gaps.0.is_empty(), "{:#?}", gaps.0);
}

/// Of an address only the beginning tells whether it is one of an output.
#[test]
fn addresses_of_many_steps_are_read_with_looks() {
    let mut gaps = Gaps::default();
    let (module, _) =
        Module::load(&TextFiles::from_iter([("main.tf", "locals {\n  a = 1\n}\n")]), &LoadOptions::default());
    let address = format!("local.a{}", ".a".repeat(100 * *N));
    let options =
        EvalOptions { limits: Limits { max_memory: u64::MAX, ..limits() }, ..EvalOptions::default() };
    let (value, problems) = gaps.measure("address", || module.evaluate_address(&address, &options));
    assert!(value.is_none() && problems.len() == 1, "{problems:?}");
    assert!(gaps.0.is_empty(), "{:#?}", gaps.0);
}

#[test]
fn work_on_templates_looks_often() {
    let mut gaps = Gaps::default();
    let plain = TemplateOptions::default();
    let source = "source \"null\" \"x\" {}\n";
    let cases: &[(&str, String)] = &[
        ("variables", lines(|n| format!("variable \"v{n}\" {{\n  default = {n}\n}}\n"))),
        (
            "sensitive variables",
            lines(|n| format!("variable \"v{n}\" {{\n  default = \"secret{n}\"\n sensitive = true\n}}\n")),
        ),
        ("locals", format!("locals {{\n{}}}\n", lines(|n| format!("a{n} = {n}\n")))),
        (
            "secrets beside errors",
            format!(
                "{}locals {{\n w = [{}]\n}}\n",
                lines(|n| format!("variable \"v{n}\" {{\n default = \"secret{n}\"\n sensitive = true\n}}\n")),
                joined(", ", |n| format!("\"secrets {n}\" + {{}}"))
            ),
        ),
        ("local blocks", lines(|n| format!("local \"a{n}\" {{\n expression = {n}\n}}\n"))),
        ("locals of locals", format!("locals {{\na = 1\n{}}}\n", lines(|n| format!("a{n} = local.a\n")))),
        ("data", lines(|n| format!("data \"t\" \"a{n}\" {{\n x = {n}\n}}\n"))),
        ("a data source", format!("data \"t\" \"a\" {{\n{}}}\n", lines(|n| format!("a{n} = {n}\n")))),
        ("sources", lines(|n| format!("source \"t\" \"a{n}\" {{\n x = {n}\n}}\n"))),
        ("same sources", lines(|_| source.to_owned())),
        ("same locals", lines(|_| "locals {\n a = 1\n}\n".to_owned())),
        ("same variables", lines(|_| "variable \"a\" {\n}\n".to_owned())),
        ("builds", format!("{source}{}", lines(|_| "build {\n sources = [\"null.x\"]\n}\n".to_owned()))),
        (
            "wrong builds",
            format!("{source}{}", lines(|_| "build {\n sources = [\"null.y\"]\n}\n".to_owned())),
        ),
        ("builds of nothing", format!("{source}{}", lines(|_| "build {}\n".to_owned()))),
        (
            "uses",
            format!("{source}build {{\n sources = [{}]\n}}\n", joined(", ", |_| "\"null.x\"".to_owned())),
        ),
        (
            "wrong uses",
            format!("{source}build {{\n sources = [{}]\n}}\n", joined(", ", |n| format!("\"null.y{n}\""))),
        ),
        (
            "steps",
            format!(
                "{source}build {{\n sources = [\"null.x\"]\n{}}}\n",
                lines(|_| "provisioner \"p\" {}\n".to_owned())
            ),
        ),
        (
            "a source",
            format!(
                "source \"null\" \"x\" {{\n{}}}\nbuild {{\n sources = [\"null.x\"]\n}}\n",
                lines(|n| format!("a{n} = {n}\n"))
            ),
        ),
        (
            "blocks of a source",
            format!(
                "source \"null\" \"x\" {{\n{}}}\nbuild {{\n sources = [\"null.x\"]\n}}\n",
                lines(|_| "b {}\n".to_owned())
            ),
        ),
        (
            "undefined locals",
            format!(
                "locals {{\n{}\n w = [{}]\n}}\n",
                lines(|n| format!("a{n} = {n}\n")),
                joined(", ", |n| format!("local.b{n}"))
            ),
        ),
        (
            "many locals needed",
            format!(
                "locals {{\n{}\n w = [{}]\n}}\n",
                lines(|n| format!("a{n} = {n}\n")),
                joined(", ", |n| format!("local.a{n}"))
            ),
        ),
    ];
    for (name, text) in cases {
        gaps.template(name, "a.pkr.hcl", text.clone(), &plain);
    }
    let value = |address: String| ResourceValue { address, value: hcl_eval::Value::count(1) };
    let wrong = (0..*N / 8).map(|n| value(format!("data.t.w{n}"))).collect();
    gaps.template(
        "wrong data values",
        "a.pkr.hcl",
        cases[5].1.clone(),
        &TemplateOptions { resource_values: wrong, ..plain.clone() },
    );
    let wrong = (0..*N / 8).map(|n| Given::Assignment(format!("w{n}=1"))).collect();
    gaps.template(
        "wrong assignments",
        "a.pkr.hcl",
        cases[0].1.clone(),
        &TemplateOptions { given: wrong, ..plain.clone() },
    );
    assert!(gaps.0.is_empty(), "{:#?}", gaps.0);
}

#[test]
fn work_on_jobs_looks_often() {
    let mut gaps = Gaps::default();
    let job = "job \"j\" {}\n";
    let inside = |lines: String| format!("job \"j\" {{\n{lines}}}\n");
    let cases: &[(&str, String)] = &[
        ("variables", format!("{job}{}", lines(|n| format!("variable \"v{n}\" {{\n  default = {n}\n}}\n")))),
        ("locals", format!("{job}locals {{\n{}}}\n", lines(|n| format!("a{n} = {n}\n")))),
        (
            "locals of locals",
            format!("{job}locals {{\na = 1\n{}}}\n", lines(|n| format!("a{n} = local.a\n"))),
        ),
        (
            "conditions",
            format!(
                "{job}variable \"v\" {{\n  default = 1\n{}}}\n",
                lines(|_| "validation {\n condition = var.v > 0\n error_message = \"x\"\n}\n".to_owned())
            ),
        ),
        ("jobs", lines(|n| format!("job \"j{n}\" {{}}\n"))),
        ("groups", inside(lines(|n| format!("group \"g{n}\" {{\n count = 1\n}}\n")))),
        ("wrong groups", inside(lines(|n| format!("group \"g{n}\" {{\n count = \"x\"\n}}\n")))),
        ("attributes", inside(lines(|n| format!("a{n} = {n}\n")))),
        ("meta", inside(format!("meta {{\n{}}}\n", lines(|n| format!("a{n} = {n}\n"))))),
        ("wrong meta", inside(format!("meta {{\n{}}}\n", lines(|n| format!("a{n} = []\n"))))),
        ("meta as an argument", inside(format!("meta = {{\n{}}}\n", lines(|n| format!("a{n} = {n}\n"))))),
        (
            "wrong meta as an argument",
            inside(format!("meta = {{\n{}}}\n", lines(|n| format!("a{n} = []\n")))),
        ),
        (
            "JSON groups",
            format!(
                "{{\"job\": {{\"j\": {{\"group\": {{{}}}}}}}}}",
                joined(", ", |n| format!("\"g{n}\": {{\"count\": 1}}"))
            ),
        ),
        ("same variables", format!("{job}{}", lines(|_| "variable \"v\" {\n  default = 1\n}\n".to_owned()))),
        ("same locals", format!("{job}{}", lines(|_| "locals {\n  a = 1\n}\n".to_owned()))),
        ("a long reference", inside(format!("meta {{\na = node[\"{}\"]\n}}\n", "\u{6f22}".repeat(150 * *N)))),
        ("a long label", format!("job \"{}\" {{\n}}\n", "\u{6f22}".repeat(150 * *N))),
        ("labels", inside(format!("g {} {{\n}}\n", joined(" ", |n| format!("\"l{n}\"").repeat(20))))),
    ];
    for (name, text) in cases {
        gaps.job(name, text.clone(), Vec::new());
    }
    let wrong = (0..*N / 8).map(|n| Given::Assignment(format!("w{n}=1"))).collect();
    gaps.job("wrong assignments", cases[0].1.clone(), wrong);
    let right = (0..*N).map(|n| Given::Assignment(format!("v{n}=1"))).collect();
    gaps.job("assignments", cases[0].1.clone(), right);
    assert!(gaps.0.is_empty(), "{:#?}", gaps.0);
}

/// The list of many names that an expression refers to is asked for before it is made: it needs more than what it lists.
#[test]
fn the_list_of_many_names_is_within_the_limits() {
    let n = 2000;
    let locals = (0..n).map(|n| format!("a{n} = 1\n")).collect::<String>();
    let names = (0..n).map(|n| format!("local.a{n}")).collect::<Vec<_>>().join(", ");
    let text = format!("locals {{\n{locals}}}\noutput \"o\" {{\n  value = length([{names}])\n}}\n");
    let (module, _) = Module::load(&TextFiles::from_iter([("main.tf", text)]), &LoadOptions::default());
    // An entry is a name and a value, of 48 bytes; it is counted twice.
    for (max_memory, wanted) in [(2 * 40 * n, &["limit.memory"][..]), (2 * 50 * n, &[])] {
        let limits = Limits { max_memory, ..Limits::default() };
        let said = module.check(&EvalOptions { limits, ..EvalOptions::default() });
        assert_eq!(said.iter().map(|one| &*one.code).collect::<Vec<_>>(), wanted, "{max_memory} bytes");
    }
}

/// Work that a limit has ended does nothing more of what is left.
#[test]
fn work_ends_soon_after_the_look_that_ends_it() {
    let limits = |token: CancelToken| Limits { cancel: Some(token), ..Limits::default() };
    let evaluation = |token| EvalOptions { limits: limits(token), ..EvalOptions::default() };
    let mut late = Vec::new();
    let mut measured = |name: &str, lateness: Duration| {
        println!("{name}: {lateness:?} late");
        if lateness > LONGEST_GAP {
            late.push(format!("{name}: {lateness:?} late"));
        }
    };
    let conditions = |condition: &str| {
        let rule = format!("validation {{\n condition = {condition}\n error_message = \"x${{var.v}}\"\n}}\n");
        format!("variable \"v\" {{\n default = 1\n{}}}\n", lines(|_| rule.clone()))
    };
    let modules = [
        ("conditions", conditions("var.v == 1")),
        ("failing conditions", conditions("var.v != 1")),
        ("arguments", format!("resource \"t\" \"r\" {{\n{}}}\n", lines(|n| format!("a{n} = t.s\n")))),
        ("same resources", lines(|_| "resource \"t\" \"r\" {}\n".to_owned())),
        (
            "instances of modules",
            "module \"m\" {\n source = \"./m\"\n count = 20000\n}\noutput \"o\" {\n value = module.m\n}\n"
                .to_owned(),
        ),
        (
            "instances of a resource",
            "resource \"t\" \"r\" {\n count = 20000\n a = count.index\n}\noutput \"o\" {\n value = t.r\n}\n"
                .to_owned(),
        ),
    ];
    let inner = "module \"n\" {\n source = \"./n\"\n count = 1\n}\noutput \"o\" {\n value = module.n\n}\n";
    let innermost = "output \"o\" {\n value = 1\n}\n";
    for (name, text) in modules {
        let text = text + "resource \"t\" \"s\" {}\n";
        let files = TextFiles::from_iter([
            ("main.tf", text),
            ("m/main.tf", inner.to_owned()),
            ("m/n/main.tf", innermost.to_owned()),
        ]);
        let load =
            |limits| Module::load(&files, &LoadOptions { limits, planned: true, ..LoadOptions::default() });
        measured(&format!("load {name}"), lateness(|token| load(limits(token))));
        let check = |token| {
            let (module, _) = load(Limits::default());
            (module.check(&evaluation(token)), module)
        };
        measured(&format!("check {name}"), lateness(check));
    }
    let jobs = [
        ("groups", lines(|n| format!("group \"g{n}\" {{\n count = 1\n}}\n"))),
        ("attributes", lines(|n| format!("a{n} = {n}\n"))),
        (
            "generated groups",
            lines(|n| format!("dynamic \"group\" {{\n for_each = [{n}]\n content {{}}\n}}\n")),
        ),
    ];
    for (name, text) in jobs {
        let text = format!("job \"j\" {{\n{text}}}\n");
        let (body, _) = nomad::parse("a.nomad", text.into(), &ParseLimits::default()).unwrap();
        let options = JobOptions::default();
        let open = |options: &JobOptions<'_>| {
            let mut evaluation = Evaluation::new(&EvalOptions::default());
            Job::open(&body, &TextFiles::default(), options, &mut evaluation).0
        };
        let job = open(&options);
        measured(name, lateness(|token| job.evaluate(&mut Evaluation::new(&evaluation(token)))));
    }
    assert!(late.is_empty(), "{late:#?}");
}

#[test]
fn the_parts_of_an_expression_take_no_look_each() {
    let text = format!("locals {{\n  all = [{}]\n}}\n", "1, ".repeat(100_000));
    let (module, _) = Module::load(&TextFiles::from_iter([("main.tf", text)]), &LoadOptions::default());
    let (token, n_looks) = only_at(usize::MAX);
    let limits = Limits { cancel: Some(token), ..Limits::default() };
    let (value, _) = module.evaluate_address("local.all", &EvalOptions { limits, ..EvalOptions::default() });
    assert_eq!(value.unwrap().len(), Some(100_000));
    let n_looks = n_looks.load(Ordering::Relaxed);
    assert!(n_looks < 2_000, "{n_looks}");
}

/// A token that is triggered at one look and taken back before the next, and whether that look came.
fn only_at(look: usize) -> (CancelToken, Arc<AtomicUsize>) {
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&n_looks);
    (CancelToken::asking(move || counted.fetch_add(1, Ordering::Relaxed) + 1 == look), n_looks)
}

/// Work in whose middle a switch is thrown and taken back says so, whichever look saw it.
fn always_told(name: &str, work: impl Fn(CancelToken) -> Diagnostics) {
    let mut look = 1;
    loop {
        let (token, n_looks) = only_at(look);
        let problems = work(token);
        if n_looks.load(Ordering::Relaxed) < look {
            break;
        }
        let is_told = problems.iter().any(|problem| problem.code == "limit.cancelled");
        assert!(is_told, "{name}, look {look}: {:?}", problems.first());
        look = look * 9 / 8 + 1;
    }
    assert!(look > 10, "{name} looks often");
}

#[test]
fn a_switch_that_is_taken_back_is_told() {
    let few = |line: &dyn Fn(usize) -> String| (0..2_000).map(line).collect::<String>();
    let limits = |token: CancelToken| Limits { cancel: Some(token), ..Limits::default() };
    let text = format!(
        "locals {{\n{}  all = [{}]\n}}\noutput \"o\" {{\n  value = 1\n  depends_on = [{}]\n}}\n{}",
        few(&|n| format!("a{n} = {n}\n")),
        few(&|n| format!("local.a{n}, ")),
        few(&|n| format!("t.r{n}, ")),
        few(&|n| format!("resource \"t\" \"r{n}\" {{}}\n")),
    );
    let files = TextFiles::from_iter([("main.tf", text)]);
    let load = |limits: Limits| Module::load(&files, &LoadOptions { limits, ..LoadOptions::default() });
    always_told("load", |token| load(limits(token)).1);
    let evaluation = |token| EvalOptions { limits: limits(token), ..EvalOptions::default() };
    always_told("check", |token| load(Limits::default()).0.check(&evaluation(token)));
    always_told("evaluate", |token| load(Limits::default()).0.evaluate("local.all", &evaluation(token)).1);
    let sum = few(&|n| format!("local.a{n} + ")) + "1";
    always_told("evaluate a sum", |token| load(Limits::default()).0.evaluate(&sum, &evaluation(token)).1);

    let text = format!(
        "locals {{\n{}}}\nsource \"null\" \"x\" {{}}\n{}",
        few(&|n| format!("a{n} = {n}\n")),
        few(&|_| "build {\n  sources = [\"null.x\"]\n}\n".to_owned())
    );
    let files = TextFiles::from_iter([("a.pkr.hcl", text)]);
    let read = |evaluation: EvalOptions<'static>| {
        Template::read(".", &files, &TemplateOptions { evaluation, ..TemplateOptions::default() })
    };
    always_told("read a template", |token| read(evaluation(token)).1);
    always_told("builds", |token| read(EvalOptions::default()).0.structure(&evaluation(token)).1);

    let text = format!(
        "locals {{\n{}}}\njob \"j\" {{\n{}}}\n",
        few(&|n| format!("a{n} = {n}\n")),
        few(&|n| format!("group \"g{n}\" {{}}\n"))
    );
    let (body, _) = nomad::parse("a.nomad", text.into(), &ParseLimits::default()).unwrap();
    let open = |evaluation: &EvalOptions<'_>| {
        let mut evaluation = Evaluation::new(evaluation);
        Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation)
    };
    always_told("open a job", |token| open(&evaluation(token)).1);
    let (job, _) = open(&EvalOptions::default());
    always_told("check a job", |token| job.check(&mut Evaluation::new(&evaluation(token))));
    always_told("value of a job", |token| {
        let options = evaluation(token);
        let mut evaluation = Evaluation::new(&options);
        let (body, mut problems) = job.evaluate(&mut evaluation);
        problems.extend(body_value(&body, &mut evaluation).err().into_iter().flatten());
        problems
    });
}

/// Complaints end at their limit, whatever they are about, and so does the work.
#[test]
fn complaints_about_names_end_at_their_limit() {
    let texts = [
        ("variables", lines(|i| format!("variable \"0v{i}\" {{\n}}\n"))),
        ("locals", format!("{{\"locals\": {{{}}}}}", joined(",", |i| format!("\"0a{i}\": 1")))),
        ("outputs", lines(|i| format!("output \"0v{i}\" {{\n  value = 1\n}}\n"))),
        ("the same resource", lines(|_| "resource \"t\" \"r\" {\n}\n".to_owned())),
    ];
    for (name, text) in texts {
        let limits = Limits { max_diagnostics: 10, ..Limits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        let file = if text.starts_with('{') { "main.tf.json" } else { "main.tf" };
        let (_, problems) = Module::load(&TextFiles::from_iter([(file, text)]), &options);
        println!("{name}: {} problems", problems.len());
        assert!((1..=12).contains(&problems.len()), "{name}: {} problems", problems.len());
    }
}

/// Values are brought to the types of variables and outputs within the limits: a switch that is triggered meanwhile is told.
#[test]
fn values_are_brought_to_types_within_the_limits() {
    let ty = "list(object({ a = optional(number, 1), b = optional(string, \"b\") }))";
    let empties = "{},".repeat(*N);
    let given = format!("variable \"v\" {{\n  type = {ty}\n  default = [{empties}]\n}}\n");
    let wide = format!(
        "variable \"v\" {{\n  type = object({{{}}})\n  default = {{}}\n}}\n",
        lines(|i| format!("a{i} = optional(number),"))
    );
    for (name, text) in [("a default", &given), ("a type", &wide)] {
        let files = TextFiles::from_iter([("main.tf", text.clone())]);
        let loaded = |cancel| {
            let limits = Limits { cancel: Some(cancel), ..Limits::default() };
            Module::load(&files, &LoadOptions { limits, ..LoadOptions::default() }).1
        };
        let (token, n_looks) = only_at(usize::MAX);
        assert!(loaded(token).is_empty());
        println!("{name}: {} looks", n_looks.load(Ordering::Relaxed));
        always_told(name, loaded);
    }
}

/// The functions of providers that are not there are told up to the limit of diagnostics.
#[test]
fn complaints_about_functions_end_at_their_limit() {
    let text = format!("locals {{\n  a = [{}]\n}}\n", joined(", ", |i| format!("provider::p::f{i}(1)")));
    let files = TextFiles::from_iter([("main.tf", text)]);
    let (module, _) = Module::load(&files, &LoadOptions::default());
    let limits = Limits { max_diagnostics: 10, ..Limits::default() };
    let problems = module.check(&EvalOptions { limits, ..EvalOptions::default() });
    assert!((1..=12).contains(&problems.len()), "{} problems", problems.len());
}

/// A type may be as long as a text: in a string of JSON syntax as well as elsewhere.
#[test]
fn types_are_read_in_pieces() {
    let ty = format!("object({{{}}})", joined(",", |i| format!("a{i} = number")));
    let variable = |ty: &str| format!("variable \"v\" {{\n  type = {ty}\n}}\n");
    let in_string = |before: &str| format!("{{{before}\"variable\": {{\"v\": {{\"type\": \"{ty}\"}}}}}}");
    let looks = |work: &dyn Fn(Limits)| {
        let (token, n_looks) = only_at(usize::MAX);
        work(Limits { cancel: Some(token), ..Limits::default() });
        n_looks.load(Ordering::Relaxed)
    };
    let module = |file: &str, text: String| {
        let files = TextFiles::from_iter([(file, text)]);
        looks(&|limits| {
            let (_, problems) = Module::load(&files, &LoadOptions { limits, ..LoadOptions::default() });
            assert!(problems.is_empty(), "{problems:?}");
        })
    };
    let template = |file: &str, text: String| {
        let files = TextFiles::from_iter([(file, text)]);
        looks(&|limits| {
            let evaluation = EvalOptions { limits, ..EvalOptions::default() };
            drop(Template::read(".", &files, &TemplateOptions { evaluation, ..TemplateOptions::default() }));
        })
    };
    let job = |file: &str, text: String| {
        let (body, _) = nomad::parse(file, text.into(), &ParseLimits::default()).unwrap();
        looks(&|limits| {
            let options = EvalOptions { limits, ..EvalOptions::default() };
            let mut evaluation = Evaluation::new(&options);
            drop(Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation));
        })
    };
    let n_looks = [
        ("a variable", module("main.tf", variable(&ty))),
        ("a variable in JSON", module("main.tf.json", in_string(""))),
        ("a template", template("a.pkr.hcl", variable(&ty))),
        ("a template in JSON", template("a.pkr.json", in_string(""))),
        ("a job", job("a.nomad", format!("{}job \"j\" {{}}\n", variable(&ty)))),
        ("a job in JSON", job("a.nomad.json", in_string("\"job\": {\"j\": {}}, "))),
    ];
    println!("{n_looks:?}");
    for (name, n_looks) in n_looks {
        assert!(n_looks >= *N / 128, "{name}: {n_looks} looks");
    }
}

/// Names and texts beyond ASCII are looked through character by character.
#[test]
fn long_names_and_texts_are_looked_through_in_pieces() {
    const LEN: usize = 400_000;
    let name = "é".repeat(LEN);
    let given = [
        Given::Text { name: "v".to_owned(), text: "e\u{301}".repeat(LEN) },
        Given::Assignment(format!("v={}", "e\u{301}".repeat(LEN))),
    ];
    let counting = || {
        let (token, n_looks) = only_at(usize::MAX);
        (Limits { cancel: Some(token), ..Limits::default() }, n_looks)
    };
    let module = |text: &str, given: &[Given]| {
        let files = TextFiles::from_iter([("main.tf", text.replace("NAME", &name))]);
        let (limits, n_looks) = counting();
        drop(Module::load(&files, &LoadOptions { limits, given: given.to_vec(), ..LoadOptions::default() }));
        n_looks.load(Ordering::Relaxed)
    };
    let template = |text: &str, given: &[Given]| {
        let files = TextFiles::from_iter([("a.pkr.hcl", text.replace("NAME", &name))]);
        let (limits, n_looks) = counting();
        let evaluation = EvalOptions { limits, ..EvalOptions::default() };
        let options = TemplateOptions { evaluation, given: given.to_vec(), ..TemplateOptions::default() };
        drop(Template::read(".", &files, &options));
        n_looks.load(Ordering::Relaxed)
    };
    let job = |text: &str, given: &[Given]| {
        let text = format!("{}job \"j\" {{}}\n", text.replace("NAME", &name));
        let (body, _) = nomad::parse("a.nomad", text.into(), &ParseLimits::default()).unwrap();
        let (limits, n_looks) = counting();
        let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
        let options = JobOptions { given: given.to_vec(), ..JobOptions::default() };
        drop(Job::open(&body, &TextFiles::default(), &options, &mut evaluation));
        n_looks.load(Ordering::Relaxed)
    };
    let variable = "variable \"v\" {\n  type = string\n}\n";
    let (parts, conditions) = ("/c".repeat(LEN), "> 1, ".repeat(LEN / 2) + "> 1");
    let version = format!("required_version = \"{conditions}\"\n");
    let numbers = format!("required_version = \"> 1{}\"\n", ".1".repeat(LEN));
    let plugin = |version: &str, source: &str| {
        let plugin = format!("p = {{\n version = \"{version}\"\n source = \"{source}\"\n}}\n");
        format!("packer {{\n required_plugins {{\n{plugin} }}\n}}\n")
    };
    let provider = |source: &str| {
        format!("terraform {{\n required_providers {{\n p = {{ source = \"{source}\" }}\n }}\n}}\n")
    };
    // Beside these there are looks while the columns of names are found, 144 at most, and 211 of the local value.
    let n_looks = [
        ("a local value", 280, module("locals {\n  NAME = 1\n}\n", &[])),
        ("a variable", 220, module("variable \"NAME\" {}\n", &[])),
        ("an output", 220, module("output \"NAME\" {\n  value = 1\n}\n", &[])),
        ("a provider", 220, module("provider \"NAME\" {}\n", &[])),
        ("an alias", 220, module("provider \"p\" {\n  alias = \"NAME\"\n}\n", &[])),
        ("a text", 6, module(variable, &given[..1])),
        ("an assignment", 6, module(variable, &given[1..])),
        ("a variable of a template", 220, template("variable \"NAME\" {}\n", &[])),
        ("a local of a template", 220, template("local \"NAME\" {\n  expression = 1\n}\n", &[])),
        ("a text for a template", 6, template(variable, &given[..1])),
        ("a variable of a job", 220, job("variable \"NAME\" {}\n", &[])),
        ("a text for a job", 6, job(variable, &given[..1])),
        ("an assignment for a job", 6, job(variable, &given[1..])),
        ("a part of the source of a plugin", 700, template(&plugin("1", "h/a/NAME"), &[])),
        ("the host in the source of a plugin", 700, template(&plugin("1", "NAME/a/b"), &[])),
        ("parts of the source of a plugin", 700, template(&plugin("1", &format!("h/a/b{parts}")), &[])),
        ("conditions on a plugin", 900, template(&plugin(&conditions, "h/a/b"), &[])),
        ("conditions on Packer", 900, template(&format!("packer {{\n{version}}}\n"), &[])),
        ("conditions on Terraform", 900, module(&format!("terraform {{\n{version}}}\n"), &[])),
        ("the numbers of a condition", 900, module(&format!("terraform {{\n{numbers}}}\n"), &[])),
        ("the host of a provider", 230, module(&provider("NAME/a/b"), &[])),
    ];
    println!("{n_looks:?}");
    for (what, least, n_looks) in n_looks {
        assert!(n_looks >= least, "{what}: {n_looks} looks");
    }
}

/// The texts that are not to be shown are looked for in pieces.
#[test]
fn secrets_are_looked_for_in_pieces() {
    let texts = joined(", ", |i| format!("\"text number {}\"", i * 7919 % *N));
    let sensitive = |is_sensitive: bool| {
        let rest = if is_sensitive { " sensitive = true\n" } else { "" };
        format!("variable \"v\" {{\n default = [{texts}]\n{rest}}}\n")
    };
    let read = |text: &str, limits: Limits| {
        let evaluation = EvalOptions { limits, ..EvalOptions::default() };
        let files = TextFiles::from_iter([("a.pkr.hcl", text.to_owned())]);
        Template::read(".", &files, &TemplateOptions { evaluation, ..TemplateOptions::default() })
    };
    let looks = |is_sensitive: bool| {
        let (token, n_looks) = only_at(usize::MAX);
        let limits = Limits { cancel: Some(token), ..Limits::default() };
        let (template, _) = read(&sensitive(is_sensitive), limits);
        assert_eq!(template.secrets().is_empty(), !is_sensitive);
        n_looks.load(Ordering::Relaxed)
    };
    let (with, without) = (looks(true), looks(false));
    println!("{with} looks with secrets, {without} without");
    assert!(with - without >= *N / 128, "{with} looks with secrets, {without} without");
    always_told("read secrets", |token| {
        read(&sensitive(true), Limits { cancel: Some(token), ..Limits::default() }).1
    });
}

/// Instances that complain of one thing do so once; what each of them says otherwise ends at the limit.
#[test]
fn complaints_of_instances_end_at_their_limit() {
    let main = "module \"m\" {\n source = \"./m\"\n count = 5000\n v = count.index\n}\n";
    let rule = |message: &str| {
        format!(
            "variable \"v\" {{}}\noutput \"o\" {{\n value = 1\n precondition {{\n condition = var.v < 0\n \
             error_message = \"{message}\"\n }}\n}}\n"
        )
    };
    let told = |message: &str, max_diagnostics| {
        let files = TextFiles::from_iter([("main.tf", main.to_owned()), ("m/main.tf", rule(message))]);
        let (module, problems) = Module::load(&files, &LoadOptions::default());
        assert!(problems.is_empty(), "{problems:?}");
        let limits = Limits { max_diagnostics, ..Limits::default() };
        let problems = module.check(&EvalOptions { limits, ..EvalOptions::default() });
        (problems.len(), problems.last().map(|last| last.code.to_string()))
    };
    let failed = Some("module.output.precondition".to_owned());
    assert_eq!(told("It is wrong.", 1000), (1, failed.clone()));
    assert_eq!(told("It is ${var.v}.", 10_000), (5000, failed));
    let (n, last) = told("It is ${var.v}.", 100);
    assert!(n == 101 && last.as_deref() == Some("limit.diagnostics"), "{n} problems, {last:?} at the end");
}
