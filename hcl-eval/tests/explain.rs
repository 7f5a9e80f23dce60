//! How results come about: the trees that are drawn, and what they must never show.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::time::Instant;

use hcl_eval::Value;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::explain::{ExplainOptions, Explanation, TextOptions, explain};
use hcl_syntax::diagnostic::render::one_line;
use hcl_syntax::parser::{ParsedExpression, parse_expression};
use hcl_syntax::source::Source;

fn parsed(text: &str) -> ParsedExpression {
    let source = Source::new("test", text).unwrap();
    let (parsed, problems) = parse_expression(source, &Default::default());
    assert!(problems.is_empty(), "{problems:?}");
    parsed
}

fn value(text: &str) -> Value {
    evaluate(
        parsed(text).expression(),
        Some(&Scope::builder().functions(dialect::terraform()).build()),
        &EvalOptions::default(),
    )
    .0
}

fn scope() -> Arc<Scope> {
    Scope::builder()
        .functions(dialect::terraform())
        .variable("n", Value::int(3))
        .variable("names", value("[\"ann\", \"bob\", \"cy\", \"dee\", \"eve\"]"))
        .variable("user", value("{ name = \"ann\", tags = { a = 1 } }"))
        .variable("later", Value::unknown(hcl_eval::Type::Bool))
        .variable("secret", value("sensitive(\"hunter2\")"))
        .variable("keys", value("sensitive([\"k1\", \"k2\"])"))
        .build()
}

