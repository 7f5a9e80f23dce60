//! Large modules, and hostile ones: time grows with the text, nothing recurses, every bound is an error of its own.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hcl_eval::Value;
use hcl_eval::eval::{EvalOptions, Evaluation};
use hcl_eval::limits::{CancelToken, Limits};
use hcl_module::nomad::{self, Job, JobOptions};
use hcl_module::packer::{Template, TemplateOptions};
use hcl_module::{FileError, Files, Given, LoadOptions, Module, Release, ResourceValue, TextFiles};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::ParseLimits;

use stopwatch::Stopwatch;

fn one_file(text: String) -> TextFiles {
    TextFiles::from_iter([("main.tf", text)])
}

fn load(files: &dyn Files) -> (Module, Diagnostics) {
    Module::load(files, &LoadOptions::default())
}

fn loaded(files: &dyn Files) -> Module {
    let (module, problems) = load(files);
    assert!(problems.is_empty(), "{problems:?}");
    module
}

fn value(module: &Module, expression: &str) -> Value {
    let (value, problems) = module.evaluate(expression, &EvalOptions::default());
    assert!(problems.is_empty(), "{problems:?}");
    value.unwrap()
}

fn titles(problems: &Diagnostics) -> Vec<&str> {
    problems.iter().map(|one| one.summary.as_ref()).collect()
}

/// Each local is the one before and one more.
fn chain(length: usize) -> TextFiles {
    let mut text = String::from("locals {\n  a0 = 1\n");
    for number in 1..length {
        writeln!(text, "  a{number} = local.a{} + 1", number - 1).unwrap();
    }
    one_file(text + "}\n")
}

/// One local that refers to all others.
fn star(length: usize) -> TextFiles {
    let mut text = String::from("locals {\n");
    for number in 0..length {
        writeln!(text, "  a{number} = {number}").unwrap();
    }
    let names: Vec<String> = (0..length).map(|number| format!("local.a{number}")).collect();
    writeln!(text, "  all = [{}]\n}}", names.join(", ")).unwrap();
    one_file(text)
}

/// Locals of about a kilobyte each, of which none refers to another, but one to a variable.
fn wide(kilobytes: usize) -> TextFiles {
    let mut text = String::from(
        "variable \"region\" {\n  default = \"eu\"\n}\nlocals {\n  asked = \"in ${var.region}\"\n",
    );
    for number in 0..kilobytes {
        let parts: Vec<String> = (0..40).map(|part| format!("\"k{part}\" = upper(\"{number}\")")).collect();
        writeln!(text, "  a{number} = {{ {} }}", parts.join(", ")).unwrap();
    }
    one_file(text + "}\n")
}

/// Calls of one module that has outputs, so many that something in the tree would be seen to grow.
fn calls(count: usize) -> TextFiles {
    let mut text = String::new();
    for number in 0..count {
        writeln!(text, "module \"m{number}\" {{\n  source = \"./child\"\n  x      = {number}\n}}").unwrap();
    }
    let names: Vec<String> = (0..count).map(|number| format!("module.m{number}.y")).collect();
    writeln!(text, "locals {{\n  all = [{}]\n}}", names.join(", ")).unwrap();
    TextFiles::from_iter([
        ("main.tf", text),
        ("child/main.tf", "variable \"x\" {}\noutput \"y\" {\n  value = var.x + 1\n}\n".to_owned()),
    ])
}

/// Processor time of loading a module and evaluating an expression of it, and of everything.
fn cost(files: &TextFiles, expression: &str) -> Duration {
    let watch = Stopwatch::start();
    let module = loaded(files);
    value(&module, expression);
    assert!(module.check(&EvalOptions::default()).is_empty());
    watch.elapsed()
}

/// So many runs of either size are tried. Other work on the machine empties the caches of this one, which lengthens some of
/// them; the shortest of each size counts.
const MOST_RUNS: usize = 20;

