//! Functions that a configuration defines: calls among themselves, and how recursion ends.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::function::{Function, UserFunctionContext, user_functions};
use hcl_eval::limits::Limits;
use hcl_eval::{Value, dialect};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;

const FUNCTIONS: &str = r#"
function "down" {
  params = [n]
  result = n <= 0 ? [] : [n, down(n - 1)]
}
function "twice" {
  params = [n]
  result = [twice(n), twice(n)]
}
function "count_a" {
  params = [n]
  result = try(count_b(n), 0)
}
function "count_b" {
  params = [n]
  result = n + base + tick()
}
function "ns::inner" {
  params         = []
  variadic_param = all
  result         = [for one in all : one * 2]
}
"#;

fn call(text: &str, context: &UserFunctionContext, tick: &Arc<Scope>) -> (Value, Diagnostics) {
    let (file, problems) =
        parse_file(Source::new("functions.hcl", FUNCTIONS).unwrap(), &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    let (functions, _, problems) = user_functions(&ConfigBody::from(&file), "function", context);
    assert!(problems.is_empty(), "{problems:?}");
    let scope = Scope::builder().parent(Arc::clone(tick)).functions(Arc::new(functions)).build();
    let (parsed, _) = parse_expression(Source::new("call.hcl", text).unwrap(), &ParseLimits::default());
    let limits = Limits { max_steps: 5_000_000, ..Limits::default() };
    evaluate(parsed.expression(), Some(&scope), &EvalOptions { limits, ..EvalOptions::default() })
}

fn ticking(ticks: &Arc<AtomicUsize>) -> Arc<Scope> {
    let ticks = Arc::clone(ticks);
    let tick = Function::new("tick", "Counts its calls.")
        .implementation(move |_, _| Ok(Value::count(ticks.fetch_add(1, Ordering::Relaxed))));
    Scope::builder().functions(dialect::terraform()).function(tick).build()
}

#[test]
fn recursion_ends_with_an_error_of_its_own_kind() {
    let ticks = Arc::default();
    for text in ["down(1)", "twice(1)", "try(down(3), 1)"] {
        let text = text.to_owned();
        let scope = ticking(&ticks);
        let run = move || call(&text, &UserFunctionContext::Caller, &scope);
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap();
        let (value, problems) = thread.join().unwrap();
        assert!(!value.is_known());
        let codes: Vec<_> = problems.iter().map(|problem| &*problem.code).collect();
        assert_eq!(codes, ["limit.depth"], "{problems:?}");
    }
}

#[test]
fn bodies_and_arguments_are_evaluated_once() {
    let ticks = Arc::default();
    let base = Scope::builder().variable("base", Value::int(10)).build();
    let (value, problems) =
        call("count_a(tick())", &UserFunctionContext::ScopeAndCaller(base), &ticking(&ticks));
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(value.display_console(), "11");
    assert_eq!(ticks.load(Ordering::Relaxed), 2);
}

#[test]
fn what_a_function_sees_is_what_the_host_says() {
    let ticks = Arc::default();
    let (value, _) = call("count_a(1)", &UserFunctionContext::Caller, &ticking(&ticks));
    assert_eq!(value.display_console(), "0", "base is not visible");
    let (_, problems) = call("count_b(1)", &UserFunctionContext::Parameters, &ticking(&ticks));
    let text = problems[0].to_string();
    assert!(text.starts_with("call.hcl:1,1-9: Error in function call; "), "{text}");
    assert!(text.contains("functions.hcl:"), "{text}");
    let (value, _) = call("ns::inner(1, 2)", &UserFunctionContext::Caller, &ticking(&ticks));
    assert_eq!(value.to_json().unwrap(), "[2,4]");
}
