//! User data for functions and resolvers of a host, and the diagnostics that they fail with.

use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::eval::{EvalOptions, Frame, Keep, Lookup, LookupError, Resolver, Scope, User, evaluate};
use hcl_eval::function::{Function, FunctionError, FunctionTable, Parameter};
use hcl_eval::host::{Host, HostError};
use hcl_eval::limits::Limits;
use hcl_eval::types::Type;
use hcl_eval::value::{Mark, Marks};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::{Source, Span};

struct Request {
    tenant: &'static str,
}

fn tenant_of(user: Option<&User>) -> Value {
    Value::string(user.and_then(User::get::<Request>).map_or("nobody", |request| request.tenant))
}

struct ByTenant;

impl Resolver for ByTenant {
    fn look_up(&self, lookup: &Lookup<'_>) -> Result<Value, LookupError> {
        match lookup.name {
            "who" => Ok(tenant_of(lookup.user)),
            _ => Err(LookupError::Diagnosed(vec![refusal()])),
        }
    }
}

struct Refusing;

impl Host for Refusing {
    fn environment_variable(&self, _: &str) -> Result<String, HostError> {
        Err(HostError::Diagnosed(vec![refusal()]))
    }
}

fn refusal() -> Diagnostic {
    Diagnostic::error("host.refused", "Refused", "It says \"s3cret-text\".").noting("said", "s3cret-text")
}

/// A diagnostic in a source of its own.
fn elsewhere() -> Diagnostic {
    let source = Source::new("other.hcl", "a = ?").expect("short");
    refusal().at(&source, Span::new(4, 5))
}

fn scope() -> Arc<Scope> {
    let mut functions =
        FunctionTable::clone(&hcl_eval::dialect::by_name("packer-defaults").expect("a dialect"));
    let terraform = hcl_eval::dialect::by_name("terraform").expect("a dialect");
    for name in ["try", "templatestring"] {
        functions.insert(Arc::clone(terraform.get(name).expect("a function")));
    }
    let failing = |name: &str, argument: Option<usize>, said: fn() -> Diagnostics| {
        Function::new(name, "Fails.")
            .pure(false)
            .variadic(Parameter::new("x", Type::Dynamic))
            .implementation(move |_, _| Err(FunctionError::diagnosed(argument, said())))
    };
    functions.insert(
        Function::new("tenant", "Who asks.")
            .pure(false)
            .implementation(|invocation, _| Ok(tenant_of(invocation.user()))),
    );
    functions.insert(failing("refuse", Some(0), || vec![refusal()]));
    functions.insert(failing("include", None, || vec![elsewhere(), elsewhere()]));
    functions.insert(failing("warn", None, || vec![Diagnostic::warning("host.odd", "Odd", "")]));
    functions.insert(failing("flood", None, || vec![refusal(); 5000]));
    let mut scope = Scope::builder().functions(functions.into());
    for name in ["who", "other", "secret", "text"] {
        scope.slot(name);
    }
    scope.build()
}

fn parsed(text: &str) -> ParsedExpression {
    let source = Source::new("test.hcl", text).expect("short");
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    parsed
}

fn run(text: &str, user: Option<User>) -> (Value, Diagnostics) {
    let scope = scope();
    let mut frame = Frame::new(&scope);
    frame.set_resolver(Some(Arc::new(ByTenant)), Keep::Evaluation);
    frame.set_host(Some(Arc::new(Refusing)));
    frame.set(2, Some(Value::string("s3cret-text").with_marks(&Marks::one(Mark::new("sensitive")))));
    frame.set(3, Some(Value::string("${tenant()}")));
    frame.set_user(user);
    frame.evaluate(parsed(text).expression(), &scope)
}

#[test]
fn functions_and_resolvers_know_the_user_of_the_frame() {
    let ann = || Some(User::new(Request { tenant: "ann" }));
    for text in ["tenant()", "who", "try(tenant())", "templatestring(text, {})"] {
        let (value, problems) = run(text, ann());
        assert_eq!((value.as_str(), problems), (Some("ann"), Vec::new()), "{text}");
    }
    assert_eq!(run("tenant()", None).0.as_str(), Some("nobody"));
    assert_eq!(run("tenant()", Some(User::new(7_u8))).0.as_str(), Some("nobody"));

    let (scope, user) = (scope(), ann());
    let options = EvalOptions { user: user.as_ref(), ..EvalOptions::default() };
    assert_eq!(evaluate(parsed("tenant()").expression(), Some(&scope), &options).0.as_str(), Some("ann"));
    let mut frame = Frame::new(&scope);
    frame.set_resolver(Some(Arc::new(ByTenant)), Keep::Evaluation);
    let options = EvalOptions { frame: Some(&frame), ..options };
    assert_eq!(evaluate(parsed("who").expression(), Some(&scope), &options).0.as_str(), Some("ann"));
}

/// Code, file and subject of each diagnostic.
fn told(text: &str) -> Vec<(String, String, String)> {
    let (_, problems) = run(text, None);
    let place = |said: &Diagnostic| said.subject.as_ref().map_or(String::new(), |at| at.filename.to_string());
    problems.iter().map(|said| (said.code.to_string(), place(said), said.subject_text().to_owned())).collect()
}

#[test]
fn diagnostics_of_the_host_get_the_place_of_what_fails() {
    let one = |code: &str, file: &str, subject: &str| (code.to_owned(), file.to_owned(), subject.to_owned());
    assert_eq!(told("[refuse(1, 2)]"), [one("host.refused", "test.hcl", "1")]);
    assert_eq!(told("refuse()"), [one("host.refused", "test.hcl", "refuse(")]);
    assert_eq!(told("other"), [one("host.refused", "test.hcl", "other")]);
    assert_eq!(told("env(\"X\")"), [one("host.refused", "test.hcl", "env(")]);
    let there = one("host.refused", "other.hcl", "?");
    assert_eq!(told("include()"), [there.clone(), there, one("eval.call.failed", "test.hcl", "include(")]);
    assert_eq!(told("warn()"), [one("eval.call.failed", "test.hcl", "warn(")]);
    assert_eq!(run("try(refuse(1), \"fine\")", None).0.as_str(), Some("fine"));
    assert!(run("try(include(1), \"fine\")", None).1.is_empty());
}

#[test]
fn diagnostics_of_the_host_are_bounded_and_do_not_show_what_is_marked() {
    let most = Limits::default().max_diagnostics as usize;
    let (_, problems) = run("flood()", None);
    assert_eq!((problems.len(), &*problems[most].code), (most + 1, "limit.diagnostics"));
    let (_, problems) = run("refuse(secret)", None);
    assert_eq!(problems[0].code, "host.refused");
    let shown = format!("{} {:?}", problems[0], problems[0].extra);
    assert!(!shown.contains("s3cret"), "{shown}");
}