/// Ten times the module takes at most twelve times the time, and a little that does not depend on it.
fn assert_linear(make: fn(usize) -> TextFiles, small: usize, expression: fn(usize) -> String) {
    let large = small * 10;
    let (few_files, many_files) = (make(small), make(large));
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    for _ in 0..MOST_RUNS {
        few = few.min(cost(&few_files, &expression(small)));
        many = many.min(cost(&many_files, &expression(large)));
        if many <= few * 12 + Duration::from_millis(5) {
            return;
        }
    }
    panic!("{small}: {few:?}, {large}: {many:?}");
}

#[test]
fn a_chain_of_locals_is_linear() {
    assert_linear(chain, 1_000, |length| format!("local.a{}", length - 1));
    let module = loaded(&chain(10_000));
    assert_eq!(value(&module, "tostring(local.a9999)").as_str(), Some("10000"));
}

#[test]
fn a_star_of_locals_is_linear() {
    assert_linear(star, 1_000, |_| "length(local.all)".to_owned());
}

#[test]
fn a_megabyte_is_linear() {
    assert_linear(wide, 100, |_| "local.asked".to_owned());
}

/// One expression of a module of a megabyte takes less than a tenth of a second of processor time, in the build for
/// development too.
#[test]
fn an_expression_of_a_megabyte_is_answered_at_once() {
    let files = wide(1_200);
    let n_bytes = files.read("main.tf").map(|text| text.len());
    assert!(n_bytes.is_ok_and(|n_bytes| n_bytes > 1_000_000));
    let once = || {
        let watch = Stopwatch::start();
        let (module, problems) = load(&files);
        assert_eq!(value(&module, "local.asked").as_str(), Some("in eu"));
        let elapsed = watch.elapsed();
        assert!(problems.is_empty());
        elapsed
    };
    let taken = (0..3).map(|_| once()).min().unwrap();
    assert!(taken < Duration::from_millis(100), "{taken:?}");
}

/// Loading reads, evaluates and puts together; a switch ends all of it, whenever it is thrown.
#[test]
fn a_load_that_is_cancelled_ends_at_once() {
    let declaration = |number| format!("variable \"v{number}\" {{\n  default = 1\n}}\n");
    assert_ends_at_once(&one_file((0..20_000).map(declaration).collect()));
    let file = |files: TextFiles, number| files.with(&format!("f{number}.tf"), declaration(number));
    assert_ends_at_once(&(0..2_000).fold(TextFiles::default(), file));
}

fn assert_ends_at_once(files: &TextFiles) {
    // How late the end is after a look, and none if loading looks fewer times.
    let late_after = |look_to_end_at: usize| {
        let (n_looks, since) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(None)));
        let (counted, thrown) = (Arc::clone(&n_looks), Arc::clone(&since));
        let token = CancelToken::asking(move || {
            let is_over = counted.fetch_add(1, Ordering::Relaxed) + 1 >= look_to_end_at;
            if is_over {
                thrown.lock().unwrap().get_or_insert_with(Stopwatch::start);
            }
            is_over
        });
        let parse_limits = ParseLimits { cancel: Some(token.clone()), ..ParseLimits::default() };
        let limits = Limits { cancel: Some(token), ..Limits::default() };
        let options = LoadOptions { parse_limits, limits, ..LoadOptions::default() };
        // The release of the module is not part of the load: hcl.h states its time apart.
        let (module, problems) = Module::load(files, &options);
        let late = since.lock().unwrap().map(|since: Stopwatch| since.elapsed())?;
        drop(module);
        let told: Vec<&str> = problems.iter().map(|problem| &*problem.code).collect();
        assert_eq!(told, ["limit.cancelled"], "at look {look_to_end_at}");
        Some(late)
    };
    let mut look_to_end_at = 1;
    while let Some(mut late) = late_after(look_to_end_at) {
        // A machine with other work to do charges some of that to a thread now and then.
        for _ in 0..2 {
            if late > Duration::from_millis(20) {
                late = late.min(late_after(look_to_end_at).unwrap_or(late));
            }
        }
        assert!(late <= Duration::from_millis(20), "at look {look_to_end_at}: {late:?}");
        look_to_end_at = look_to_end_at * 5 / 4 + 1;
    }
    assert!(look_to_end_at > 1_000, "loading looks often");
}

