//! What is read directly is what the tokens say.

use super::*;
use crate::parser::{parse_file, run};

#[path = "../../../tests/corpus/mod.rs"]
mod corpus;

/// What a file's text is read as: directly, and by its tokens. Nothing of errors, nor of what can't be read directly.
fn files(source: &Source) -> [Option<String>; 2] {
    let (limits, watch) = (ParseLimits::default(), Watch::idle());
    let shown = |tree: Lists| format!("{:?}", tree.into_tree(source.clone()));
    let read = file(source, &limits, &watch).map(|(_, tree, _)| shown(tree));
    let (_, tree, diagnostics) =
        run(source, &limits, &watch, Newlines::Significant, |parser| parser.file_body());
    [read, diagnostics.is_empty().then(|| shown(tree))]
}

/// The same of an expression.
fn expressions(source: &Source) -> [Option<String>; 2] {
    let (limits, watch) = (ParseLimits::default(), Watch::idle());
    let read = expression(source, &limits, &watch).map(|(root, tree)| format!("{root:?} {tree:?}"));
    let (root, tree, diagnostics) =
        run(source, &limits, &watch, Newlines::Ignored, |parser| parser.whole_expression());
    [read, diagnostics.is_empty().then(|| format!("{root:?} {tree:?}"))]
}

fn source_of(text: impl AsRef<[u8]>) -> Source {
    Source::new("input", text.as_ref()).expect("a text of this size")
}

const FILES: [&str; 14] = [
    "",
    "\u{feff}a = 1\nb = 2 # two\n# three\nc = 3",
    "/* one\ntwo */ a = 1\nb {\n}\n/* three\n*/\n// four\r\nc = 1\r\n",
    "type \"one\" two \"\" {\n  a = \"b\"\n  b \"l\" { c = 1 }\n  d {}\n}\n",
    "a = [\n  1,\n  x # one\n]\nb = {\n  c = 1, \"d\" : 2\n\n  (e) = 3\n  f.g = 4\n}\n",
    "a = -1 + 2 * b % 3 / !c == d != e && f >= 1 || g <= 2 && h < 3 || i > -4 ? j : k ? l : m\n",
    "a = b.c.d[0][\"e\"].f[*].g.*.h.0.i\nb = c[d][*][e.f].g\nc = d[true][-1][null].e[\"f\" ][1 + 1]\n",
    "a = f()\nb = f(1, 2...)\nc = g::h::i(\n  1,\n  2,\n)[0].j\nd = (e).f\n",
    "a = [for x in y : x if z]\nb = {for x, y in z : x => y...}\nc = [\nfor\nx in [1] : x]\n",
    "a = \"x${ b }y\"\nb = \"${c}\"\nc = \"${d}${e}\"\nd = \"${\"${f}\"}\"\ne = \"100%\"\nf = \"\"\n",
    "a = \"\\t\\\"\\u00e9\"\nb = \"$$ ${c}\\n%\"\nc = \"$${d} %%{e}\"\nd = \"${~ e ~} f\"\n",
    "a = \"%{ for x in y ~} ${x}%{ if x }a%{ else }b%{ endif }%{ endfor }\"\nb = 1\n",
    "a = <<END\nx ${ f(\n1,\n2) } y\nEND\nb = [<<-END\n    c\n  ${\"d\"}\n  END\n  , 1]\n",
    "a = 1.5\nb = 1e3\nc = 2.5E-3\nd = [true, false, null, trues, \u{e9}t\u{e9}, a-b]\n",
];

