//! Evaluation: prepared or once, the answer is one; limits hold, and work is charged for.

use std::sync::{Arc, LazyLock};

use cpu_time::ThreadTime;
use hcl_eval::Value;
use hcl_eval::eval::{Frame, Scope};
use hcl_eval::limits::{Limits, Usage};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::types::Type;
use hcl_eval::value::{Mark, Reveal};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;

use super::choices::Input;
use super::expression::Writer;

/// Processor time for what is charged: a step, an element, eight bytes. Far more than it takes in a release build, and enough
/// for builds that look for errors.
const NANOS_FOR_UNIT: u64 = 5_000;
/// Processor time that nothing is charged for.
const NANOS_FREE: u64 = 50_000_000;
/// The longest text of a value that is compared.
const LONGEST_TEXT: usize = 1 << 20;

/// The scope of a dialect, and the functions in it by name.
pub(super) struct Library {
    pub(super) scope: Arc<Scope>,
    pub(super) functions: Vec<String>,
}

impl Library {
    fn new(dialect: &str) -> Self {
        let builder = Scope::builder().dialect(dialect).expect("a known dialect");
        let scope = variables().into_iter().fold(builder, |scope, (name, value)| scope.variable(name, value));
        let scope = scope.build();
        let mut functions: Vec<String> = scope.function_names().map(str::to_owned).collect();
        functions.sort_unstable();
        Self { scope, functions }
    }
}

/// A scope for each of some dialects.
pub(super) static LIBRARIES: LazyLock<[Library; 3]> =
    LazyLock::new(|| ["terraform", "packer", "hcl-test"].map(Library::new));

/// Values of all kinds.
fn variables() -> Vec<(&'static str, Value)> {
    let strings = |texts: &[&str]| texts.iter().copied().map(Value::string).collect::<Vec<_>>();
    let object = || {
        Value::object(vec![
            ("a".into(), Value::string("x")),
            ("b".into(), Value::from(2)),
            ("name".into(), Value::null(Type::String)),
        ])
    };
    let map = Value::map(Type::Number, vec![("a".into(), Value::from(1)), ("b".into(), Value::from(2))]);
    vec![
        ("n", Value::from(5)),
        ("s", Value::string("text")),
        ("b", Value::TRUE),
        ("nothing", Value::null(Type::Dynamic)),
        ("list", Value::list(Type::String, strings(&["a", "b", "a"]))),
        ("set", Value::set(Type::String, strings(&["b", "a"]))),
        ("map", map),
        ("object", object()),
        ("tuple", Value::tuple(vec![Value::from(1), object(), Value::unknown(Type::Bool)])),
        ("unknown", Value::unknown(Type::String)),
        ("unknown_list", Value::unknown(Type::list(Type::Number))),
        ("any", Value::dynamic()),
        ("secret", Value::string("hush").mark(Mark::sensitive())),
        ("empty", Value::tuple(Vec::new())),
    ]
}

/// Bounds that an input may be evaluated in many times a second.
pub(super) fn limits() -> Limits {
    Limits {
        max_steps: 50_000,
        max_elements: 20_000,
        max_output_bytes: 1 << 18,
        max_memory: 4 << 20,
        max_diagnostics: 20,
        ..Limits::default()
    }
}

/// The property.
pub(super) fn run(bytes: &[u8]) {
    let (library, text) = match Input::new(bytes) {
        Input::Text(text) => (&LIBRARIES[0], text.to_vec()),
        Input::Choices(mut choices) => {
            let library = &LIBRARIES[choices.below(LIBRARIES.len())];
            let mut writer = Writer::new(&mut choices, &library.functions);
            writer.expression();
            (library, writer.out.into_bytes())
        }
    };
    let Ok(source) = Source::new("input", text) else { return };
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    evaluated_both_ways(&parsed, &library.scope);
}

/// Evaluates an expression once and prepared.
pub(super) fn evaluated_both_ways(parsed: &ParsedExpression, scope: &Arc<Scope>) {
    let mut frame = Frame::with_limits(scope, limits());
    let start = ThreadTime::now();
    let once = frame.evaluate(parsed.expression(), scope);
    let used = frame.used();
    work_is_charged_for(start, used, parsed);
    limits_hold(used, frame.limits(), &once.1);
    let options = CompileOptions { limits: limits() };
    let (program, _) =
        Program::compile(parsed.tree().clone(), parsed.expression().id(), Arc::clone(scope), &options);
    let prepared = program.evaluate(&mut frame);
    let text = parsed.tree().source().text();
    assert_eq!(told(&prepared.0, &prepared.1), told(&once.0, &once.1), "{text:?}");
    assert_eq!(frame.used(), used, "{text:?}");
}

/// Returns all that a value and its diagnostics show. `Debug` would write all digits of a number, which are 467 million for
/// `1e467440377`.
pub(super) fn told(value: &Value, diagnostics: &Diagnostics) -> String {
    let text = value.display_console_bounded(Reveal::Everything, LONGEST_TEXT);
    format!("{text:?} {:?} {:?} {diagnostics:?}", value.refinement_text(), value.marks())
}

fn work_is_charged_for(start: ThreadTime, used: Usage, parsed: &ParsedExpression) {
    let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let units = used.steps + used.elements + used.output_bytes / 8;
    let most = NANOS_FREE + units * NANOS_FOR_UNIT;
    assert!(took <= most, "{took} ns for {used:?}: {:?}", parsed.tree().source().text());
}

fn limits_hold(used: Usage, limits: &Limits, diagnostics: &Diagnostics) {
    let is_within = used.steps <= limits.max_steps
        && used.elements <= limits.max_elements
        && used.output_bytes <= limits.max_output_bytes
        && used.memory <= limits.max_memory;
    assert!(is_within, "{used:?}");
    // One more says that these are not all.
    assert!(diagnostics.len() <= limits.max_diagnostics as usize + 1, "{}", diagnostics.len());
}
