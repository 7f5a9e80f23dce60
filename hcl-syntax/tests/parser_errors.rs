//! Every complaint of the parser, by the shortest text that brings it about.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::diagnostic::explain::explanations;
use hcl_syntax::parser::{
    ParseLimits, Splats, parse_expression, parse_file, parse_template, parse_traversal,
};
use hcl_syntax::source::{Grammar, Pos, Source};

/// Code and file.
const IN_FILES: &[(&str, &str)] = &[
    ("parse.item_required", "}"),
    ("parse.item_incomplete", "a"),
    ("parse.argument_name_quoted", "\"a\" = 1"),
    ("parse.argument_required", "b { c {} }"),
    ("parse.attribute_redefined", "a = 1\na = 2"),
    ("parse.attribute_newline_missing", "a = 1 2"),
    ("parse.attribute_comma", "a = 1,"),
    ("parse.block_equals", "b \"x\" = 1"),
    ("parse.block_newline", "b \"x\"\n{}"),
    ("parse.block_header", "b \"x\" 1"),
    ("parse.one_line_block_comma", "b { a = 1, c = 2 }"),
    ("parse.one_line_block_newline", "b { a = 1\n}"),
    ("parse.one_line_block", "b { a = 1 2 }"),
    ("parse.block_unclosed", "b {"),
    ("parse.block_newline_missing", "b {} 1"),
    ("parse.label_template", "b \"${c}\" {}"),
    ("parse.label_unterminated", "b \"c"),
    ("parse.escape_unknown", "a = \"\\q\""),
    ("parse.escape_too_short", "a = \"\\u12\""),
    ("parse.escape_no_character", "a = \"\\uD800\""),
    ("parse.expression_missing", "a ="),
    ("parse.expression_invalid", "a = ]"),
    ("parse.number_invalid", "a = 1.2.3"),
    ("parse.parentheses_unbalanced", "a = (1"),
    ("parse.conditional_colon_missing", "a = b ? c"),
    ("parse.function_name_missing", "a = b::1()"),
    ("parse.function_parenthesis_missing", "a = b::c"),
    ("parse.argument_separator_missing", "a = f(1 2)"),
    ("parse.call_unterminated", "a = f(1"),
    ("parse.call_expansion_not_last", "a = f(b..., 1)"),
    ("parse.index_bracket_missing", "a = b[0 1]"),
    ("parse.splat_bracket_missing", "a = b[* 1]"),
    ("parse.attribute_name_invalid", "a = b."),
    ("parse.splat_nested", "a = b.*.*"),
    ("parse.legacy_index_fraction", "a = b.0.1"),
    ("parse.tuple_separator_missing", "a = [1 2]"),
    ("parse.tuple_unterminated", "a = [1"),
    ("parse.object_separator_missing", "a = {b 1}"),
    ("parse.object_separator_missing", "a = {b c}"),
    ("parse.object_value_missing", "a = {b,}"),
    ("parse.object_item_separator_missing", "a = {b = 1 2}"),
    ("parse.object_unterminated", "a = {b = 1"),
    ("parse.for_name_missing", "a = [for 1]"),
    ("parse.for_in_missing", "a = [for b]"),
    ("parse.for_colon_missing", "a = [for b in c]"),
    ("parse.for_trailing", "a = [for b in c: d e]"),
    ("parse.for_key_in_tuple", "a = [for b in c: d => e]"),
    ("parse.for_grouping_in_tuple", "a = [for b in c: d...]"),
    ("parse.for_key_missing", "a = {for b in c: d}"),
    ("parse.interpolation_unclosed", "a = \"${b\""),
    ("parse.interpolation_trailing", "a = \"${b c}\""),
    ("parse.interpolation_colon", "a = \"${b:c}\""),
    ("parse.directive_invalid", "a = \"%{ 1 }\""),
    ("parse.directive_unknown", "a = \"%{ when b }\""),
    ("parse.directive_for_name_missing", "a = \"%{ for 1 }\""),
    ("parse.directive_for_in_missing", "a = \"%{ for b }\""),
    ("parse.directive_trailing", "a = \"%{ if b c }%{ endif }\""),
    ("parse.directive_unclosed", "a = \"%{ if b }\""),
    ("parse.directive_orphan", "a = \"%{ endif }\""),
    ("parse.directive_mismatched", "a = \"%{ if b }%{ endfor }\""),
    ("parse.directive_second_else", "a = \"%{ if b }%{ else }%{ else }%{ endif }\""),
];