#[test]
fn many_calls_are_linear() {
    assert_linear(calls, 100, |_| "length(local.all)".to_owned());
}

/// Modules that call each other in a row; the last has the value.
fn levels(count: usize) -> TextFiles {
    let mut files = TextFiles::default();
    for level in 0..count {
        let folder = if level == 0 { String::new() } else { format!("m{level}/") };
        let up = if level == 0 { "./" } else { "../" };
        let text = format!(
            "module \"m\" {{\n  source = \"{up}m{}\"\n}}\noutput \"o\" {{\n  value = module.m.o\n}}\n",
            level + 1
        );
        files = files.with(&format!("{folder}main.tf"), text);
    }
    files.with(&format!("m{count}/main.tf"), "output \"o\" {\n  value = \"bottom\"\n}\n")
}

#[test]
fn a_thousand_levels_of_modules_work_and_more_are_refused() {
    let module = loaded(&levels(1_000));
    assert_eq!(value(&module, "module.m.o").as_str(), Some("bottom"));
    assert!(module.check(&EvalOptions::default()).is_empty());

    let (module, problems) = load(&levels(1_001));
    assert_eq!(titles(&problems), ["Modules nested too deep"]);
    assert!(problems[0].code.starts_with("limit."));
    assert!(problems[0].subject.is_some());
    assert!(!module.can_be_evaluated());
}

/// So many calls of a module with so many locals.
fn called_often(n_calls: usize, n_locals: usize) -> TextFiles {
    let mut calls = String::new();
    for at in 0..n_calls {
        let _ = write!(calls, "module \"m{at}\" {{\n  source = \"./m\"\n}}\n");
    }
    let mut child = "output \"o\" {\n  value = local.a1\n}\nlocals {\n".to_owned();
    for at in 0..n_locals {
        let _ = writeln!(child, "a{at} = {at}");
    }
    TextFiles::from_iter([("main.tf", calls), ("m/main.tf", child + "}\n")])
}

#[test]
fn declarations_of_modules_are_bounded() {
    let module = loaded(&called_often(9_000, 10_000));
    assert!(value(&module, "module.m8999.o == 1").as_bool().unwrap());

    let (module, problems) = load(&called_often(9_000, 15_000));
    assert_eq!(titles(&problems), ["Too many declarations"]);
    assert!(problems[0].code.starts_with("limit.") && problems[0].subject.is_some());
    assert!(!module.can_be_evaluated());
}

#[test]
fn modules_that_call_themselves_are_told() {
    let own = "module \"m\" {\n  source = \"./\"\n}\n";
    let (_, problems) = load(&TextFiles::from_iter([("main.tf", own)]));
    assert_eq!(titles(&problems), ["Module calls itself"]);

    let twice = "module \"a\" {\n  source = \"./\"\n}\nmodule \"b\" {\n  source = \"./\"\n}\n";
    let (_, problems) = load(&TextFiles::from_iter([("main.tf", twice)]));
    assert_eq!(titles(&problems), ["Module calls itself"; 2]);

    let each_other = [
        ("main.tf", "module \"a\" {\n  source = \"./a\"\n}\n"),
        ("a/main.tf", "module \"b\" {\n  source = \"../b\"\n}\n"),
        ("b/main.tf", "module \"a\" {\n  source = \"../a\"\n}\n"),
    ];
    let (_, problems) = load(&TextFiles::from_iter(each_other));
    assert_eq!(titles(&problems), ["Module calls itself"]);
    assert!(
        problems[0].subject.as_ref().is_some_and(|place| &*place.filename == "b/main.tf"),
        "{problems:?}"
    );
}

