//! Modules through the library's interface: what a program that loads a folder relies on.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use hcl_eval::Value;
use hcl_eval::eval::EvalOptions;
use hcl_eval::host::MemoryHost;
use hcl_eval::limits::{CancelToken, Limits};
use hcl_module::packer::{Template, TemplateOptions};
use hcl_module::{DeclaredKind, FileError, Files, Given, LoadOptions, Module, Release, TextFiles};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use stopwatch::Stopwatch;

fn load(files: &[(&str, &str)], options: &LoadOptions<'_>) -> (Module, Diagnostics) {
    let files: TextFiles = files.iter().map(|(path, text)| (*path, *text)).collect();
    Module::load(&files, options)
}

fn loaded(files: &[(&str, &str)]) -> (Module, Diagnostics) {
    load(files, &LoadOptions::default())
}

fn module(files: &[(&str, &str)]) -> Module {
    let (module, problems) = loaded(files);
    assert!(problems.is_empty(), "{problems:?}");
    module
}

fn titles(diagnostics: &Diagnostics) -> Vec<&str> {
    diagnostics.iter().map(|one| &*one.summary).collect()
}

fn json(module: &Module, expression: &str) -> String {
    let (value, problems) = module.evaluate(expression, &EvalOptions::default());
    assert!(!has_errors(&problems), "{problems:?}");
    value.unwrap().to_json().unwrap()
}

#[test]
fn an_object_is_shared_by_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Module>();
    let text: String = (1..200).fold("locals {\n  l0 = 0\n".to_owned(), |mut text, at| {
        writeln!(text, "  l{at} = local.l{} + 1", at - 1).unwrap();
        text
    }) + "}\n";
    let module = module(&[("main.tf", &text)]);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(json(&module, "local.l199"), "199"));
        }
    });
}

#[test]
fn only_what_is_needed_is_evaluated() {
    let files = [("main.tf", "locals {\n  bad  = [][0]\n  good = 1\n  uses = local.bad\n}\n")];
    let module = module(&files);
    assert_eq!(json(&module, "local.good"), "1");
    let (value, problems) = module.evaluate("local.uses", &EvalOptions::default());
    assert!(value.is_none());
    assert_eq!(titles(&problems), ["Invalid index", "Reference to uninitialized local value"]);
    assert_eq!(titles(&module.check(&EvalOptions::default())), ["Invalid index"]);
}

#[test]
fn addresses_name_outputs_and_what_modules_give() {
    let module = module(&[
        (
            "main.tf",
            "module \"net\" {\n  source = \"./net\"\n}\noutput \"all\" {\n  value = module.net.name\n}\n\
             module \"two\" {\n  source = \"./net\"\n  for_each = toset([\"output.x\"])\n}\n\
             output \"parts\" {\n  value = [\"n\", { b = \"n\" }]\n}\n\
             locals {\n  bad = [][0]\n}\noutput \"bad\" {\n  value = local.bad\n}\n",
        ),
        ("net/main.tf", "output \"name\" {\n  value = \"n\"\n}\n"),
    ]);
    let addresses = [
        "output.all",
        "output.parts[0]",
        "output.parts[1].b",
        "module.net.output.name",
        "module.net.name",
        "module.two[\"output.x\"].output.name",
    ];
    for address in addresses {
        let (value, problems) = module.evaluate_address(address, &EvalOptions::default());
        assert!(problems.is_empty(), "{address}: {problems:?}");
        assert_eq!(value.unwrap().as_str(), Some("n"), "{address}");
    }
    assert_eq!(
        titles(&module.evaluate("output.all", &EvalOptions::default()).1),
        ["Reference to undeclared resource"]
    );
    let (value, problems) = module.evaluate_address("output.bad", &EvalOptions::default());
    assert!(value.is_none());
    assert_eq!(titles(&problems), ["Invalid index"]);
    let (value, problems) = module.evaluate_address("output.none", &EvalOptions::default());
    assert!(value.is_none() && has_errors(&problems));
}

#[test]
fn an_address_that_names_nothing_is_told_as_it_was_given() {
    let module = module(&[
        (
            "main.tf",
            "module \"net\" {\n  source = \"./net\"\n}\noutput \"all\" {\n  value = local.bad\n}\nlocals {\n  bad = [][0]\n}\n",
        ),
        ("net/main.tf", "output \"name\" {\n  value = \"n\"\n}\n"),
    ]);
    for address in ["output.all", "module.net.output.name", "local.bad", "[local.bad]"] {
        assert_eq!(titles(&module.check_address(address)), [""; 0], "{address}");
    }
    for (address, title) in [
        ("output.none", "Reference to undeclared output"),
        ("module.net.output.zzz", "Reference to undeclared output"),
        ("module.net.zzz", "Reference to undeclared output"),
        ("local.none", "Reference to undeclared local value"),
        ("[var.none]", "Reference to undeclared input variable"),
        ("output.", "Invalid attribute name"),
    ] {
        let problems = module.check_address(address);
        assert_eq!(titles(&problems), [title], "{address}");
        let (_, evaluated) = module.evaluate_address(address, &EvalOptions::default());
        for problem in problems.iter().chain(&evaluated) {
            let shown = problem.source.as_ref().map_or(address, |source| source.text());
            assert_eq!(shown, address);
        }
    }
}

#[test]
fn what_is_declared_and_what_is_missing() {
    let module = module(&[(
        "main.tf",
        "variable \"a\" {\n  type = list(string)\n}\nvariable \"b\" {\n  default = 1\n}\nlocals {\n  c = 1\n}\nresource \"t\" \"r\" {\n}\n",
    )]);
    let declared: Vec<_> = module.declared().into_iter().map(|one| (one.kind, one.address)).collect();
    let named = |kind, address: &str| (kind, address.to_owned());
    assert_eq!(
        declared,
        [
            named(DeclaredKind::Variable, "var.a"),
            named(DeclaredKind::Variable, "var.b"),
            named(DeclaredKind::Local, "local.c"),
            named(DeclaredKind::Resource, "t.r"),
        ]
    );
    assert_eq!(module.missing_variables(), ["a"]);
    assert_eq!(titles(&module.demand_variables()), ["No value for required variable"]);
    let (value, _) = module.evaluate("length(var.a) + var.b", &EvalOptions::default());
    assert!(!value.unwrap().is_known());
}