/// Code and reference that stands alone.
const IN_REFERENCES: &[(&str, &str)] = &[
    ("parse.variable_required", "1"),
    ("parse.traversal_name_required", "a.1"),
    ("parse.traversal_splat", "a.*"),
    ("parse.traversal_key_required", "a[b]"),
    ("parse.traversal_bracket_missing", "a[0"),
    ("parse.traversal_trailing", "a b"),
];

fn source(text: &str) -> Source {
    Source::new("test.hcl", text).unwrap()
}

fn codes(diagnostics: &Diagnostics) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| &*diagnostic.code).collect()
}

#[test]
fn each_complaint_has_a_text_that_brings_it_about() {
    let limits = ParseLimits::default();
    for &(code, text) in IN_FILES {
        let (_, diagnostics) = parse_file(source(text), &limits);
        assert_eq!(diagnostics.first().map(|diagnostic| &*diagnostic.code), Some(code), "{text}");
    }
    for &(code, text) in IN_REFERENCES {
        let (_, diagnostics) = parse_traversal(source(text), Splats::Refused, &limits);
        assert_eq!(codes(&diagnostics), [code], "{text}");
    }
    let (_, diagnostics) = parse_expression(source("1 2"), &limits);
    assert_eq!(codes(&diagnostics), ["parse.expression_trailing"]);
    let (_, diagnostics) = parse_file(source("a = \"b\n\""), &limits);
    assert!(codes(&diagnostics).contains(&"parse.template_unterminated"));
    let (_, diagnostics) = parse_file(source("b \"c\n\" {}"), &limits);
    assert!(codes(&diagnostics).contains(&"parse.label_invalid"));
}

#[test]
fn each_complaint_can_be_explained() {
    let known: Vec<_> = explanations().collect();
    for &(code, _) in IN_FILES.iter().chain(IN_REFERENCES) {
        assert!(known.iter().any(|explanation| explanation.code == code), "{code}");
    }
}

#[test]
fn details_say_what_was_found() {
    let detail = |text: &str| parse_file(source(text), &ParseLimits::default()).1.remove(0).detail;
    assert!(detail("a = [1 2]").starts_with("Found \"2\" after an element."));
    assert!(detail("a = 1 +\n").starts_with("Found the end of the line where a value was expected."));
    assert!(detail("a = b[0 1]").starts_with("Found \"1\" where"));
    assert!(detail("a: 1").starts_with("\"a\" is followed by a colon"));
    assert!(detail("a\n{\n}").starts_with("The brace of a block"));
    assert!(detail("/* a").starts_with("A comment begins here"));
    assert!(detail("a = \"b \"c\"\"").starts_with("The quote before \"c\""));
    assert!(detail("a = if b").starts_with("\"if\" is no part"));
    assert!(detail("\n\na = <<E\nx\nE;\n").ends_with("Line 5 begins with it, but does not end there."));
    assert!(detail("a = <<-END\n").starts_with("The heredoc that begins on line 1 has no end."));
    assert!(detail("a = 1\na = 2").starts_with("The argument \"a\" was already set at test.hcl:1,1-2."));
    assert!(detail("a = \"%{ iff b }\"").ends_with("Did you mean \"if\"?"));
}

#[test]
fn an_unfinished_reference_carries_its_complaint() {
    use hcl_syntax::ast::ExpressionKind;
    let (parsed, diagnostics) = parse_expression(source("a."), &ParseLimits::default());
    let ExpressionKind::Unfinished(carried) = parsed.expression().kind() else {
        panic!("{:?}", parsed.expression())
    };
    assert_eq!(carried, diagnostics);
}

#[test]
fn templates_stand_alone_too() {
    let text = "a ${b} %{ if c }d%{ endif }";
    let template = Source::with_grammar("test.hcl", text, Grammar::Template, Pos::START).unwrap();
    let (parsed, diagnostics) = parse_template(template, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(parsed.expression().source_text(), text);
}

/// Each name that is set twice is reported, however many there are, and its first value counts.
#[test]
fn names_set_twice_are_found_among_many() {
    for n in [2, 15, 16, 17, 40, 1000] {
        let once: String = (0..n).map(|i| format!("name{i} = {i}\n")).collect();
        let source = Source::new("test", format!("{once}new = 1\n{once}")).unwrap();
        let (file, problems) =
            parse_file(source, &ParseLimits { max_diagnostics: 5000, ..ParseLimits::default() });
        assert_eq!(problems.len(), n);
        assert!(problems.iter().all(|problem| problem.code == "parse.attribute_redefined"));
        let names: Vec<_> = file.body().attributes().map(|attribute| attribute.name().to_owned()).collect();
        let expected: Vec<_> = (0..n).map(|i| format!("name{i}")).chain(["new".to_owned()]).collect();
        assert_eq!(names, expected);
    }
}