#[test]
fn counts_are_bounded() {
    let files = TextFiles::from_iter([
        (
            "main.tf",
            "module \"m\" {\n  source = \"./m\"\n  count  = 1000000000\n}\nlocals {\n  fine = 1\n}\n",
        ),
        ("m/main.tf", "output \"o\" {\n  value = 1\n}\n"),
    ]);
    let module = loaded(&files);
    let problems = module.check(&EvalOptions::default());
    assert_eq!(titles(&problems), ["Too many instances"]);
    assert!(problems[0].code.starts_with("limit.") && problems[0].subject.is_some());
    assert_eq!(value(&module, "tostring(local.fine)").as_str(), Some("1"));
}

/// Nested calls multiply: a hundred times a hundred times a hundred instances are as many as a million.
#[test]
fn instances_of_nested_modules_are_bounded() {
    let call = |source: &str| format!("module \"m\" {{\n  source = \"{source}\"\n  count  = 100\n}}\n");
    let files = TextFiles::from_iter([
        ("main.tf", call("./a")),
        ("a/main.tf", call("../b")),
        ("b/main.tf", call("../c")),
        ("c/main.tf", "output \"o\" {\n  value = 1\n}\n".to_owned()),
    ]);
    let module = loaded(&files);
    let problems = module.check(&EvalOptions::default());
    assert_eq!(titles(&problems), ["Too many instances"]);
}

#[test]
fn long_cycles_are_told_with_their_first_members() {
    let mut text = String::from("locals {\n  a0 = local.a999\n  fine = 1\n");
    for number in 1..1_000 {
        writeln!(text, "  a{number} = local.a{}", number - 1).unwrap();
    }
    let module = load(&one_file(text + "}\n")).0;
    let problems = module.check(&EvalOptions::default());
    assert_eq!(problems.len(), 1, "{:?}", titles(&problems));
    assert!(problems[0].summary.starts_with("Cycle: "));
    let summary = &problems[0].summary;
    assert!(summary.ends_with(" and 968 more") && summary.len() < 1000, "{summary}");
}

/// Files of which some can't be read.
struct Unreadable(BTreeMap<&'static str, Result<&'static str, FileError>>);