#[test]
fn values_are_given_in_an_order() {
    let files = [
        (
            "main.tf",
            "variable \"a\" {\n  default = \"default\"\n}\nvariable \"n\" {\n  type = number\n  default = 0\n}\n",
        ),
        ("terraform.tfvars", "a = \"named\"\n"),
        ("z.auto.tfvars", "a = \"auto\"\n"),
        ("last.tfvars", "a = \"last\"\n"),
    ];
    let with = |given: Vec<Given>| {
        let (module, problems) = load(&files, &LoadOptions { given, ..LoadOptions::default() });
        assert!(problems.is_empty(), "{problems:?}");
        json(&module, "[var.a, var.n]")
    };
    assert_eq!(with(Vec::new()), r#"["auto",0]"#);
    let assigned = Given::Assignment("a=[1]".to_owned());
    let file = Given::File("last.tfvars".to_owned());
    assert_eq!(with(vec![file.clone(), assigned.clone()]), r#"["[1]",0]"#);
    assert_eq!(with(vec![assigned, file]), r#"["last",0]"#);
    let typed = Given::Value { name: "a".to_owned(), value: Value::tuple(vec![Value::TRUE]) };
    assert_eq!(with(vec![typed, Given::Text { name: "n".to_owned(), text: "7".to_owned() }]), "[[true],7]");
}

/// Seconds of processor time that something takes, the least of a few times.
fn seconds(mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let start = Stopwatch::start();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| once(&mut run)).fold(f64::INFINITY, f64::min)
}

/// How many times longer ten times as much takes.
fn growth(text: impl Fn(usize) -> String, expression: impl Fn(usize) -> String) -> f64 {
    let time = |n: usize| {
        let text = text(n);
        let expression = expression(n);
        seconds(|| {
            let module = module(&[("main.tf", &text)]);
            let (value, problems) = module.evaluate(&expression, &EvalOptions::default());
            assert!(value.is_some() && problems.is_empty(), "{problems:?}");
        })
    };
    time(10_000) / time(1_000)
}

#[test]
fn chains_and_stars_take_time_of_their_size() {
    let chain = |n: usize| {
        (1..n).fold("locals {\n  l0 = 0\n".to_owned(), |mut text, at| {
            writeln!(text, "  l{at} = local.l{} + 1", at - 1).unwrap();
            text
        }) + "}\n"
    };
    let star = |n: usize| {
        let mut text = "locals {\n  hub = 1\n".to_owned();
        let mut all = "  all = [".to_owned();
        for at in 0..n {
            writeln!(text, "  l{at} = local.hub + {at}").unwrap();
            write!(all, "local.l{at},").unwrap();
        }
        text + &all + "]\n}\n"
    };
    let of_chain = growth(chain, |n| format!("local.l{}", n - 1));
    let of_star = growth(star, |_| "length(local.all)".to_owned());
    // Linear is 10; machines that do other things too are given room.
    assert!(of_chain < 20.0 && of_star < 20.0, "{of_chain} {of_star}");
}

#[test]
fn rings_are_told_with_their_members() {
    let module =
        module(&[("main.tf", "locals {\n  a = local.b\n  b = local.c\n  c = local.a\n  d = 1\n}\n")]);
    let (value, problems) = module.evaluate("local.b", &EvalOptions::default());
    assert!(value.is_none());
    assert!(problems[0].summary.starts_with("Cycle: "), "{problems:?}");
    for member in ["local.a", "local.b", "local.c"] {
        assert!(problems[0].summary.contains(member));
    }
    assert_eq!(json(&module, "local.d"), "1");

    // Of a long ring the beginning is named.
    let many: String = (0..100).map(|n| format!("  m{n} = local.m{}\n", (n + 1) % 100)).collect();
    let long = self::module(&[("main.tf", &format!("locals {{\n{many}}}\n"))]);
    let problems = long.validate(&EvalOptions::default());
    let [only] = titles(&problems)[..] else { panic!("{problems:?}") };
    assert!(only.matches("local.m").count() == 32 && only.ends_with(" (expand), and 68 more"), "{only}");

    // Blocks that stand for themselves are not said to be expanded.
    let text = "locals {\n  a = terraform_data.b.output\n}\nresource \"terraform_data\" \"b\" {\n  input = module.c.d\n}\n\
                module \"c\" {\n  source = \"./c\"\n  v = local.a\n}\n";
    let inner = "variable \"v\" {}\noutput \"d\" {\n  value = var.v\n}\n";
    let ring = self::module(&[("main.tf", text), ("c/main.tf", inner)]);
    let problems = ring.validate(&EvalOptions::default());
    let told =
        "Cycle: local.a (expand), terraform_data.b, module.c.output.d (expand), module.c.var.v (expand)";
    assert_eq!(titles(&problems), [told]);
}

#[test]
fn modules_that_call_themselves_come_to_an_end() {
    let (_, problems) =
        load(&[("main.tf", "module \"a\" {\n  source = \"./.\"\n}\n")], &LoadOptions::default());
    assert_eq!(titles(&problems), ["Module calls itself"]);
    let text = "module \"a\" {\n  source = \"./${var.f}\"\n}\nmodule \"b\" {\n  source = \"./${var.f}\"\n}\n\
                variable \"f\" {\n  default = \"\"\n  const = true\n}\n";
    let (module, problems) = load(&[("main.tf", text)], &LoadOptions::default());
    assert!(!module.can_be_evaluated());
    assert!(problems.iter().any(|one| one.code == "limit.modules"), "{problems:?}");
}

#[test]
fn modules_nest_a_thousand_levels_deep() {
    let mut files: Vec<(String, String)> = Vec::new();
    for level in 0..=999 {
        let path = if level == 0 { "main.tf".to_owned() } else { format!("m{level}/main.tf") };
        let folder = if level == 0 { format!("./m{}", level + 1) } else { format!("../m{}", level + 1) };
        files.push((path, format!(
            "variable \"n\" {{\n  default = 0\n}}\nmodule \"m\" {{\n  source = \"{folder}\"\n  n = var.n + 1\n}}\noutput \"n\" {{\n  value = module.m.n\n}}\n"
        )));
    }
    files.push((
        "m1000/main.tf".to_owned(),
        "variable \"n\" {}\noutput \"n\" {\n  value = var.n\n}\n".to_owned(),
    ));
    let files: TextFiles = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (module, problems) = Module::load(&files, &LoadOptions::default());
    assert!(problems.is_empty(), "{:?}", problems.first());
    assert_eq!(json(&module, "module.m.n"), "1000");
}

#[test]
fn counts_are_bounded() {
    let files = [
        ("main.tf", "module \"a\" {\n  source = \"./a\"\n  count = 1000000000\n}\nlocals {\n  b = 1\n}\n"),
        ("a/main.tf", "output \"x\" {\n  value = 1\n}\n"),
    ];
    let module = module(&files);
    let problems = module.check(&EvalOptions::default());
    assert_eq!(titles(&problems), ["Too many instances"]);
    assert_eq!(json(&module, "local.b"), "1");
}

#[test]
fn what_a_limit_interrupts_is_not_kept() {
    let module = module(&[("main.tf", "locals {\n  a = length(range(1000))\n}\n")]);
    let tight =
        EvalOptions { limits: Limits { max_elements: 10, ..Limits::default() }, ..EvalOptions::default() };
    let (value, problems) = module.evaluate("local.a", &tight);
    assert!(value.is_none() && problems[0].code.starts_with("limit."), "{problems:?}");
    assert_eq!(json(&module, "local.a"), "1000");
}

#[test]
fn deadlines_and_cancelling_end_an_evaluation() {
    let text = "locals {\n  a = [for i in range(1024) : [for j in range(1024) : [for k in range(1024) : i * j * k]]]\n}\n";
    let module = module(&[("main.tf", text)]);
    let soon = Limits { deadline: Some(Instant::now() + Duration::from_millis(30)), ..Limits::default() };
    let (_, problems) = module.evaluate("local.a", &EvalOptions { limits: soon, ..EvalOptions::default() });
    assert!(problems[0].code.starts_with("limit."), "{problems:?}");
    let cancel = CancelToken::new();
    cancel.trigger();
    let cancelled = Limits { cancel: Some(cancel), ..Limits::default() };
    let (_, problems) =
        module.evaluate("local.a", &EvalOptions { limits: cancelled, ..EvalOptions::default() });
    assert!(problems[0].code.starts_with("limit."), "{problems:?}");
}

/// Constants that are read by themselves, and texts of the command line, are parts of the load too.
#[test]
fn constants_keep_within_the_limits_of_the_load() {
    let large = "\"${[for n in [1, 2, 3, 4, 5, 6] : n][0]}\"";
    let limits = Limits { max_elements: 10, ..Limits::default() };
    for text in [
        format!(
            "terraform {{\n  required_providers {{\n    a = {{\n      source = {large}\n    }}\n  }}\n}}\n"
        ),
        format!("provider \"a\" {{\n  alias = {large}\n}}\n"),
    ] {
        let options = LoadOptions { limits: limits.clone(), ..LoadOptions::default() };
        assert_eq!(titles(&load(&[("main.tf", &text)], &options).1), ["Too many elements"], "{text}");
    }
    let plugin = format!(
        "packer {{\n  required_plugins {{\n    a = {{\n      version = {large}\n      source = \"x\"\n    }}\n  }}\n}}\n"
    );
    let variable = "variable \"a\" {\n  type = list(number)\n}\n".to_owned();
    let given = vec![Given::Assignment("a=[1,2,3,4,5,6,7,8,9,10,11]".to_owned())];
    for (text, given) in [(plugin, Vec::new()), (variable, given)] {
        let files = TextFiles::from_iter([("main.pkr.hcl", text.as_str())]);
        let evaluation = EvalOptions { limits: limits.clone(), ..EvalOptions::default() };
        let options = TemplateOptions { given, evaluation, ..TemplateOptions::default() };
        assert_eq!(titles(&Template::read(".", &files, &options).1), ["Too many elements"], "{text}");
    }
}

/// A folder in which one file can't be read.
struct Locked;

impl Files for Locked {
    fn names_in(&self, _: &str) -> Result<Vec<String>, FileError> {
        Ok(vec!["a.tf".to_owned(), "locked.tf".to_owned()])
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        match path {
            "a.tf" => Ok(b"locals {\n  a = 1\n}\n".to_vec()),
            _ => Err(FileError::Failed("permission denied".to_owned())),
        }
    }
}

/// A path that is neither a folder nor a file that can be read.
struct Unreadable(FileError, FileError);

impl Files for Unreadable {
    fn names_in(&self, _: &str) -> Result<Vec<String>, FileError> {
        Err(self.0.clone())
    }

    fn read(&self, _: &str) -> Result<Vec<u8>, FileError> {
        Err(self.1.clone())
    }
}

#[test]
fn a_template_that_is_not_there_has_the_words_of_all_that_is_not_there() {
    let told = |as_folder: FileError, as_file: FileError| {
        let files = Unreadable(as_folder, as_file);
        Template::read("a.pkr.hcl", &files, &TemplateOptions::default()).1[0].detail.clone()
    };
    let locked = || FileError::Failed("it is locked".to_owned());
    let nowhere = "It can't be read: there is no such file or folder. A template";
    assert!(told(FileError::NotFound, FileError::NotFound).starts_with(nowhere));
    let both = "It can't be read: it is locked; as a folder: there is no such file or folder. A template";
    assert!(told(FileError::NotFound, locked()).starts_with(both));
    let (_, problems) =
        Module::load(&Unreadable(FileError::NotFound, FileError::NotFound), &LoadOptions::default());
    assert!(problems[0].detail.contains("as a module: there is no such file or folder."), "{problems:?}");
}

#[test]
fn files_that_cant_be_read_do_not_hide_others() {
    let (module, problems) = Module::load(&Locked, &LoadOptions::default());
    assert_eq!(titles(&problems), ["Failed to read file"]);
    assert!(!module.can_be_evaluated());
    assert_eq!(module.declared()[0].address, "local.a");
    let (module, problems) = load(&[], &LoadOptions::default());
    assert!(problems.is_empty());
    assert_eq!(json(&module, "path.module"), "\".\"");
}

#[test]
fn releases_differ() {
    let files = [
        ("main.tf", "module \"c\" {\n  source = \"./c\"\n}\n"),
        ("c/main.tf", "output \"x\" {\n  value = \"bare\"\n  sensitive = true\n}\n"),
    ];
    let is_marked = |release: &str| {
        let release = Release::by_name(release).unwrap();
        let (module, _) = load(&files, &LoadOptions { release, ..LoadOptions::default() });
        module.evaluate("module.c.x", &EvalOptions::default()).0.unwrap().is_marked()
    };
    assert!(is_marked("terraform") && is_marked("opentofu") && !is_marked("terraform-1.11"));
}

#[test]
fn a_template_reads_files_beside_itself_wherever_it_is_asked() {
    let text = "local \"l\" {\n  expression = file(\"own.txt\")\n}\nsource \"null\" \"x\" {}\nbuild {\n  sources = [\"null.x\"]\n  \
                provisioner \"shell\" {\n    inline = [file(\"own.txt\"), local.l]\n  }\n}\n";
    let files = TextFiles::from_iter([("site/a.pkr.hcl", text)]);
    let host = MemoryHost::new().with_file("site/own.txt", "own").with_file("own.txt", "other");
    let evaluation = EvalOptions { host: Some(&host), ..EvalOptions::default() };
    let options = TemplateOptions { evaluation: evaluation.clone(), ..TemplateOptions::default() };
    let (template, problems) = Template::read("site", &files, &options);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(template.locals()["l"].as_str(), Some("own"));
    let (whole, problems) = template.structure(&evaluation);
    assert!(problems.is_empty(), "{problems:?}");
    let whole = whole.unwrap().to_json().unwrap();
    assert!(whole.contains(r#""inline":["own","own"]"#), "{whole}");
}

#[test]
fn modules_demand_releases_by_their_newest_versions() {
    let said = |release: &str, text: &str| {
        let release = Release::by_name(release).unwrap();
        let (module, problems) =
            load(&[("main.tf", text)], &LoadOptions { release, ..LoadOptions::default() });
        let problems = problems.into_iter().chain(module.validate(&EvalOptions::default()));
        problems.map(|one| one.summary.to_string()).collect::<Vec<_>>()
    };
    let of_terraform = |demand: &str| format!("terraform {{\n  required_version = \"{demand}\"\n}}\n");
    for (release, version) in
        [("terraform", "1.15.9"), ("terraform-1.14", "1.14.0"), ("terraform-1.11", "1.11.4")]
    {
        assert_eq!(said(release, &of_terraform(&format!("= {version}"))), [""; 0]);
        let refused = said(release, &of_terraform(&format!("> {version}")));
        assert_eq!(refused, ["Unsupported Terraform Core version"], "{release}");
    }
    let of_tofu =
        |demand: &str| format!("language {{\n  compatible_with {{\n    opentofu = \"{demand}\"\n  }}\n}}\n");
    assert_eq!(said("opentofu", &of_tofu("= 1.12.6")), [""; 0]);
    assert_eq!(said("opentofu", &of_tofu("> 1.12.6")), ["Incompatible module"]);
}

#[test]
fn modules_that_are_not_here_are_told_to_those_who_need_them() {
    let module = module(&[(
        "main.tf",
        "module \"far\" {\n  source = \"hashicorp/consul/aws\"\n}\nlocals {\n  near = 1\n  far = module.far.x\n}\n",
    )]);
    let told = |problems: &Diagnostics| problems.iter().map(|one| one.code.clone()).collect::<Vec<_>>();
    for (expression, wanted) in [
        ("local.near", vec![]),
        ("local.far", vec!["module.source.remote"]),
        ("module.far", vec!["module.source.remote"]),
        ("[module.far.a, local.far]", vec!["module.source.remote"]),
    ] {
        let (value, problems) = module.evaluate(expression, &EvalOptions::default());
        assert!(value.is_some(), "{expression}");
        assert_eq!(told(&problems), wanted, "{expression}");
    }
    assert_eq!(told(&module.check(&EvalOptions::default())), ["module.source.remote"]);
    assert_eq!(told(&module.scope_of_everything(None, &EvalOptions::default()).1), ["module.source.remote"]);
    assert_eq!(told(&module.validate(&EvalOptions::default())), ["module.source.remote"]);
}

#[test]
fn modules_that_the_product_has_fetched_are_found() {
    let list = "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},\
                {\"Key\":\"far\",\"Source\":\"registry.terraform.io/hashicorp/consul/aws\",\"Version\":\"0.1.0\",\
                \"Dir\":\".terraform/modules/far\"},\
                {\"Key\":\"far.further\",\"Source\":\"git::https://example.com/x.git\",\"Dir\":\".terraform/modules/x\"}]}";
    let module = module(&[
        ("main.tf", "module \"far\" {\n  source = \"hashicorp/consul/aws\"\n  version = \"~> 0.1\"\n}\n"),
        (".terraform/modules/modules.json", list),
        (
            ".terraform/modules/far/main.tf",
            "module \"further\" {\n  source = \"git::https://example.com/x.git\"\n}\noutput \"o\" {\n  value = [path.module, module.further.o]\n}\n",
        ),
        (".terraform/modules/x/main.tf", "output \"o\" {\n  value = path.module\n}\n"),
    ]);
    assert_eq!(json(&module, "module.far.o"), r#"[".terraform/modules/far",".terraform/modules/x"]"#);
    assert!(module.check(&EvalOptions::default()).is_empty());
}

#[test]
fn override_files_have_no_rules_checks_and_moves() {
    let rule = "{\n    condition = true\n    nope = 1\n  }";
    let over = format!(
        "variable \"w\" {{\n  validation {rule}\n}}\noutput \"o\" {{\n  precondition {rule}\n}}\ncheck \"x\" {{\n}}\n\
         removed {{\n  from = a.b\n}}\nmoved {{\n  from = a.b\n  to = a.c\n}}\n\
         resource \"a\" \"b\" {{\n  lifecycle {{\n    precondition {rule}\n  }}\n}}\n"
    );
    let refused = |what: &str| format!("Can't override {what} blocks");
    let wanted = [
        refused("validation"),
        refused("precondition"),
        refused("check"),
        refused("precondition"),
        "Missing base variable declaration to override".to_owned(),
        "Missing base output definition to override".to_owned(),
        "Missing resource to override".to_owned(),
        "Cannot override 'moved' blocks".to_owned(),
    ];
    assert_eq!(titles(&loaded(&[("override.tf", &over)]).1), wanted);
}

#[test]
fn types_with_errors_of_syntax_are_no_types() {
    let titles_of = |name: &str, text: &str| {
        let (_, problems) = loaded(&[(name, text)]);
        problems.iter().map(|one| one.summary.to_string()).collect::<Vec<_>>()
    };
    let none = "variable \"a\" {\n  type =\n}\n";
    assert_eq!(titles_of("main.tf", none), ["Invalid expression", "Invalid type specification"]);
    for ty in ["set(setnumber))", "map({ = bool })", "strin"] {
        let json = format!("{{\"variable\": {{\"a\": {{\"type\": \"{ty}\"}}}}}}");
        assert_eq!(titles_of("main.tf.json", &json), ["Invalid type specification"], "{ty}");
    }
}

#[test]
fn a_call_that_is_repeated_by_something_wrong_keeps_its_place() {
    let files = [
        (
            "main.tf",
            "module \"a\" {\n  source = \"./a\"\n  for_each = { x = -1, y = 1 }\n  n = each.value\n}\n",
        ),
        (
            "a/main.tf",
            "variable \"n\" {}\nmodule \"b\" {\n  source = \"./b\"\n  count = var.n\n}\noutput \"all\" {\n  value = module.b\n}\n",
        ),
        ("a/b/main.tf", "output \"o\" {\n  value = 7\n}\n"),
        (
            "c.tf",
            "module \"k\" {\n  source = \"./a/b\"\n  for_each = [1]\n}\nmodule \"n\" {\n  source = \"./a/b\"\n  count = -1\n}\n",
        ),
    ];
    let load = |release| load(&files, &LoadOptions { release, ..LoadOptions::default() }).0;
    let tofu = load(Release::OPENTOFU);
    let shown = |module: &Module, expression: &str| {
        let (value, problems) = module.evaluate(expression, &EvalOptions::default());
        (value.and_then(|value| value.to_json().ok()), titles(&problems).join(", "))
    };
    let shows = |json: &str, title: &str| (Some(json.to_owned()), title.to_owned());
    assert_eq!(shown(&tofu, "module.k"), shows("{}", "Invalid for_each argument"));
    assert_eq!(shown(&tofu, "module.n"), shows("[]", "Invalid count argument"));
    let terraform = load(Release::TERRAFORM);
    assert_eq!(shown(&terraform, "module.k"), (None, "Invalid for_each argument".to_owned()));
    assert_eq!(titles(&terraform.check(&EvalOptions::default())).len(), 3);
}

#[test]
fn what_could_be_read_of_a_file_with_errors_is_looked_at() {
    let (_, problems) = loaded(&[
        ("a.tf", "variable \"a\" {\n  nope = 1\n}\nlocals {\n  x =\n}\nvariable \"lost\" {\n"),
        ("b.tf", "variable \"a\" {\n}\noutput \"o\" {\n}\n"),
    ]);
    assert_eq!(
        titles(&problems),
        [
            "Invalid expression",
            "Unsupported argument",
            "Missing required argument",
            "Duplicate variable declaration"
        ]
    );
    // Nobody knows what else a module declares that has files with errors.
    let (_, problems) = loaded(&[
        ("main.tf", "module \"c\" {\n  source = \"./c\"\n  a = 1\n  b = 1\n}\n"),
        ("c/a.tf", "variable \"a\" {}\nlocals {\n  x = [\n"),
        ("c/b.tf", "output \"o\" {\n  value = 1\n  nope = 1\n}\n"),
    ]);
    assert_eq!(titles(&problems), ["Missing expression", "Unsupported argument"]);
}

#[test]
fn a_failed_validation_is_told_whatever_is_asked_first() {
    let text = "variable \"x\" {\n  default = -1\n  validation {\n    condition = var.x > 0\n    error_message = \"No.\"\n  }\n}\n\
                output \"o\" {\n  value = var.x\n}\n";
    for order in [["var.x", "output.o"], ["output.o", "var.x"]] {
        let module = module(&[("main.tf", text)]);
        for address in order {
            let (_, problems) = module.evaluate_address(address, &EvalOptions::default());
            assert_eq!(titles(&problems), ["Invalid value for variable"], "{address} of {order:?}");
        }
        assert_eq!(titles(&module.check(&EvalOptions::default())), ["Invalid value for variable"]);
    }
}

/// The message is the module's own; which condition it is about and what its names were is said beside it.
#[test]
fn a_broken_condition_is_told_with_its_place_and_the_values_of_its_names() {
    let told = |sensitive: bool, release: &str| {
        let text = format!(
            "variable \"port\" {{\n  type = number\n  sensitive = {sensitive}\n  validation {{\n    \
             condition = var.port > 1023\n    error_message = \"Reserved.\"\n  }}\n}}\n"
        );
        let release = Release::by_name(release).unwrap();
        let given = vec![Given::Assignment("port=80".to_owned())];
        let options = LoadOptions { release, given, ..LoadOptions::default() };
        let (module, problems) = load(&[("main.tf", &text)], &options);
        assert!(problems.is_empty());
        let mut problems = module.check(&EvalOptions::default());
        assert_eq!(problems.len(), 1);
        let problem = problems.remove(0);
        let values: Vec<String> = problem
            .values
            .iter()
            .map(|value| format!("{} {}", value.expression, value.description))
            .collect();
        (problem.detail, values.join(", "))
    };
    for release in ["terraform", "terraform-1.11", "opentofu"] {
        let (detail, values) = told(false, release);
        assert_eq!(detail, "Reserved.\nThe condition of var.port at main.tf:5,17-32 does not hold.");
        assert_eq!(values, "var.port is 80");
        let (_, hidden) = told(true, release);
        assert!(!hidden.contains("80"), "{release}: {hidden}");
    }

    let rule = "precondition {\n    condition = local.n > 1\n    error_message = \"Few.\"\n  }";
    let text = format!("locals {{\n  n = 1\n}}\noutput \"o\" {{\n  value = 1\n  {rule}\n}}\n");
    let problems = module(&[("main.tf", &text)]).check(&EvalOptions::default());
    assert_eq!((problems[0].detail.as_str(), problems[0].values[0].description.as_str()), ("Few.", "is 1"));
}

/// A given value is no mistake of its own where nobody knows which variables there are.
#[test]
fn a_folder_that_can_t_be_read_is_the_only_complaint() {
    let given = vec![Given::Assignment("a=1".to_owned())];
    let options = LoadOptions { folder: "nowhere".to_owned(), given, ..LoadOptions::default() };
    let (_, problems) = load(&[("main.tf", "variable \"a\" {}\n")], &options);
    assert_eq!(titles(&problems), ["Unreadable module directory"]);
    assert!(problems[0].detail.ends_with("no such file or folder."), "{}", problems[0].detail);
}

#[test]
fn a_local_is_not_meant_by_its_own_expression() {
    let asked = |locals: &str| {
        let (module, _) = loaded(&[("main.tf", &format!("locals {{\n{locals}}}\n"))]);
        module.check(&EvalOptions::default()).remove(0).detail
    };
    assert_eq!(asked("  a = local.b\n"), "The module has no local value \"b\".");
    assert!(asked("  a = local.b\n  c = 1\n").ends_with("Did you mean \"c\"?"));
}

#[test]
fn messages_that_can_t_be_shown_are_told_as_the_product_tells_them() {
    let condition = |message: &str| {
        let (module, problems) = loaded(&[(
            "main.tf",
            &format!(
                "variable \"b\" {{}}\nvariable \"s\" {{\n  default = \"s\"\n  sensitive = true\n}}\n\
                 variable \"a\" {{\n  default = 1\n  validation {{\n    condition = var.a == 2\n    error_message = {message}\n  }}\n}}\n"
            ),
        )]);
        assert!(problems.is_empty());
        module.check(&EvalOptions::default()).iter().map(|one| one.summary.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(condition("null"), ["Invalid value for variable"]);
    assert_eq!(condition("[1]"), ["Invalid error message", "Invalid value for variable"]);
    assert_eq!(condition("\"It is ${var.b}.\""), ["Invalid error message"]);
    assert_eq!(condition("[][0]"), ["Invalid index", "Invalid error message"]);
    assert_eq!(
        condition("var.s"),
        ["Error message refers to sensitive values", "Invalid value for variable"]
    );
}

#[test]
fn messages_are_made_whether_they_are_needed_or_not() {
    let told = |block: &str, release: &str| {
        let text = format!(
            "variable \"u\" {{}}\nvariable \"s\" {{\n  default = \"s\"\n  sensitive = true\n}}\n{block}"
        );
        let options = LoadOptions { release: Release::by_name(release).unwrap(), ..LoadOptions::default() };
        let (module, problems) = load(&[("main.tf", &text)], &options);
        assert!(problems.is_empty(), "{problems:?}");
        module.check(&EvalOptions::default()).iter().map(|one| one.summary.to_string()).collect::<Vec<_>>()
    };
    let rule = |condition: &str, message: &str| {
        format!("{{\n    condition = {condition}\n    error_message = {message}\n  }}\n}}\n")
    };
    let variable = |condition: &str, message: &str| {
        format!("variable \"a\" {{\n  default = 1\n  validation {}", rule(condition, message))
    };
    let output = |condition: &str, message: &str| {
        format!("output \"o\" {{\n  value = 1\n  precondition {}", rule(condition, message))
    };
    let of_sensitive = "Error message refers to sensitive values";
    for (block, wanted) in [
        (variable("var.a == 1", "[][0]"), vec!["Invalid index"]),
        (variable("var.a == var.u", "[][0]"), vec!["Invalid index"]),
        (variable("var.a == 1", "[]"), vec![]),
        (output("var.s == var.u", "null"), vec!["Invalid error message"]),
        (output("path.module", "[]"), vec!["Invalid error message"]),
        (output("path.module == \".\"", "var.s"), vec![of_sensitive]),
        (output("path.module", "var.u"), vec!["Invalid condition result"]),
    ] {
        assert_eq!(told(&block, "terraform"), wanted, "{block}");
    }
    assert_eq!(told(&variable("var.a == 1", "[][0]"), "opentofu"), [""; 0]);
    // A condition that does not hold is told whatever its message is.
    for message in ["null", "[]"] {
        let broken = output("path.module == \"x\"", message);
        assert_eq!(told(&broken, "opentofu"), ["Module output value precondition failed"]);
        assert_eq!(told(&broken, "terraform"), ["Invalid error message"]);
    }
    // Of what is not known nobody can say that it is no truth value.
    let object = format!("variable \"a\" {{\n  type = object({{}})\n  validation {}", rule("var.a", "\"x\""));
    assert_eq!(told(&object, "terraform"), [""; 0]);
}

#[test]
fn a_wrong_default_is_held_against_overrides_as_the_product_does() {
    let null = "variable \"a\" {\n  default = null\n  nullable = false\n}\n";
    let text = "variable \"a\" {\n  default = \"x\"\n  type = number\n}\n";
    for (base, over, n_errors) in [
        (null, "variable \"a\" {\n}\n", 2),
        (null, "variable \"a\" {\n  nullable = true\n}\n", 1),
        (null, "variable \"a\" {\n  default = 1\n}\n", 1),
        (text, "variable \"a\" {\n}\n", 1),
        (text, "variable \"a\" {\n  type = bool\n}\n", 1),
    ] {
        let (_, problems) = loaded(&[("main.tf", base), ("main_override.tf", over)]);
        assert_eq!(titles(&problems), vec!["Invalid default value for variable"; n_errors], "{base}{over}");
    }
}

#[test]
fn a_splat_over_a_resource_is_not_known_before_a_plan() {
    let files = [(
        "main.tf",
        "resource \"terraform_data\" \"s\" {\n}\noutput \"a\" {\n  value = terraform_data.s[*].nope\n}\n",
    )];
    // Since 1.14 a single one is an object, whose attributes are not known.
    for (release, wanted) in [("terraform-1.11", &[][..]), ("terraform", &["Unsupported attribute"])] {
        let release = Release::by_name(release).unwrap();
        let (module, problems) = load(&files, &LoadOptions { release, ..LoadOptions::default() });
        assert!(problems.is_empty());
        assert_eq!(titles(&module.validate(&EvalOptions::default())), wanted);
    }
}

/// The diagnostics of a module without values: titles and lines, as Terraform tells them.
fn validated(files: &[(&str, &str)]) -> Vec<(String, u32)> {
    let (module, problems) =
        Module::load(&TextFiles::from_iter(files.iter().copied()), &LoadOptions::default());
    let all = problems.into_iter().chain(module.validate(&EvalOptions::default()));
    let line = |one: &hcl_syntax::diagnostic::Diagnostic| one.subject.as_ref().map_or(0, |at| at.start.line);
    all.map(|one| (one.summary.to_string(), line(&one))).collect()
}

#[test]
fn checks_and_imports_are_looked_at() {
    let text = "check \"a\" {\n  assert {\n    condition     = var.none\n    error_message = \"x\"\n  }\n}\n\
        resource \"terraform_data\" \"c\" {}\nimport {\n  to = terraform_data.c\n  id = var.no\n}\n";
    let undeclared = |line| ("Reference to undeclared input variable".to_owned(), line);
    assert_eq!(validated(&[("main.tf", text)]), [undeclared(3), undeclared(10)]);
}

#[test]
fn states_are_kept_in_one_place() {
    let backend = "  backend \"local\" {}\n";
    let twice = format!("terraform {{\n{backend}{backend}}}\nterraform {{\n{backend}}}\n");
    let title = || "Duplicate backend configuration".to_owned();
    assert_eq!(validated(&[("main.tf", &twice)]), [(title(), 3), (title(), 6)]);
    let clouds = "terraform {\n  cloud {}\n  cloud {}\n}\n";
    assert_eq!(validated(&[("main.tf", clouds)]), [("Duplicate HCP Terraform configurations".to_owned(), 3)]);
    let once = format!("terraform {{\n{backend}}}\n");
    let both = "Both a backend and cloud configuration are present".to_owned();
    assert_eq!(
        validated(&[("a.tf", &once), ("b.tf", "terraform {\n  cloud {}\n}\n"), ("c.tf", "")]),
        [(both, 2)]
    );
    assert_eq!(validated(&[("a.tf", &once), ("b_override.tf", &once)]), []);
    assert_eq!(validated(&[("a.tf", ""), ("b_override.tf", &twice)]), [(title(), 3), (title(), 6)]);
}

#[test]
fn conditions_before_a_resource_is_made_do_not_know_it() {
    let rule = |kind: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  lifecycle {{\n    {kind} {{\n      condition     = self.id == \"\"\n      \
             error_message = \"not ${{self.id}}\"\n    }}\n  }}\n}}\n"
        )
    };
    let (invalid, unknown) = ("Invalid \"self\" reference".to_owned(), "Unknown variable".to_owned());
    let mut told = validated(&[("main.tf", &rule("precondition"))]);
    told.sort_by_key(|(_, line)| *line);
    assert_eq!(told, [(invalid.clone(), 4), (unknown.clone(), 4), (invalid, 5), (unknown, 5)]);
    assert_eq!(validated(&[("main.tf", &rule("postcondition"))]), []);
}

#[test]
fn what_comes_first_has_to_be_declared() {
    let resource = |list: &str| format!("resource \"terraform_data\" \"a\" {{\n  depends_on = {list}\n}}\n");
    for (list, title) in [
        ("[a.b, var.none]", "Reference to undeclared resource"),
        ("[a.b[0]]", "Reference to undeclared resource"),
        ("[data.a.b]", "Reference to undeclared resource"),
        ("[var.none, a.b]", "Reference to undeclared input variable"),
    ] {
        assert_eq!(validated(&[("main.tf", &resource(list))]), [(title.to_owned(), 2)], "{list}");
    }
    let quoted = validated(&[("main.tf", &resource("[\"a.b\"]"))]);
    assert_eq!(quoted.last(), Some(&("Reference to undeclared resource".to_owned(), 2)));
    let files = [("main.tf", "output \"a\" {\n  value      = 1\n  depends_on = [a.b]\n}\n")];
    assert_eq!(validated(&files), [("Reference to undeclared resource".to_owned(), 3)]);
    assert_eq!(titles(&module(&files).check(&EvalOptions::default())), [""; 0]);
}

#[test]
fn providers_that_are_handed_over_are_configured() {
    let call = "module \"m\" {\n  source    = \"./m\"\n  providers = { aws = aws.x }\n}\nlocals {\n  a = var.none\n}\n";
    let child = ("m/main.tf", "output \"a\" {\n  value = 1\n}\n");
    let missing =
        |path: &str, address: &str| (format!("missing provider {path}provider[\"{address}\"].x"), 0);
    let aws = "registry.terraform.io/hashicorp/aws";
    assert_eq!(validated(&[("main.tf", call), child]), [missing("", aws)]);
    let declared = call.replace("locals {\n  a = var.none\n}\n", "provider \"aws\" {\n  alias = \"x\"\n}\n");
    assert_eq!(validated(&[("main.tf", &declared), child]), []);
    let named = |aliases: &str| {
        format!(
            "terraform {{\n  required_providers {{\n    aws = {{\n      source = \"a/b\"\n{aliases}    }}\n  }}\n}}\n{call}"
        )
    };
    let above = "module \"n\" {\n  source = \"./n\"\n}\n";
    let files = |text: &str| validated(&[("main.tf", above), ("n/main.tf", text), ("n/m/main.tf", "")]);
    assert_eq!(files(&named("")), [missing("module.n.", "registry.terraform.io/a/b")]);
    let expected = named("      configuration_aliases = [aws.x]\n");
    assert_eq!(files(&expected), [("Reference to undeclared input variable".to_owned(), 14)]);
}

#[test]
fn what_is_unknown_has_origins() {
    let root = "variable \"zone\" {}\nvariable \"size\" {\n  default = 1\n}\n\
        locals {\n  name = \"${var.zone}-${var.size}\"\n  copy = local.name\n}\n\
        resource \"a_b\" \"c\" {}\ndata \"a_b\" \"d\" {}\nmodule \"far\" {\n  source = \"a/b/c\"\n}\n\
        module \"net\" {\n  source = \"./net\"\n  name   = local.copy\n}\n\
        module \"none\" {\n  source = \"./net\"\n  count  = 0\n  name   = local.copy\n}\n\
        module \"two\" {\n  source = \"./net\"\n  count  = length([var.zone, 1])\n  name   = \"x\"\n}\n\
        output \"all\" {\n  value      = [module.net.name, data.a_b.d.x]\n  depends_on = [a_b.c]\n}\n";
    let net = "variable \"name\" {}\nresource \"a_b\" \"own\" {}\n\
        output \"name\" {\n  value = var.name\n}\noutput \"own\" {\n  value = a_b.own\n}\n";
    let (module, _) = loaded(&[("main.tf", root), ("net/main.tf", net)]);
    let origins = |address: &str| {
        let (value, problems) = module.evaluate_address(address, &EvalOptions::default());
        assert!(!has_errors(&problems) && value.is_some(), "{problems:?}");
        let origins = module.unknown_origins(address);
        origins.into_iter().map(|one| format!("{:?} {}", one.kind, one.address)).collect::<Vec<_>>()
    };
    assert_eq!(origins("local.copy"), ["Variable var.zone"]);
    assert_eq!(origins("module.net.name"), ["Variable var.zone"]);
    assert_eq!(origins("module.net.own"), ["Resource module.net.a_b.own"]);
    assert_eq!(origins("[a_b.c, module.far.x]"), ["Resource a_b.c", "Module module.far"]);
    assert_eq!(origins("output.all"), ["Variable var.zone", "Data data.a_b.d"]);
    assert_eq!(origins("[var.size, module.none]"), [""; 0]);
    assert_eq!(origins("module.two"), ["Resource module.two.a_b.own"]);
    assert_eq!(module.unknown_origins("nonsense("), []);
    // How many there are is what is not known, though every name in them is.
    let root = "variable \"many\" {}\nmodule \"net\" {\n  source = \"./net\"\n  count  = var.many\n}\n\
        output \"all\" {\n  value = module.net\n}\n";
    let (module, _) = loaded(&[("main.tf", root), ("net/main.tf", "output \"one\" {\n  value = 1\n}\n")]);
    module.evaluate_address("output.all", &EvalOptions::default());
    let origins = module.unknown_origins("output.all");
    let addresses: Vec<_> = origins.iter().map(|one| one.address.as_str()).collect();
    assert_eq!(addresses, ["var.many"]);
}

#[test]
fn expressions_are_read_within_the_limits_of_their_evaluation() {
    let mut options = LoadOptions::default();
    let token = CancelToken::new();
    options.parse_limits.cancel = Some(token.clone());
    options.parse_limits.max_depth = 5;
    let (module, problems) = load(&[("main.tf", "locals {\n  x = 1\n}\n")], &options);
    assert!(problems.is_empty(), "{problems:?}");
    // The limits of the loading end with it.
    token.trigger();
    let (value, problems) = module.evaluate("((((((((local.x))))))))", &EvalOptions::default());
    assert_eq!(value.as_ref().map(ToString::to_string).as_deref(), Some("1"), "{problems:?}");

    let limits = Limits { max_memory: 1 << 20, ..Limits::default() };
    let options = EvalOptions { limits, ..EvalOptions::default() };
    let long = format!("[{}]", "1,".repeat(100_000));
    assert_eq!(module.evaluate(&long, &options).1[0].code, "limit.memory");
    assert_eq!(module.evaluate_address(&long, &options).1[0].code, "limit.memory");
    let limits = Limits { cancel: Some(token), ..Limits::default() };
    let options = EvalOptions { limits, ..EvalOptions::default() };
    assert_eq!(module.evaluate(&long, &options).1[0].code, "limit.cancelled");
}
