//! Both inputs give the grammar the same tokens: what is read from bytes is the tree that all tokens give.

use super::*;
use crate::ast::ExpressionKind;

#[path = "../../tests/corpus/mod.rs"]
mod corpus;

/// The trees of a file, read from its bytes and by its tokens. Nothing where there would be diagnostics.
fn trees(text: impl AsRef<[u8]>) -> [Option<String>; 2] {
    let source = Source::new("input", text.as_ref()).expect("a text of this size");
    let (limits, watch) = (ParseLimits::default(), Watch::idle());
    let (piece, newlines) = (source.span(), Newlines::Significant);
    let task = Task { source: &source, piece, newlines, limits: &limits, watch: &watch };
    let mut read = [Lists::for_file(0), Lists::for_file(0)];
    let [bytes, tokens] = &mut read;
    let by_bytes = task.by_bytes(bytes, &mut Scratch::default(), |parser| parser.file_body());
    let by_tokens = task.by_tokens(tokens, &mut Scratch::default(), 0, |parser| parser.file_body());
    let has_tree = [by_bytes.is_ok(), by_tokens.1.is_empty()];
    let shown = read.map(|tree| format!("{:?}", tree.into_tree(source.clone())));
    let mut has_tree = has_tree.into_iter();
    shown.map(|tree| has_tree.next().unwrap_or_default().then_some(tree))
}

const TEXTS: [&str; 18] = [
    "",
    "\u{feff}a = 1\nb = 2 # two\n# three\nc = 3",
    "/* one\ntwo */ a = 1\nb {\n}\n/* three\n*/\n// four\r\nc = 1\r\n",
    "type \"one\" two \"\" {\n  a = \"b\"\n  b \"l\" { c = 1 }\n  d {}\n}\n",
    "a = [\n  1,\n  x # one\n]\nb = {\n  c = 1, \"d\" : 2\n\n  (e) = 3\n  f.g = 4\n}\n",
    "a = b /* c */ == d /* e */ ? f /* g */ >= 1 : h /* i */ != {for j, k in l : j /* m */ => k /* n */ ...}\n",
    "a = -1 + 2 * b % 3 / !c == d != e && f >= 1 || g <= 2 && h < 3 || i > -4 ? j : k ? l : m\n",
    "a = b.c.d[0][\"e\"].f[*].g.*.h.0.i\nb = c[d][*][e.f].g\nc = d[true][-1][null].e[\"f\" ][1 + 1]\n",
    "a = f()\nb = f(1, 2...)\nc = g::h :: i(\n  1,\n  2,\n)[0].j\nd = (e).f\n",
    "a = [for x in y : x if z]\nb = {for x, y in z : x => y...}\nc = [\nfor\nx in [1] : x]\n",
    "a = \"x${ b }y\"\nb = \"${c}\"\nc = \"${d}${e}\"\nd = \"${\"${f}\"}\"\ne = \"100%\"\nf = \"\"\ng = \"$\"\n",
    "a = \"\\t\\\"\\u00e9\"\nb = \"$$ ${c}\\n%\"\nc = \"$${d} %%{e}\"\nd = \"${~ e ~} f\"\n",
    "a = \"%{ for x in y ~} ${x}%{ if x }a%{ else }b%{ endif }%{ endfor }\"\nb = 1\n",
    "a = <<END\nx ${ f(\n1,\n2) } y\n$${z} $\n\n%\nEND\nb = [<<-END\n    c\n  ${\"d\"}\n  END\n  , 1]\n",
    "a = 1.5\nb = 1e3\nc = 2.5E-3\nd = [true, false, null, trues, \u{e9}t\u{e9}, a-b]\n",
    "b \"a ${b}\" {\n}\nc \"\\t$\" \"$${\" {}\n",
    "a = \" \\t a ${~ b ~} \\n ${c ~}%{~ if d ~} e %{ endif }  \u{a0} \"\nb = \"${ {a = 1}.a}\"\n",
    "a = \"%{if a}%{if b}c%{endif}%{else}%{for d, e in f}${d}%{endfor}${g}%{endif}\"\n",
];

/// A key that is no literal is only known to be none once it is read, and its nodes follow those of the collection still.
#[test]
fn collections_precede_their_keys() {
    for key in [
        "b",
        "-1",
        "(1)",
        "\"${b}\"",
        "\"x${b}\"",
        "\"%{ if b }c%{ endif }\"",
        "\"x\" == b",
        "1 + 1",
        "\"x\".y",
    ] {
        let source = Source::new("input", format!("a.c[{key}]")).expect("a short text");
        let (parsed, problems) = parse_expression(source, &ParseLimits::default());
        assert_eq!(problems, [], "{key}");
        let ExpressionKind::Index { collection, key, .. } = parsed.expression().kind() else {
            panic!("{key}")
        };
        assert!(collection.id() < key.id(), "{}", key.source_text());
    }
}

#[test]
fn bytes_give_the_tree_of_the_tokens() {
    let whole = TEXTS.iter().filter(|text| {
        let [read, expected] = trees(text);
        assert_eq!(read, expected, "{text}");
        read.is_some()
    });
    assert_eq!(whole.count(), TEXTS.len() - 1, "one has an error");
    let corpora = ["documents.jsonl", "documents_bytes.jsonl", "fmt.jsonl"];
    for text in corpora.into_iter().flat_map(corpus::cases).map(|case| corpus::source_of(&case)) {
        let [read, expected] = trees(&text);
        assert_eq!(read, expected, "{}", String::from_utf8_lossy(text.as_ref()));
    }
}

#[test]
fn bytes_of_changed_texts_give_the_tree_of_the_tokens() {
    const PIECES: [&str; 40] = [
        "\"", "\n", "\r\n", "\r", " ", "#", "//", "/*", "*/", "/", "{", "}", "[", "]", "(", ")", "=", "=>",
        "==", ".", "...", ",", ":", "::", "?", "!", "-", "*", "<", "<<E\n", "&&", "${", "%{", "~", "\\", "$",
        "for ", "1", "x", "\u{1a}",
    ];
    for text in TEXTS {
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let (before, after) = text.split_at(at);
            let shortened = after.chars().next().map(|c| format!("{before}{}", &after[c.len_utf8()..]));
            let longer = PIECES.iter().map(|piece| format!("{before}{piece}{after}"));
            for text in shortened.into_iter().chain([before.to_owned(), after.to_owned()]).chain(longer) {
                let [read, expected] = trees(&text);
                assert_eq!(read, expected, "{text:?}");
            }
        }
    }
}