impl Files for Unreadable {
    fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError> {
        match folder {
            "." => Ok(self.0.keys().map(|&name| name.to_owned()).collect()),
            _ => Err(FileError::Failed("the disk is gone".to_owned())),
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        match self.0.get(path) {
            Some(Ok(text)) => Ok(text.as_bytes().to_vec()),
            Some(Err(error)) => Err(error.clone()),
            None => Err(FileError::NotFound),
        }
    }
}

#[test]
fn files_that_can_not_be_read_are_told_and_the_others_stay_usable() {
    let files = Unreadable(BTreeMap::from([
        ("a.tf", Ok("variable \"region\" {\n  default = 1\n}\n")),
        ("b.tf", Err(FileError::Failed("permission denied".to_owned()))),
        ("c.tf", Ok("locals {\n  x = var.region\n}\n")),
    ]));
    let (module, problems) = load(&files);
    assert_eq!(problems.len(), 1, "{:?}", titles(&problems));
    assert!(
        problems[0].detail.contains("b.tf") || problems[0].to_string().contains("b.tf"),
        "{}",
        problems[0]
    );
    assert!(problems[0].detail.contains("permission denied"), "{}", problems[0].detail);
    let declared: Vec<String> = module.declared().into_iter().map(|one| one.address).collect();
    assert_eq!(declared, ["var.region", "local.x"]);
}

#[test]
fn a_folder_of_a_call_that_can_not_be_read_is_told_at_the_call() {
    let files = Unreadable(BTreeMap::from([("a.tf", Ok("module \"m\" {\n  source = \"./m\"\n}\n"))]));
    let (_, problems) = load(&files);
    assert_eq!(titles(&problems), ["Unreadable module directory"]);
}

#[test]
fn a_folder_without_files_is_an_empty_module() {
    let module = loaded(&TextFiles::default());
    assert_eq!(value(&module, "tostring(1 + 1)").as_str(), Some("2"));
    assert!(module.declared().is_empty());
}

/// The titles of loading with values, and then of evaluating everything.
fn told(text: &str, given: Vec<Given>, more: &[(&str, &str)]) -> Vec<String> {
    let files = more.iter().fold(one_file(text.to_owned()), |files, (name, text)| files.with(name, *text));
    let (module, mut problems) = Module::load(&files, &LoadOptions { given, ..LoadOptions::default() });
    problems.extend(module.check(&EvalOptions::default()));
    problems.iter().map(|one| one.summary.to_string()).collect()
}

#[test]
fn repetition_over_what_is_not_known_or_not_shown_is_refused() {
    let child = [("m/main.tf", "output \"o\" {\n  value = 1\n}\n")];
    for (repetition, title) in [
        ("for_each = toset([terraform_data.x.id])", "Invalid for_each argument"),
        ("for_each = sensitive(toset([\"a\"]))", "Invalid for_each argument"),
        ("for_each = var.unset", "Invalid for_each argument"),
        ("for_each = null", "Invalid for_each argument"),
        ("for_each = [\"a\"]", "Invalid for_each argument"),
        ("count = terraform_data.x.id", "Invalid count argument"),
        ("count = -1", "Invalid count argument"),
        ("count = 0.5", "Invalid count argument"),
    ] {
        let text = format!(
            "module \"m\" {{\n  source = \"./m\"\n  {repetition}\n}}\nresource \"terraform_data\" \"x\" {{}}\n\
             variable \"unset\" {{\n  type = map(string)\n}}\n"
        );
        assert_eq!(told(&text, Vec::new(), &child), [title], "{repetition}");
    }
}

#[test]
fn values_that_are_given_wrongly_are_refused() {
    let text = "variable \"a\" {\n  default = 1\n}\n";
    let assigned = |text: &str| Given::Assignment(text.to_owned());
    assert_eq!(told(text, vec![assigned("b=1")], &[]), ["Value for undeclared variable"]);
    assert_eq!(told(text, vec![assigned("a")], &[]), ["Invalid -var option"]);
    assert_eq!(told(text, vec![assigned("a=1"), assigned("a=2")], &[]), [""; 0]);
    let file = || vec![Given::File("x.tfvars".to_owned())];
    assert_eq!(told(text, file(), &[("x.tfvars", "a = 1\na = 2\n")]), ["Attribute redefined"]);
    assert_eq!(
        told(text, file(), &[("x.tfvars", "variable \"a\" {\n  default = 2\n}\n")]),
        ["Variable declaration in .tfvars file"]
    );
    assert_eq!(told(text, file(), &[("x.tfvars", "other {\n}\n")]), ["Unexpected \"other\" block"]);
    assert_eq!(told(text, file(), &[]), ["Failed to read variables file"]);
}

/// The first limit that is reached when a job is opened.
fn limit_of_job(text: &str) -> Option<String> {
    let (body, problems) =
        nomad::parse("a.nomad", text.into(), &ParseLimits::default()).expect("it is short");
    assert!(problems.is_empty());
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let (_, problems) = Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation);
    problems.iter().find(|one| one.code.starts_with("limit.")).map(|one| one.code.to_string())
}