/// Explains with bounds; the value must be that of an ordinary evaluation.
fn explained<R>(text: &str, bounds: &ExplainOptions, read: impl FnOnce(&Explanation<'_>) -> R) -> R {
    let parsed = parsed(text);
    let scope = scope();
    let options = EvalOptions::default();
    let (value, problems, explanation) = explain(parsed.expression(), Some(&scope), &options, bounds);
    let (plain, plain_problems) = evaluate(parsed.expression(), Some(&scope), &options);
    assert_eq!(format!("{value:?}"), format!("{plain:?}"));
    assert_eq!(problems, plain_problems);
    read(&explanation)
}

fn tree(text: &str) -> String {
    explained(text, &ExplainOptions::default(), |explanation| explanation.to_text(&TextOptions::default()))
}

#[test]
fn each_subexpression_has_its_value() {
    assert_eq!(
        tree("1 + n * (n - 1)"),
        "\
1 + n * (n - 1) = 7
└─ n * (n - 1) = 6
   ├─ n = 3
   └─ (n - 1) = 2
      └─ n = 3
"
    );
    assert_eq!(
        tree("n + n - 1 == 5 && !false"),
        "\
n + n - 1 == 5 && !false = true
├─ n + n - 1 == 5 = true
│  └─ n + n - 1 = 5
│     └─ n + n = 6
│        ├─ n = 3
│        └─ n = 3
└─ !false = true
"
    );
}

#[test]
fn conditionals_tell_which_branch_was_taken_and_why() {
    assert_eq!(
        tree("n > 5 ? \"many\" : n > 2 ? upper(\"some\") : \"few\""),
        "\
n > 5 ? \"many\" : n > 2 ? upper(\"some\") : \"few\" = \"SOME\"
├─ condition n > 5 = false
│  └─ n = 3
├─ \"many\" is not chosen
└─ n > 2 ? upper(\"some\") : \"few\" = \"SOME\", chosen, because the condition is false
   ├─ condition n > 2 = true
   │  └─ n = 3
   ├─ upper(\"some\") = \"SOME\", chosen, because the condition is true
   └─ \"few\" is not chosen
"
    );
    assert_eq!(
        tree("later ? 1 : n"),
        "\
later ? 1 : n = unknown(number, not null, >= 1, <= 3)
├─ condition later = unknown(bool)
├─ 1 may be chosen: the condition is not known
└─ n = 3, may be chosen: the condition is not known
"
    );
}

#[test]
fn one_side_may_be_enough() {
    assert_eq!(
        tree("n > 5 && later"),
        "\
n > 5 && later = false, because the left side is false
├─ n > 5 = false
│  └─ n = 3
└─ later = unknown(bool)
"
    );
    assert_eq!(
        tree("nope || true"),
        "\
nope || true = true, because the right side is true
└─ nope failed: Unknown variable
"
    );
}

#[test]
fn calls_show_their_arguments() {
    assert_eq!(
        tree("join(\"-\", [upper(user.name), \"x\"])"),
        "\
join(\"-\", [upper(user.name), \"x\"]) = \"ANN-x\"
└─ [upper(user.name), \"x\"] = [\"ANN\", \"x\"]
   └─ upper(user.name) = \"ANN\"
      └─ user.name = \"ann\"
"
    );
    assert_eq!(
        tree("try(user.age, user.name, n)"),
        "\
try(user.age, user.name, n) = \"ann\", because argument 2 has no error
├─ user.age failed: Unsupported attribute
└─ user.name = \"ann\"
"
    );
    assert_eq!(
        tree("can(user.age)"),
        "\
can(user.age) = false, because argument 1 has an error
└─ user.age failed: Unsupported attribute
"
    );
}

#[test]
fn each_link_of_a_chain_has_its_value_and_its_key() {
    assert_eq!(
        tree("reverse([names])[0][n - 2]"),
        "\
reverse([names])[0][n - 2] = \"bob\"
├─ reverse([names])[0] = [\"ann\", \"bob\", \"cy\", \"dee\", \"eve\"]
│  └─ reverse([names]) = [[\"ann\", \"bob\", \"cy\", \"dee\", \"eve\"]]
│     └─ [names] = [[\"ann\", \"bob\", \"cy\", \"dee\", \"eve\"]]
│        └─ names = [\"ann\", \"bob\", \"cy\", \"dee\", \"eve\"]
└─ key n - 2 = 1
   └─ n = 3
"
    );
    assert_eq!(
        tree("reverse([user])[n - 3].tags.a"),
        "\
reverse([user])[n - 3].tags.a = 1
└─ reverse([user])[n - 3] = {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}
   ├─ reverse([user]) = [{\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}]
   │  └─ [user] = [{\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}]
   │     └─ user = {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}
   └─ key n - 3 = 0
      └─ n = 3
"
    );
}

#[test]
fn loops_show_their_first_elements() {
    assert_eq!(
        tree("[for i, s in names : upper(s) if i != 1]"),
        "\
[for i, s in names : upper(s) if i != 1] = [\"ANN\", \"CY\", \"DEE\", \"EVE\"]
├─ names = [\"ann\", \"bob\", \"cy\", \"dee\", \"eve\"]
├─ with i = 0, s = \"ann\"
│  ├─ condition i != 1 = true
│  │  └─ i = 0
│  └─ upper(s) = \"ANN\"
│     └─ s = \"ann\"
├─ with i = 1, s = \"bob\" is left out, because the condition is false
│  └─ condition i != 1 = false
│     └─ i = 1
├─ with i = 2, s = \"cy\"
│  ├─ condition i != 1 = true
│  │  └─ i = 2
│  └─ upper(s) = \"CY\"
│     └─ s = \"cy\"
└─ and 2 more elements
"
    );
    let failing = tree("[for s in [1, 2, 3, 4, 5, []] : s + 1]");
    assert!(failing.contains("with s = []\n") && failing.contains("└─ and 2 more elements\n"), "{failing}");
    assert_eq!(
        tree("[user, user][*].tags.a"),
        "\
[user, user][*].tags.a = [1, 1]
├─ [user, user] = [{\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}, {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}]
│  ├─ user = {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}
│  └─ user = {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}
├─ with item = {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}
│  └─ [*].tags.a = 1
└─ with item = {\"name\" = \"ann\", \"tags\" = {\"a\" = 1}}
   └─ [*].tags.a = 1
"
    );
}

#[test]
fn templates_show_their_parts() {
    assert_eq!(
        tree(
            "\"${upper(user.name)}: %{ if n > 2 }many%{ else }few%{ endif }%{ for s in [\"a\"] } ${s}%{ endfor }\""
        ),
        "\
\"${upper(user.name)}: %{ if n > 2 }many%{ else }f… = \"ANN: many a\"
├─ upper(user.name) = \"ANN\"
│  └─ user.name = \"ann\"
├─ %{ if n > 2 }many%{ else }few%{ endif } = \"many\"
│  ├─ condition n > 2 = true
│  │  └─ n = 3
│  ├─ many is chosen, because the condition is true
│  └─ few is not chosen
└─ %{ for s in [\"a\"] } ${s}%{ endfor } = \" a\"
   ├─ [\"a\"] = [\"a\"]
   └─ with s = \"a\"
      └─ ${s} = \" a\"
         └─ s = \"a\"
"
    );
}

#[test]
fn secrets_stay_secret() {
    for text in [
        "upper(secret)",
        "\"${secret}!\"",
        "[for k in keys : \"${k}!\"]",
        "{ (secret) = 1 }",
        "[zipmap([secret], [1])]",
        "keys[*]",
        "{ a = secret }.a == \"x\" ? secret : \"\"",
        "join(\",\", keys...)",
        "%{ for k in keys }${k}%{ endfor }",
    ] {
        let text = text.strip_prefix('%').map_or(text.to_owned(), |rest| format!("\"%{rest}\""));
        let told = explained(&text, &ExplainOptions::default(), |explanation| {
            explanation.to_text(&TextOptions { color: true, width: 500 }) + &explanation.to_json()
        });
        for secret in ["hunter2", "HUNTER2", "k1", "k2"] {
            assert!(!told.contains(secret), "{text}: {told}");
        }
        assert!(told.contains("(sensitive value)"), "{text}: {told}");
    }
}

#[test]
fn known_parts_of_unknown_secrets_are_not_shown() {
    let told = tree("\"${secret}-${later}\"");
    assert!(told.contains(" = unknown(string)\n") && !told.contains("hunter"), "{told}");
}

#[test]
fn what_is_kept_is_bounded() {
    let count = |text: &str, bounds: &ExplainOptions| {
        explained(text, bounds, |explanation| {
            (explanation.to_text(&TextOptions::default()).lines().count(), explanation.n_omitted())
        })
    };
    let bounds = ExplainOptions { max_steps: 10, ..ExplainOptions::default() };
    let (lines, omitted) = count(&format!("[{}]", "n, ".repeat(1000)), &bounds);
    assert_eq!((lines, omitted), (11, 991));
    // A chain is no nesting, but a tree of it is.
    let (lines, omitted) = count(&format!("n{}", " + n".repeat(50_000)), &ExplainOptions::default());
    assert!(lines < 200 && omitted > 90_000, "{lines} {omitted}");
    let (lines, _) = count(
        &format!("{}n{}", "[".repeat(900), "]".repeat(900)),
        &ExplainOptions { max_depth: 10_000, ..bounds },
    );
    assert!(lines < 20);
    let (lines, _) =
        count("[for i in range(1000) : [for j in range(100) : i * j]]", &ExplainOptions::default());
    assert!(lines < 100, "{lines}");
}

#[test]
fn elements_take_time_in_proportion() {
    let bounds = ExplainOptions { max_steps: usize::MAX, max_elements: usize::MAX, ..Default::default() };
    let time_of = |n_elements: i64| {
        let elements = Value::tuple((0..n_elements).map(Value::int).collect());
        let scope = Scope::builder().variable("all", elements).build();
        let parsed = parsed("[for i in all: i * 2 + 1 if i % 2 == 0]");
        let start = Instant::now();
        let (_, _, explanation) =
            explain(parsed.expression(), Some(&scope), &EvalOptions::default(), &bounds);
        assert!(
            explanation.to_text(&TextOptions::default()).lines().count()
                > usize::try_from(n_elements).unwrap()
        );
        start.elapsed()
    };
    let one = (0..5).map(|_| time_of(1000)).min().unwrap();
    let many = time_of(8 * 1000);
    assert!(many < 32 * one, "{one:?}, {many:?}");
}

#[test]
fn variables_and_functions_are_listed_once() {
    explained(
        "upper(user.name) == lower(user.name) ? [for x in names : \"${x}${n}\"] : names",
        &ExplainOptions::default(),
        |explanation| {
            let names: Vec<_> = explanation.variables().into_iter().map(|(name, _)| name).collect();
            assert_eq!(names, ["names", "n", "user.name"]);
            assert_eq!(explanation.functions(), ["upper", "lower"]);
        },
    );
}

#[test]
fn the_json_form_has_places_and_values() {
    let json = explained("n > 2 ? secret : \"few\"", &ExplainOptions::default(), |explanation| {
        explanation.to_json()
    });
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let root = &json["root"];
    assert_eq!(
        (root["shown"].as_str(), root["marks"][0].as_str()),
        (Some("(sensitive value)"), Some("sensitive"))
    );
    assert!(root.get("value").is_none());
    assert_eq!(root["reason"], "the condition is true");
    let condition = &root["steps"][0];
    assert_eq!((condition["role"].as_str(), condition["value"].as_bool()), (Some("condition"), Some(true)));
    assert_eq!(condition["range"]["end"]["byte"], 5);
    assert_eq!(condition["steps"][0]["value"], 3);
    assert_eq!(
        (root["steps"][2]["role"].as_str(), root["steps"][2]["used"].as_bool()),
        (Some("when_false"), Some(false))
    );
    assert_eq!(json["variables"][0]["name"], "secret");
}

#[test]
fn problems_with_elements_of_hidden_collections_tell_no_values() {
    for text in [
        "[for k in keys : tonumber(k)]",
        "[for k in keys : k.x]",
        "{ for k in keys : \"x\" => k }",
        "{ for k in [for k in keys : \"k1\"] : k => 1 }",
        "[for k in [for k in keys : upper(k)] : tonumber(k)]",
        "\"%{ for k in keys }${tonumber(k)}%{ endfor }\"",
        "[for a in [1] : [for k in keys : a + k]]",
        "{ for k, v in zipmap(keys, keys) : k => tonumber(v) }",
        "[for k in keys : k if k]",
        "keys[*].x",
    ] {
        let (_, problems) = evaluate(parsed(text).expression(), Some(&scope()), &EvalOptions::default());
        assert!(!problems.is_empty(), "{text}");
        let details = problems.iter().map(|problem| format!("{} {:?}", problem.detail, problem.values));
        for detail in details {
            for secret in ["k1", "k2", "K1", "K2"] {
                assert!(!detail.contains(secret), "{text}: {detail}");
            }
        }
    }
}

/// Of the type of a large value only the beginning is made, of which the text is cut as that of the whole type would be.
#[test]
fn types_of_large_values_are_cut_where_they_get_long() {
    let texts = [
        "[for i in range(5000) : i]",
        "{ for i in range(5000) : \"k${i}\" => [i, \"${i}\", { a = [i, i], b = true }] }",
        "[[for i in range(300) : [i]], [for i in range(5000) : { \"k${i}\" = [\"x\"] }], true]",
        "[tolist([1]), toset([{ a = 1 }]), {}, []]",
    ];
    for text in texts {
        let whole = one_line(&value(text).ty().to_type_text(), 1000);
        let told = explained(text, &ExplainOptions::default(), |explanation| explanation.to_json());
        let cut = told.split("\"type\":\"").nth(1).unwrap().split("\",\"shown\"").next().unwrap();
        assert_eq!(cut.replace("\\\"", "\""), whole, "{text}");
    }
}
