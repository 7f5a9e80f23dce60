//! Constructs within constructs, in any mixture: whatever is read, evaluated, compiled, written or formatted takes no more
//! stack than a small thread has, and a program means what its expression means.
//!
//! Every walk over a tree looks now and then how much stack is left. A mixture of constructs could keep one from looking: if
//! it did so at each sixteenth level, say, and only some levels counted. Hence the periods.

use std::sync::Arc;
use std::thread;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::limits::Limits;
use hcl_eval::program::{CompileOptions, Program};
use hcl_syntax::ast::variable_expressions;
use hcl_syntax::format::{FormatStyle, format};
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;

/// The texts before and behind the expression within.
const CONSTRUCTS: [(&str, &str); 34] = [
    ("(", ")"),
    ("[", "]"),
    ("[1, ", "]"),
    ("{a=", "}"),
    ("{(", ")=1}"),
    ("upper(", ")"),
    ("try(", ")"),
    ("can(", ")"),
    ("merge({a=", "}...)"),
    ("templatestring(", ", {})"),
    ("-", ""),
    ("!", ""),
    ("1 + ", ""),
    ("true ? ", " : 1"),
    ("false ? 1 : ", ""),
    ("(", ")[0]"),
    ("[1][", "]"),
    ("{a=", "}.a"),
    ("[", "][*]"),
    ("[", "].*.a"),
    ("[1][*].a[0 + ", "]"),
    ("[for x in [1] : ", "]"),
    ("[for x in ", " : x]"),
    ("{for x in [1] : x => ", "}"),
    ("\"${", "}\""),
    ("\"x${", "}y\""),
    ("\"${~ ", " ~} b\""),
    ("\"$${${", "}\""),
    ("\"%{if true}${", "}%{endif}\""),
    ("\"%{if true}a%{else}${", "}%{endif}\""),
    ("\"%{for x in [1]}${", "}%{endfor}\""),
    ("\"%{if \"%{if true}1%{endif}\" == ", "}1%{endif}\""),
    ("<<E\n${", "}\nE\n"),
    ("<<-E\n  %{if true}${", "}%{endif}\n  E\n"),
];

/// Texts that break another where they are put in.
const BREAKS: [&str; 8] = ["}", "\"", "]", ")", "@", "$", "\n", "~"];

const N_TEXTS: u64 = 400;
const LEVELS: [usize; 3] = [40, 300, 1_200];
const STACKS: [usize; 3] = [64 << 10, 128 << 10, 512 << 10];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % n
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A few constructs within each other, by turns or at random; some texts are broken.
fn text(random: &mut Random) -> String {
    let kinds: Vec<_> = (0..1 + random.below(4)).map(|_| random.one_of(&CONSTRUCTS)).collect();
    let period: Vec<_> = (0..1 + random.below(20)).map(|_| random.one_of(&kinds)).collect();
    let is_periodic = random.below(2) == 0;
    let (mut text, mut closers) = (String::new(), Vec::new());
    for level in 0..random.one_of(&LEVELS) {
        let (open, close) = if is_periodic { period[level % period.len()] } else { random.one_of(&kinds) };
        text.push_str(open);
        closers.push(close);
    }
    text.push('1');
    text.extend(closers.into_iter().rev());
    if random.below(4) == 0 {
        let at = random.below(text.len());
        text.insert_str(at, random.one_of(&BREAKS));
    }
    text
}

fn source(text: &str) -> Source {
    Source::new("nested", text).expect("the text is short")
}

/// All that can be done with an expression.
fn work(text: &str) {
    let limits =
        Limits { max_steps: 100_000, max_elements: 50_000, max_output_bytes: 1 << 20, ..Limits::default() };
    let functions = dialect::by_name("terraform").expect("the dialect is built in");
    let scope = Scope::builder().functions(functions).variables_allowed().build();

    let (parsed, problems) = parse_expression(source(text), &ParseLimits::default());
    let expression = parsed.expression();
    let _ = variable_expressions(expression);
    let options = EvalOptions { limits: limits.clone(), ..EvalOptions::default() };
    let (value, errors) = evaluate(expression, Some(&scope), &options);

    let id = expression.id();
    let options = CompileOptions { limits: limits.clone() };
    let (program, _) = Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &options);
    let mut frame = Frame::new(&scope);
    *frame.limits_mut() = limits;
    let (again, same_errors) = program.evaluate(&mut frame);
    if errors.is_empty() && same_errors.is_empty() {
        assert!(value.raw_equals(&again), "{text}");
    }

    let _ = value.to_json();
    let _ = format!("{value:?} {problems:?} {errors:?}");
    let file = format!("a = {text}\n");
    for style in [FormatStyle::Hcl, FormatStyle::Terraform] {
        let _ = format("nested", file.as_bytes(), style);
    }
    let _ = parse_file(source(&file), &ParseLimits::default());
}

#[test]
fn nothing_that_nests_overflows_the_stack_of_a_small_thread() {
    for seed in 0..N_TEXTS {
        let mut random = Random(seed);
        let (text, stack) = (text(&mut random), random.one_of(&STACKS));
        // The name is what is told of a thread whose stack overflows.
        let small = thread::Builder::new().name(format!("seed {seed}")).stack_size(stack);
        let done = small.spawn(move || work(&text)).expect("there is a thread").join();
        assert!(done.is_ok(), "seed {seed}");
    }
}