#[test]
fn locals_of_jobs_are_tried_again_only_when_something_changed() {
    // A ring that has no answer, and pairs of which one member has: each answer once made all of the ring be tried again.
    let n = 4_000;
    let ring: String = (0..n).map(|at| format!("a{at} = [local.a{}]\n", (at + 1) % n)).collect();
    let pairs: String =
        (0..n).map(|at| format!("b{at} = [local.c{at}]\nc{at} = try(local.b{at}, 1)\n")).collect();
    assert_eq!(limit_of_job(&format!("locals {{\n{ring}{pairs}}}\njob \"a\" {{}}\n")), None);
}

#[test]
fn locals_as_a_whole_are_bounded() {
    let locals = |n: usize| -> String {
        let lines: String = (0..n).map(|at| format!("a{at} = local == null\n")).collect();
        format!("locals {{\n{lines}}}\n")
    };
    let job = |n| limit_of_job(&(locals(n) + "job \"a\" {}\n"));
    assert_eq!(job(1_000), None);
    assert_eq!(job(20_000).as_deref(), Some("limit.elements"));
    // A limit that is reached where `try` looks for an answer is told, too.
    let big = "[for i in range(999) : [for j in range(999) : [for k in range(999) : k]]]";
    let ring = format!("locals {{\n  a = try(local.b, {big})\n  b = local.a\n}}\njob \"a\" {{}}\n");
    assert_eq!(limit_of_job(&ring).as_deref(), Some("limit.elements"));
    let template = |n| {
        let files = TextFiles::from_iter([("a.pkr.hcl", locals(n))]);
        let (_, problems) = Template::read(".", &files, &TemplateOptions::default());
        problems.first().map(|one| one.code.to_string())
    };
    assert_eq!(template(1_000), None);
    assert_eq!(template(20_000).as_deref(), Some("limit.elements"));
}

#[test]
fn uses_of_sources_are_bounded() {
    let template = |n_arguments: usize, n_uses: usize, n_steps: usize| {
        let arguments: String = (0..n_arguments).map(|at| format!("a{at} = 1\n")).collect();
        let uses = "\"null.x\", ".repeat(n_uses);
        let steps = "provisioner \"p\" {}\n".repeat(n_steps);
        let text =
            format!("source \"null\" \"x\" {{\n{arguments}}}\nbuild {{\nsources = [{uses}]\n{steps}}}\n");
        let files = TextFiles::from_iter([("a.pkr.hcl", text)]);
        let (template, problems) = Template::read(".", &files, &TemplateOptions::default());
        assert!(problems.is_empty());
        let limits = Limits { max_elements: 10_000, ..Limits::default() };
        let (_, problems) = template.builds(&EvalOptions { limits, ..EvalOptions::default() });
        problems.first().map(|one| one.code.to_string())
    };
    assert_eq!(template(10, 100, 10), None);
    assert_eq!(template(100, 200, 0).as_deref(), Some("limit.elements"));
    assert_eq!(template(0, 200, 100).as_deref(), Some("limit.elements"));
}

/// Each resource of a plan has the attributes of all resources of its type.
#[test]
fn attributes_of_planned_resources_are_bounded() {
    let checked = |n: usize| {
        let text: String =
            (0..n).map(|at| format!("resource \"t\" \"r{at}\" {{\n  a{at} = {at}\n}}\n")).collect();
        let options = LoadOptions { planned: true, ..LoadOptions::default() };
        let (module, problems) = Module::load(&TextFiles::from_iter([("main.tf", text)]), &options);
        assert!(problems.is_empty(), "{problems:?}");
        let limits = Limits { max_elements: 10_000, ..Limits::default() };
        let problems = module.check(&EvalOptions { limits, ..EvalOptions::default() });
        problems.first().map(|one| one.code.to_string())
    };
    assert_eq!(checked(90), None);
    assert_eq!(checked(200).as_deref(), Some("limit.elements"));
}

