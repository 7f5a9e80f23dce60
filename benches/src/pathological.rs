//! Hostile texts: one thing repeated until a careless implementation is slow, large or dead.
//!
//! Each kind is a text made of a count `n`. In expressions `a` is 1, `t` is true and `f` is no function.

use std::fmt::Write as _;

/// The form of a text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A configuration file.
    Config,
    /// An expression.
    Expression,
}

/// A way to make a text of any size.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Kind {
    /// The name in reports.
    pub(crate) name: &'static str,
    /// The form of the text.
    pub(crate) form: Form,
    /// Makes the text.
    pub(crate) text: fn(usize) -> String,
}

/// The kind of that name.
pub(crate) fn by_name(name: &str) -> Option<Kind> {
    KINDS.iter().find(|kind| kind.name == name).copied()
}

const fn expression(name: &'static str, text: fn(usize) -> String) -> Kind {
    Kind { name, form: Form::Expression, text }
}

const fn config(name: &'static str, text: fn(usize) -> String) -> Kind {
    Kind { name, form: Form::Config, text }
}

/// `open` repeated, `middle`, `close` repeated.
fn nested(open: &str, middle: &str, close: &str, n: usize) -> String {
    [&open.repeat(n), middle, &close.repeat(n)].concat()
}

/// `element` n times with `separator` between.
fn chain(element: &str, separator: &str, n: usize) -> String {
    vec![element; n].join(separator)
}

/// Joins the texts that `write` writes for 0, 1, 2, …
fn numbered(n: usize, write: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for i in 0..n {
        write(&mut text, i).expect("a string takes everything");
    }
    text
}

/// All kinds: nesting, chains, templates, literals, structure, heredocs, rubbish.
pub(crate) const KINDS: &[Kind] = &[
    expression("paren", |n| nested("(", "1", ")", n)),
    expression("paren_open", |n| "(".repeat(n)),
    expression("brack", |n| nested("[", "", "]", n)),
    expression("brack_open", |n| "[".repeat(n)),
    expression("brace", |n| nested("{a=", "1", "}", n)),
    expression("brace_open", |n| "{a=".repeat(n)),
    expression("not", |n| nested("!", "t", "", n)),
    expression("neg", |n| nested("-", "a", "", n)),
    expression("chain_add", |n| chain("a", "+", n)),
    expression("chain_mul", |n| chain("a", "*", n)),
    expression("chain_and", |n| chain("t", "&&", n)),
    expression("chain_equal", |n| chain("t", "==", n)),
    expression("chain_power", |n| chain("3", "*", n)),
    expression("cond_chain", |n| nested("t?a:", "a", "", n)),
    expression("cond_mid", |n| nested("t?", "a", ":a", n)),
    expression("traversal", |n| nested("", "a", ".b", n)),
    expression("index", |n| nested("", "a", "[0]", n)),
    expression("index_nested", |n| nested("a[", "0", "]", n)),
    expression("splat", |n| nested("", "a", "[*]", n)),
    expression("attrsplat", |n| nested("", "a", ".*", n)),
    expression("legacy_index", |n| nested("", "a", ".0", n)),
    expression("call_nest", |n| nested("f(", "1", ")", n)),
    expression("call_upper_nest", |n| nested("upper(", "\"x\"", ")", n)),
    expression("call_arguments", |n| format!("concat({})", chain("[a]", ",", n))),
    expression("for_nest", |n| nested("[for x in ", "[]", ":x]", n)),
    expression("for_nest_body", |n| nested("[for x in [1]:", "x", "]", n)),
    expression("interp", |n| format!("\"{}\"", "x${a}".repeat(n))),
    expression("interp_nest", |n| nested("\"${", "a", "}\"", n)),
    expression("tmpl_if_nest", |n| format!("\"{}\"", nested("%{if t}", "x", "%{endif}", n))),
    expression("tmpl_if_seq", |n| format!("\"{}\"", "%{if t}x%{endif}".repeat(n))),
    expression("tmpl_for_nest", |n| format!("\"{}\"", nested("%{for x in [1]}", "x", "%{endfor}", n))),
    expression("tuple_flat", |n| format!("[{}]", chain("1", ",", n))),
    expression("object_flat", |n| format!("{{{}}}", numbered(n, |text, i| write!(text, "k{i}=1,")))),
    expression("object_same_key", |n| format!("{{{}}}", "k=1,".repeat(n))),
    expression("object_references", |n| format!("{{{}}}", "a.b=1,".repeat(n))),
    expression("names_below_fors", |n| {
        let names = format!("[{}]", chain("v", ",", n));
        format!("[for v in [a]:{}]", nested("[for x in [a]:", &names, "]", 300))
    }),
    expression("str_plain", |n| format!("\"{}\"", "x".repeat(n))),
    expression("str_escapes", |n| format!("\"{}\"", "\\n".repeat(n))),
    expression("str_bad_escapes", |n| format!("\"{}\"", "\\q".repeat(n))),
    expression("str_dollars", |n| format!("\"{}\"", "$".repeat(n))),
    expression("str_unclosed", |n| format!("\"{}", "x".repeat(n))),
    config("str_quotes_unclosed", |n| format!("a = \"{}", "\n\"".repeat(n))),
    expression("digits", |n| "9".repeat(n)),
    expression("digits_fraction", |n| format!("0.{}", "3".repeat(n))),
    expression("digits_chain", |n| chain("0.1", "+", n)),
    expression("exp_small", |n| format!("\"x${{1e-{n}}}\"")),
    expression("exp_large", |n| format!("\"x${{1e{n}}}\"")),
    config("ident", |n| format!("{} = 1\n", "a".repeat(n))),
    config("attrs", |n| numbered(n, |text, i| writeln!(text, "k{i} = {i}"))),
    config("attrs_dup", |n| "k = 1\n".repeat(n)),
    config("blocks", |n| "b \"x\" {\n}\n".repeat(n)),
    config("blocks_nest", |n| nested("b {\n", "", "}\n", n)),
    config("blocks_open", |n| "b {\n".repeat(n)),
    config("labels", |n| format!("b{} {{\n}}\n", " \"l\"".repeat(n))),
    config("heredoc_lines", |n| format!("a = <<EOT\n{}EOT\n", "line ${a} x\n".repeat(n))),
    config("heredoc_plain", |n| format!("a = <<-EOT\n{}  EOT\n", "  line x\n".repeat(n))),
    config("heredoc_many", |n| "a = <<E\nx\nE\n".repeat(n)),
    config("heredoc_unclosed", |n| format!("a = <<EOT\n{}", "line\n".repeat(n))),
    config("heredoc_many_unclosed", |n| "a = <<EOT\n".repeat(n)),
    config("comment_unclosed", |n| "/*".repeat(n)),
    config("comments", |n| "# c\n".repeat(n)),
    config("garbage", |n| "@".repeat(n)),
    config("garbage_lines", |n| "= 1\n".repeat(n)),
    config("garbage_words", |n| "a b c\n".repeat(n)),
    config("newlines", |n| "\n".repeat(n)),
    config("closers", |n| "}".repeat(n)),
    config("combining", |n| format!("a = \"e{}\"\n", "\u{301}".repeat(n))),
    config("cjk", |n| format!("a = \"{}\"\n", "日".repeat(n))),
    config("longline_attr", |n| format!("a = [{}]\n", "1, ".repeat(n))),
    config("longline_errors", |n| format!("a = [{}]\n", "é, @ ".repeat(n))),
];
