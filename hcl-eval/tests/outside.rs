//! Functions that need the outside world, with a world that is made up: what they ask, what is refused, and
//! that nothing is asked before its time.

use std::sync::Arc;
use std::thread;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::function::{Function, FunctionTable, Parameter};
use hcl_eval::host::{Host, HostError, MemoryHost, Timestamp};
use hcl_eval::limits::Limits;
use hcl_eval::program::Program;
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

fn scope(functions: Arc<FunctionTable>) -> Arc<Scope> {
    Scope::builder()
        .functions(functions)
        .variable("nested", Value::string("${templatestring(\"x\", {})}"))
        .variable("reader", Value::string("${file(\"a.txt\")}"))
        .variable("secret", Value::string("hidden.txt").mark(hcl_eval::Mark::new("sensitive")))
        .build()
}

fn run_within(
    functions: Arc<FunctionTable>,
    host: Option<&dyn Host>,
    limits: Limits,
    text: &str,
) -> (Value, Diagnostics) {
    let source = Source::new("test", text).expect("tests are short");
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    let options = EvalOptions { limits, host, ..EvalOptions::default() };
    evaluate(parsed.expression(), Some(&scope(functions)), &options)
}

/// The console form of a value, or the code and detail of the first error.
fn run(functions: Arc<FunctionTable>, host: Option<&dyn Host>, text: &str) -> String {
    let (value, diagnostics) = run_within(functions, host, Limits::default(), text);
    match diagnostics.first() {
        Some(error) => format!("{}: {}", error.code, error.detail),
        None => value.display_console(),
    }
}

fn fake_host() -> MemoryHost {
    MemoryHost::new()
        .with_working_directory("/project")
        .with_file("a.txt", "text")
        .with_file("sub/b.txt", "b")
        .with_file("recursive.tmpl", "${templatefile(\"recursive.tmpl\", {})}")
        .with_file("down.tmpl", "(%{ for x in xs }${templatefile(\"down.tmpl\", { xs = x })}%{ endfor })")
        .with_file("twice.tmpl", "${core::templatefile(\"a.txt\", {})}")
        .with_file("null.tmpl", "${null}")
        .with_file("key.tmpl", "${{}[key]}")
        .with_directory("empty")
        .with_home_directory("/ada")
        .with_environment_variable("USER", "ada")
        .with_clock(Timestamp { seconds: 1_700_000_000, nanoseconds: 999_999_999 })
        .with_random_seed(7)
        .with_store(stored)
}