/// A value for each instance of a resource is found by its key.
#[test]
fn values_that_are_given_by_instance_are_linear() {
    let cost = |n: usize| {
        let files = one_file(format!("resource \"t\" \"r\" {{\n  count = {n}\n}}\n"));
        let given =
            |at: usize| ResourceValue { address: format!("t.r[{at}]"), value: Value::from(at as u64) };
        let options = LoadOptions { resource_values: (0..n).map(given).collect(), ..LoadOptions::default() };
        let (module, problems) = Module::load(&files, &options);
        assert!(problems.is_empty(), "{problems:?}");
        let watch = Stopwatch::start();
        assert_eq!(value(&module, "sum(t.r)").to_string(), (n * (n - 1) / 2).to_string());
        watch.elapsed()
    };
    let (few, many) = (0..5).map(|_| (cost(800), cost(8_000))).min_by_key(|(_, many)| *many).unwrap();
    assert!(many <= few * 30 + Duration::from_millis(20), "{few:?} {many:?}");
}

/// Values for instances that a resource does not have are told up to the limit of diagnostics.
#[test]
fn values_for_no_instance_are_told_within_the_limit() {
    let files = one_file("resource \"t\" \"r\" {\n  count = 1\n}\n".to_owned());
    let given = |at: usize| ResourceValue { address: format!("t.r[{at}]"), value: Value::from(at as u64) };
    let resource_values = (0..5_000).map(given).collect();
    let (module, _) = Module::load(&files, &LoadOptions { resource_values, ..LoadOptions::default() });
    let limits = Limits { max_diagnostics: 10, ..Limits::default() };
    let (_, problems) = module.evaluate("t.r", &EvalOptions { limits, ..EvalOptions::default() });
    assert!(problems.len() <= 22, "{}", problems.len());
    assert_eq!(problems[0].code, "module.value.resource");
    assert_eq!(problems.last().unwrap().code, "limit.diagnostics");
}

/// Layers of locals, each of which refers to both of the layer before, behind the source of a module: as many ways lead down as
/// there are subsets of layers.
#[test]
fn locals_behind_a_source_are_followed_once() {
    let mut text = String::from("locals {\n  a0 = \"./m\"\n  b0 = \"\"\n");
    for n in 1..60 {
        let below = n - 1;
        writeln!(text, "  a{n} = local.a{below} == \"\" ? local.b{below} : local.a{below}").unwrap();
        writeln!(text, "  b{n} = local.b{below} == \"\" ? local.b{below} : local.a{below}").unwrap();
    }
    text += "}\nmodule \"m\" {\n  source = local.a59\n}\n";
    let files = TextFiles::from_iter([("main.tf", text), ("m/main.tf", String::new())]);
    let release = Release::by_name("opentofu").unwrap();
    let (_, problems) = Module::load(&files, &LoadOptions { release, ..LoadOptions::default() });
    assert!(problems.is_empty(), "{problems:?}");
}

/// Blocks inside a data source may nest as deep as the parser allows.
#[test]
fn data_sources_nest_deeply() {
    let n = 60_000;
    let text = format!("data \"t\" \"d\" {{\n{}{}}}\n", "b {\n".repeat(n), "}\n".repeat(n));
    let parse_limits = ParseLimits { max_depth: 100_000, ..ParseLimits::default() };
    let options = TemplateOptions { parse_limits, ..TemplateOptions::default() };
    let files = TextFiles::from_iter([("a.pkr.hcl", text)]);
    let (_, problems) = Template::read(".", &files, &options);
    assert!(problems.is_empty(), "{problems:?}");
}