const EXPRESSIONS: [&str; 12] = [
    "\n(\n1 + # one\n2) /* two */ * 3\n",
    "var.a\n.b\n[0]\n.c # d\n[*].e",
    "a ?\nb\n:\nc ? d\n: e",
    "{ a = 1\n b = [\n2\n,\n3] }",
    "f(\n)\n.a",
    "[for s in var.list : upper(s) if s != \"\"]",
    "{ for k, v in var.m : k => v... }",
    "\"%{ for o in var.os ~}${o.name}=${o.size};%{ endfor ~}%{ if c }y%{ else }n%{ endif }\"",
    "\" \\t a ${~ b ~} \\n ${c ~}%{~ if d ~} e %{ endif }  \u{a0} \"",
    "\"%{if a}%{if b}c%{endif}%{else}%{for d, e in f}${d}%{endfor}${g}%{endif}\"",
    "\"${a ~} \u{2003}b%{ if \"%{if c}${\"${d}\"}%{else}%{endif}\" ~} e %{~ endif ~} \"",
    "\"%{if a}b%{endif}\"",
];

#[test]
fn what_is_read_directly_is_what_the_tokens_say() {
    let read = FILES.map(|text| (text, files(&source_of(text))));
    for (text, [read, expected]) in
        read.into_iter().chain(EXPRESSIONS.map(|text| (text, expressions(&source_of(text)))))
    {
        assert!(read.is_some(), "{text}");
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn changed_texts_are_read_like_their_tokens_or_not_at_all() {
    const PIECES: [&str; 40] = [
        "\"", "\n", "\r\n", "\r", " ", "#", "//", "/*", "*/", "/", "{", "}", "[", "]", "(", ")", "=", "=>",
        "==", ".", "...", ",", ":", "::", "?", "!", "-", "*", "<", "<<E\n", "&&", "${", "%{", "~", "\\", "$",
        "for ", "1", "x", "\u{1a}",
    ];
    let check = |text: &str, look: fn(&Source) -> [Option<String>; 2]| {
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let (before, after) = text.split_at(at);
            let shortened = after.chars().next().map(|c| format!("{before}{}", &after[c.len_utf8()..]));
            let longer = PIECES.iter().map(|piece| format!("{before}{piece}{after}"));
            for text in shortened.into_iter().chain([before.to_owned(), after.to_owned()]).chain(longer) {
                let [read, expected] = look(&source_of(&*text));
                assert!(read.is_none() || read == expected, "{text:?}");
            }
        }
    };
    FILES.into_iter().for_each(|text| check(text, files));
    EXPRESSIONS.into_iter().for_each(|text| check(text, expressions));
}

#[test]
fn documents_are_read_directly_or_have_errors() {
    let (mut n_read, mut n_left) = (0, 0);
    let corpora = ["documents.jsonl", "documents_bytes.jsonl", "fmt.jsonl"];
    for text in corpora.into_iter().flat_map(corpus::cases).map(|case| corpus::source_of(&case)) {
        let source = source_of(text);
        let [read, expected] = files(&source);
        match read {
            None => n_left += usize::from(expected.is_some()),
            Some(_) => {
                n_read += 1;
                assert_eq!(read, expected, "{}", source.text());
            }
        }
    }
    assert!(n_read > 20 * n_left && n_left > 0, "{n_read} are read, {n_left} without errors are not");
}

#[test]
fn long_texts_are_read_directly() {
    let newlines = "\n".repeat(200_000);
    let names = ".a".repeat(100_000);
    let numbers: String = (0..40_000).map(|i| format!("k{i} = {i}\n")).collect();
    for text in [format!("a = [1,{newlines}2]\n"), format!("a = b{names}\n"), numbers.clone()] {
        let source = source_of(text);
        let (file, diagnostics) = parse_file(source.clone(), &ParseLimits::default());
        assert_eq!(diagnostics, []);
        assert!(!source.has_lines(), "nothing is said of a place");
        let tree = Some(format!("{:?}", file.tree()));
        assert_eq!(files(&source), [tree.clone(), tree]);
    }
    for again in ["k7 = 1\n", "k39999 = 2\n", "k20000 = 3\n"] {
        let source = source_of(format!("{numbers}{again}"));
        let (_, diagnostics) = parse_file(source, &ParseLimits::default());
        assert_eq!(diagnostics.len(), 1, "{again}");
    }
}