fn stored(function: &str, arguments: &[Value]) -> Result<Value, HostError> {
    let name = arguments.first().and_then(Value::as_str).unwrap_or_default();
    let object = |entries: &[(&str, Value)]| {
        Value::object(entries.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
    };
    Ok(match (function, name) {
        ("vault", "one") => object(&[("key", Value::string("v1")), ("number", Value::int(1))]),
        ("vault", "two") => object(&[("data", object(&[("key", Value::string("v2"))]))]),
        ("consul_key", "empty") => Value::string(""),
        ("consul_key", "port") => Value::string("8500"),
        ("aws_secretsmanager", "plain") => Value::string("not JSON"),
        ("aws_secretsmanager", "single") => Value::string(r#"{"only": 12.5}"#),
        ("aws_secretsmanager" | "aws_secretsmanager_raw", "pair") => Value::string(r#"{"a": "x", "b": [1]}"#),
        ("vault", "later") => return Err(HostError::NotKnownYet),
        _ => return Err(HostError::NotFound),
    })
}

const NEEDS_FILES: &[&str] = &[
    "file(\"a.txt\")",
    "filebase64(\"a.txt\")",
    "fileexists(\"a.txt\")",
    "fileset(\".\", \"*\")",
    "abspath(\"a\")",
];

#[test]
fn nothing_is_granted_without_a_host() {
    let nobody = MemoryHost::new();
    let hosts: [Option<&dyn Host>; 2] = [None, Some(&nobody)];
    for host in hosts {
        for table in [dialect::terraform(), dialect::opentofu(), dialect::packer(), dialect::nomad()] {
            for text in NEEDS_FILES {
                let said = run(Arc::clone(&table), host, text);
                assert!(
                    said.starts_with("eval.call.not_allowed: ") && said.contains("--allow fs=DIR"),
                    "{said}"
                );
            }
        }
        let refused = |table, text, flag: &str| {
            let said = run(table, host, text);
            assert!(said.starts_with("eval.call.not_allowed: ") && said.contains(flag), "{text}: {said}");
        };
        for text in ["filemd5(\"a\")", "filebase64sha256(\"a\")", "templatefile(\"a\", {})"] {
            refused(dialect::terraform(), text, "--allow fs=DIR");
        }
        refused(dialect::terraform(), "pathexpand(\"~\")", "--allow env");
        refused(dialect::terraform(), "file(\"~/a\")", "--allow env");
        refused(dialect::terraform(), "timestamp()", "--allow clock");
        refused(dialect::terraform(), "plantimestamp()", "--allow clock");
        refused(dialect::terraform(), "uuid()", "--allow random");
        refused(dialect::packer(), "uuidv4()", "--allow random");
        refused(dialect::packer_defaults(), "env(\"USER\")", "--allow env");
        for text in ["vault(\"a\", \"b\")", "consul_key(\"a\")", "aws_secretsmanager(\"a\", null)"] {
            refused(dialect::packer(), text, "It works in programs that provide it");
        }
        for text in ["basename(\"a/b\")", "dirname(\"a/b\")", "pathexpand(\"a\")", "abspath(\"/a\")"] {
            refused(dialect::nomad(), text, "--allow fs=DIR");
        }
        assert_eq!(run(dialect::terraform(), host, "basename(\"a/b\")"), "\"b\"");
        assert_eq!(run(dialect::terraform(), host, "abspath(\"/a/../b\")"), "\"/b\"");
        assert_eq!(run(dialect::terraform(), host, "pathexpand(\"a\")"), "\"a\"");
    }
}

#[test]
fn a_world_that_stands_still_gives_exact_answers() {
    let ask = |table, text| run(table, Some(&fake_host()), text);
    assert_eq!(ask(dialect::terraform(), "timestamp()"), "\"2023-11-14T22:13:20Z\"");
    assert_eq!(ask(dialect::terraform(), "plantimestamp() == core::timestamp()"), "true");
    assert_eq!(ask(dialect::terraform(), "uuid()"), "\"d70d3259-e4e1-cb63-1c66-3cf4d73c4c04\"");
    assert_eq!(ask(dialect::nomad(), "uuidv4()"), "\"d70d3259-e4e1-4b63-9c66-3cf4d73c4c04\"");
    assert_eq!(ask(dialect::terraform(), "uuid() == uuid()"), "false");
    assert_eq!(ask(dialect::nomad(), "basename(abspath(\"x\"))"), "\"x\"");
    assert_eq!(ask(dialect::terraform(), "pathexpand(\"~/x/../y\")"), "\"/ada/y\"");
    assert_eq!(
        ask(dialect::terraform(), "fileset(\"sub\", \"../{a,b}.txt\")"),
        "toset([\n  \"../a.txt\",\n])"
    );
    assert_eq!(ask(dialect::packer_defaults(), "env(\"USER\")"), "\"ada\"");
}

#[test]
fn programs_ask_when_they_run() {
    let scope = scope(dialect::terraform());
    let texts =
        ["timestamp()", "try(timestamp(), 1)", "[file(\"a.txt\")]", "templatestring(reader, {})", "uuid()"];
    for text in texts {
        let source = Source::new("test", text).expect("tests are short");
        let (parsed, _) = parse_expression(source, &ParseLimits::default());
        let root = parsed.expression().id();
        let (program, problems) =
            Program::compile(parsed.tree().clone(), root, Arc::clone(&scope), &Default::default());
        assert!(problems.is_empty() && program.constant().is_none(), "{text}");
    }
    let source = Source::new("test", "timestamp()").expect("tests are short");
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    let root = parsed.expression().id();
    let (program, _) = Program::compile(parsed.tree().clone(), root, Arc::clone(&scope), &Default::default());
    let mut frame = Frame::new(&scope);
    assert_eq!(program.evaluate(&mut frame).1.len(), 1);
    for (seconds, expected) in [(0, "1970-01-01T00:00:00Z"), (86_400, "1970-01-02T00:00:00Z")] {
        let host = MemoryHost::new().with_clock(Timestamp { seconds, nanoseconds: 0 });
        frame.set_host(Some(Arc::new(host)));
        assert_eq!(program.evaluate(&mut frame).0.as_str(), Some(expected));
    }
}

#[test]
fn contents_are_charged() {
    let host = MemoryHost::new().with_file("long", "x".repeat(100));
    for text in
        ["file(\"long\")", "filemd5(\"long\")", "try(file(\"long\"), 1)", "templatefile(\"long\", {})"]
    {
        let limits = Limits { max_output_bytes: 50, ..Limits::default() };
        let (_, diagnostics) = run_within(dialect::terraform(), Some(&host), limits, text);
        assert_eq!(diagnostics.first().map(|error| &*error.code), Some("limit.output"), "{text}");
    }
    let limits = Limits { max_elements: 1, ..Limits::default() };
    let (_, diagnostics) =
        run_within(dialect::terraform(), Some(&fake_host()), limits, "fileset(\".\", \"**\")");
    assert_eq!(diagnostics.first().map(|error| &*error.code), Some("limit.elements"));
}

#[test]
fn what_is_known_later_is_unknown() {
    struct Later;
    impl Host for Later {
        fn now(&self) -> Result<Timestamp, HostError> {
            Err(HostError::NotKnownYet)
        }
    }
    let (value, diagnostics) =
        run_within(dialect::terraform(), Some(&Later), Limits::default(), "timestamp()");
    assert!(diagnostics.is_empty());
    assert_eq!(value.refinement_text().as_deref(), Some("string, not null"));
    assert_eq!(run(dialect::packer(), Some(&fake_host()), "vault(\"later\", \"k\")"), "(known after apply)");
}

#[test]
fn templates_inside_templates() {
    let terraform = |text| run(dialect::terraform(), Some(&fake_host()), text);
    for text in ["templatefile(\"recursive.tmpl\", {})", "templatefile(\"twice.tmpl\", {})"] {
        assert!(terraform(text).contains("cannot render another template"), "{}", terraform(text));
    }
    assert!(terraform("templatestring(nested, {})").contains("cannot render another template"));
    assert!(terraform("templatestring(reader, {})").contains("cannot read files"));
    assert!(terraform("templatefile(\"null.tmpl\", {})").contains("null"));
    let tofu = |text| run(dialect::opentofu(), Some(&fake_host()), text);
    assert_eq!(tofu("templatestring(nested, {})"), "\"x\"");
    assert_eq!(tofu("templatestring(reader, {})"), "\"text\"");
    assert_eq!(tofu("templatefile(\"twice.tmpl\", {})"), "\"text\"");
    assert_eq!(tofu("templatefile(\"null.tmpl\", {})"), "null");
    assert_eq!(tofu("templatefile(\"down.tmpl\", { xs = [[], [[]]] })"), "\"(()(()))\"");
    assert!(tofu("templatefile(\"recursive.tmpl\", {})").starts_with("limit.depth"));
}

/// Recursion without end stops on a small stack, by the limit on nesting or by the product's own.
#[test]
fn endless_templates_end() {
    let body = || {
        for (max_depth, code) in [(1000, "limit.depth"), (10_000, "eval.call.failed")] {
            let limits = Limits { max_depth, ..Limits::default() };
            let text = "templatefile(\"recursive.tmpl\", {})";
            let (_, diagnostics) = run_within(dialect::opentofu(), Some(&fake_host()), limits, text);
            assert_eq!(diagnostics.first().map(|error| &*error.code), Some(code));
        }
    };
    let thread = thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(body).expect("threads can be made");
    assert!(thread.join().is_ok());
}

#[test]
fn paths_that_are_secret_are_not_shown() {
    for text in ["file(secret)", "filemd5(secret)", "templatefile(secret, {})", "filebase64(secret)"] {
        let said = run(dialect::terraform(), Some(&fake_host()), text);
        assert!(said.contains("(sensitive value)") && !said.contains("hidden"), "{said}");
    }
    let said = run(dialect::terraform(), Some(&fake_host()), "templatefile(\"key.tmpl\", { key = secret })");
    assert!(said.contains("key.tmpl:1,5-10: Invalid index") && !said.contains("hidden"), "{said}");
    assert_eq!(run(dialect::terraform(), Some(&fake_host()), "fileexists(secret)"), "(sensitive value)");
    assert_eq!(run(dialect::terraform(), Some(&fake_host()), "fileset(\".\", secret)"), "(sensitive value)");
}

#[test]
fn stores_answer_through_the_host() {
    let ask = |text| run(dialect::packer(), Some(&fake_host()), text);
    assert_eq!(ask("vault(\"one\", \"key\")"), "\"v1\"");
    assert_eq!(ask("vault(\"two\", \"key\")"), "\"v2\"");
    assert!(ask("vault(\"one\", \"other\")").contains("no key \"other\""));
    assert!(ask("vault(\"one\", \"number\")").contains("is no text"));
    assert!(ask("vault(\"none\", \"key\")").contains("no secret"));
    assert_eq!(ask("consul_key(\"port\")"), "\"8500\"");
    assert!(ask("consul_key(\"empty\")").contains("is empty"));
    assert!(ask("consul_key(\"none\")").contains("no key"));
    assert_eq!(ask("aws_secretsmanager(\"plain\", \"key\")"), "\"not JSON\"");
    assert_eq!(ask("aws_secretsmanager(\"single\", null)"), "\"12\"");
    assert_eq!(ask("aws_secretsmanager(\"pair\", \"a\")"), "\"x\"");
    assert!(ask("aws_secretsmanager(\"pair\", null)").contains("several"));
    assert!(ask("aws_secretsmanager(\"pair\", \"b\")").contains("neither"));
    assert!(ask("aws_secretsmanager(\"pair\", \"c\")").contains("no member"));
    assert_eq!(ask("aws_secretsmanager_raw(\"pair\")"), "\"{\\\"a\\\": \\\"x\\\", \\\"b\\\": [1]}\"");
}

#[test]
fn functions_of_providers_have_namespaces() {
    let mut table = FunctionTable::new();
    let shout = Function::new("provider::text::shout", "Shouts.")
        .parameter(Parameter::new("what", Type::String))
        .returns(Type::String)
        .implementation(|_, args| {
            Ok(Value::string(args.first().and_then(Value::as_str).unwrap_or("").to_uppercase()))
        });
    table.insert(shout);
    table.extend(dialect::terraform().iter().map(|(_, function)| Arc::clone(function)));
    let table = Arc::new(table);
    let ask = |text| run(Arc::clone(&table), None, text);
    assert_eq!(ask("provider::text::shout(\"hey\")"), "\"HEY\"");
    assert_eq!(ask("core::upper(\"hey\")"), "\"HEY\"");
    assert!(
        ask("provider::text::shoot(\"hey\")").contains("in the namespace \"provider::text::\". Did you mean")
    );
    assert!(
        ask("provider::none::shout(\"hey\")").contains("no functions in the namespace \"provider::none::\"")
    );
    assert!(ask("provider::text::shout(null)").contains("\"what\" parameter"));
    let said = ask("core::list(1)");
    assert!(said.contains("\"core::list\""), "{said}");
}

/// Folders that the host answers with are charged for before paths are made of them.
#[test]
fn paths_of_the_host_are_charged_for() {
    let long = format!("/{}", "a".repeat(100_000));
    let host = MemoryHost::new().with_working_directory(&long).with_home_directory(&long);
    let limits = Limits { max_output_bytes: 50_000, ..Limits::default() };
    for text in ["abspath(\"x\")", "pathexpand(\"~/x\")"] {
        let (_, problems) = run_within(dialect::terraform(), Some(&host), limits.clone(), text);
        assert_eq!(problems.first().map(|one| &*one.code), Some("limit.output"), "{text}");
    }
}