/// Declarations in a file of values are told up to the limit of diagnostics, for each product.
#[test]
fn declarations_in_files_of_values_are_told_within_the_limit() {
    let declarations = "variable \"v\" {\n}\n".repeat(1_000);
    let limits = || Limits { max_diagnostics: 10, ..Limits::default() };
    let files = TextFiles::from_iter([
        ("main.tf", String::new()),
        ("a.pkr.hcl", String::new()),
        ("values.hcl", declarations),
    ]);
    let given = || vec![Given::File("values.hcl".to_owned())];
    let options = LoadOptions { given: given(), limits: limits(), ..LoadOptions::default() };
    let (_, of_module) = Module::load(&files, &options);

    let evaluation = EvalOptions { limits: limits(), ..EvalOptions::default() };
    let options = TemplateOptions { given: given(), evaluation, ..TemplateOptions::default() };
    let (_, of_template) = Template::read(".", &files, &options);

    let (body, _) = nomad::parse("a.nomad", b"job \"a\" {}".to_vec(), &ParseLimits::default()).unwrap();
    let mut evaluation = Evaluation::new(&EvalOptions { limits: limits(), ..EvalOptions::default() });
    let options = JobOptions { given: given(), ..JobOptions::default() };
    let (_, of_job) = Job::open(&body, &files, &options, &mut evaluation);
    for problems in [of_module, of_template, of_job] {
        assert_eq!(problems.len(), 11, "{problems:?}");
        assert_eq!(problems[10].code, "limit.diagnostics");
    }
}

/// Sources that are evaluated while a module is loaded count against one set of limits.
#[test]
fn sources_are_evaluated_within_the_limits_of_the_load() {
    for name in ["terraform", "opentofu"] {
        let release = Release::by_name(name).unwrap();
        let loaded = |n: usize| {
            let call = |at| {
                format!(
                    "module \"m{at}\" {{\n  source = \"./m${{length([for i in range(1000) : i]) - 1000}}\"\n}}\n"
                )
            };
            let text: String = (0..n).map(call).collect();
            let files = TextFiles::from_iter([("main.tf", text), ("m0/main.tf", String::new())]);
            let limits = Limits { max_elements: 5_000, ..Limits::default() };
            let options = LoadOptions { release, limits, ..LoadOptions::default() };
            let problems = Module::load(&files, &options).1;
            problems.iter().map(|one| one.code.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(loaded(2), [""; 0], "{name}");
        assert_eq!(loaded(20), ["limit.elements"], "{name}");
    }
}

/// A number that can be no count is told without all of its digits.
#[test]
fn counts_of_many_digits_are_told_shortly() {
    for (count, wanted) in
        [("-1e100000", "no less than none"), ("1e-5000", "a whole number"), ("1e100000", "")]
    {
        let files = TextFiles::from_iter([
            ("main.tf", format!("module \"m\" {{\n  source = \"./m\"\n  count = {count}\n}}\n")),
            ("m/main.tf", "output \"o\" {\n  value = 1\n}\n".to_owned()),
        ]);
        let problems = loaded(&files).check(&EvalOptions::default());
        assert!(problems[0].detail.contains(wanted), "{problems:?}");
        assert!(problems[0].detail.len() < 1_000, "{} bytes", problems[0].detail.len());
    }
}

/// A sentence that is taken over ends with one full stop.
#[test]
fn details_end_with_one_full_stop() {
    let long = "1e5000000";
    let variable = |lines: &str| format!("variable \"v\" {{\n{lines}\n}}\n");
    let rule = |lines: &str| variable(&format!("default = \"x\"\nvalidation {{\n{lines}\n}}"));
    let job = |text: String| {
        let text = text + "job \"a\" {}\n";
        let (body, _) = nomad::parse("a.nomad", text.into(), &ParseLimits::default()).unwrap();
        let mut evaluation = Evaluation::new(&EvalOptions::default());
        Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation).1
    };
    let message = format!("condition = var.v == \"\"\nerror_message = {long}");
    for text in [
        variable(&format!("description = {long}")),
        variable(&format!("type = string\ndefault = {long}")),
        rule(&message),
    ] {
        let problems = job(text);
        assert!(problems[0].detail.ends_with("bytes."), "{problems:?}");
    }
    let (_, problems) = load(&one_file(variable(&format!("type = string\ndefault = {long}"))));
    assert!(problems[0].detail.ends_with("bytes."), "{problems:?}");
}
