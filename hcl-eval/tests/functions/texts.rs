//! YAML, character sets, compression, identifiers and formats.

use hcl_eval::limits::Limits;
use hcl_eval::{Value, dialect};

use super::support::{evaluate_in, in_dialect, terraform};

/// A YAML document as JSON; or the title of the error.
fn yaml_in(dialect: &str, document: &str) -> String {
    let table = dialect::by_name(dialect).expect("a dialect");
    let shown = in_dialect(&table, &format!("jsonencode(yamldecode({}))", quoted(document)));
    match shown.starts_with('"') {
        true => serde_json::from_str(&shown).expect("a quoted text"),
        false => shown,
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() || c == '\u{feff}' => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

const ERROR: &str = "error: Error in function call";

#[test]
fn documents_of_yaml_1_1() {
    let cases = [
        ("a: |\n  x\n\n  y\nb: >-\n  x\n  y\n", r#"{"a":"x\n\ny\n","b":"x y"}"#),
        ("a: |\n x", r#"{"a":"x"}"#),
        ("a: |\n", r#"{"a":null}"#),
        ("[a,\nb]", r#"["a","b"]"#),
        ("a: [\n1\n]\nb: 2", r#"{"a":[1],"b":2}"#),
        ("{a:1, \"b\":2, c: , d}", r#"{"a:1":null,"b":2,"c":null,"d":null}"#),
        ("a:\tb", r#"{"a":"b"}"#),
        ("- - a\n  - b\n- c", r#"[["a","b"],"c"]"#),
        ("a:\n- b\n- c: d\n  e: f\n", r#"{"a":["b",{"c":"d","e":"f"}]}"#),
        ("? a\n: b\n", r#"{"a":"b"}"#),
        ("\"a\\x41\\\n  b\"", r#""aAb""#),
        ("'it''s'", r#""it's""#),
        ("a: \"x\n\n  y\"", r#"{"a":"x\ny"}"#),
        ("!!int |\n  1", "1"),
        ("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1", r#""1""#),
        ("- &a 1\n- *a\n- &a 2\n- *a", "[1,1,2,2]"),
        ("\u{feff}a: 1", r#"{"a":1}"#),
        ("a\u{85}b", r#""a b""#),
        ("[? a : b, c: d]", r#"[{"a":"b"},{"c":"d"}]"#),
        ("a: b\n c", r#"{"a":"b c"}"#),
        ("<<: {a: 1}\nb: 2", r#"{"a":1,"b":2}"#),
    ];
    for (document, wanted) in cases {
        assert_eq!(yaml_in("terraform", document), wanted, "{document:?}");
    }
}

#[test]
fn what_yaml_refuses() {
    let documents = [
        "",
        "a: b: c",
        "- a\nb",
        "\tb",
        "- \tb",
        "a: - b",
        "[a",
        "{a: b",
        "[a,,b]",
        "\"a",
        "\"\\q\"",
        "\"\\ud800\"",
        "*a",
        "a: &x [*x]",
        "&k a: 1\nb: *k",
        "? [a]\n: b",
        "~: a",
        "a: @",
        "%YAML 1.2\n---\na",
        "%FOO\n---\na",
        "a\n---\nb",
        "a\u{1}b",
        "!foo a",
        "!!seq {}",
        "! a",
        "[!!str]",
        "|\na",
        "a: |0\n x",
        "- |\n\ta",
        "0x1ffffffffffffffff",
        ".nan",
        "!!int abc",
        "!!binary ?",
        "{: 1}",
        "[::]",
        "&é a",
    ];
    for document in documents {
        assert_eq!(yaml_in("terraform", document), ERROR, "{document:?}");
    }
}

#[test]
fn versions_of_yaml() {
    for (document, terraform, packer, nomad) in [
        (
            "- 1_000\n- 0b11\n- 0x1F\n- 0o17",
            r#"["1_000","0b11",31,15]"#,
            r#"[1000,3,"0x1F","0o17"]"#,
            r#"["1_000","0b11",31,15]"#,
        ),
        ("<<: [{a: 1}, {a: 2}]", ERROR, ERROR, r#"{"a":2}"#),
        ("!!merge <<: {a: 1}", ERROR, ERROR, r#"{"a":1}"#),
        ("~", "null", "(known after apply)", "null"),
    ] {
        assert_eq!(yaml_in("terraform", document), terraform, "{document:?}");
        assert_eq!(yaml_in("packer", document), packer, "{document:?}");
        assert_eq!(yaml_in("nomad", document), nomad, "{document:?}");
        assert_eq!(yaml_in("opentofu", document), nomad, "{document:?}");
    }
}

#[test]
fn yaml_as_the_reference_writes_it() {
    let cases = [
        (
            r#"{a = [], b = {}, c = [[1], {d = "x\ny"}]}"#,
            "\"a\": []\n\"b\": {}\n\"c\":\n- - 1\n- \"d\": |-\n    x\n    y\n",
        ),
        (r#"{"k\nl" = [1, 2]}"#, "? |-\n  k\n  l\n: - 1\n  - 2\n"),
        (r#""a\u2028b\u00a0\u0085\U0001F600\ufeff""#, "\"a\\Lb\u{a0}\\N\\U0001F600\\uFEFF\"\n"),
        (r#""a\u2028b\n""#, "|\n  a\u{2028}  b\n"),
        (r#"" \n""#, "\" \\n\"\n"),
        (r#"["a\n\n", "b"]"#, "- |+\n  a\n\n- \"b\"\n"),
        ("1e30", "1000000000000000000000000000000\n...\n"),
    ];
    for (value, wanted) in cases {
        let shown = terraform(&format!("jsonencode(yamlencode({value}))"));
        let text: String = serde_json::from_str(&shown).expect("a quoted text");
        assert_eq!(serde_json::from_str::<String>(&text).expect("JSON"), wanted, "{value}");
    }
}

#[test]
fn character_sets() {
    let pairs = [
        ("é€", "windows-1252", "6YA="),
        ("é", " Latin1 ", "6Q=="),
        ("a", "IBM037", "gQ=="),
        ("é", "UTF-16", "/v8A6Q=="),
        ("é", "UTF-16LE", "6QA="),
        ("中€", "GBK", "1tCA"),
        ("中", "GB18030", "1tA="),
        ("中a", "HZ-GB-2312", "fntWUH59YQ=="),
        ("日ｱ", "ISO-2022-JP", "GyRCRnwbKEkxGyhC"),
        ("日丂", "EUC-JP", "xvyPsKE="),
        ("ⅰ", "Shift_JIS", "7u8="),
        ("Àa", "Big5", "iFlh"),
        ("한", "EUC-KR", "x9E="),
        ("€", "GB18030", "ouM="),
        ("€", "HZ-GB-2312", "fnsiYw=="),
        ("\u{1e3f}", "GB18030", "gTX0Nw=="),
        ("\u{9fb4}", "GB18030", "gjWQNw=="),
        ("\u{fe10}", "GB18030", "hDGCNg=="),
        ("\u{a251}", "GB18030", "gjXTNg=="),
        ("😀", "GB18030", "lDn8Ng=="),
    ];
    for (text, name, encoded) in pairs {
        assert_eq!(
            terraform(&format!("textencodebase64({text:?}, {name:?})")),
            format!("{encoded:?}"),
            "{name}"
        );
        let decoded = terraform(&format!("textdecodebase64({encoded:?}, {name:?})"));
        assert_eq!(decoded, format!("{text:?}"), "{name}");
    }
    assert_eq!(terraform(r#"textencodebase64("\ue000", "GB18030")"#), "\"gziYNw==\"");
}

#[test]
fn escape_sequences_and_second_spellings_are_decoded() {
    for (bytes, name, text) in [
        ("GyRCGyhCYQ==", "ISO-2022-JP", "a"),
        ("GyQoRDAhGyhC", "ISO-2022-JP", "丂"),
        ("DhsoSmEbKEIP", "ISO-2022-JP", "\\x0ea\\x0f"),
        ("GyhKXH4=", "ISO-2022-JP", "\\\\~"),
        ("gA==", "GB18030", "€"),
        ("iGI=", "Big5", "Ê̄"),
    ] {
        let decoded = terraform(&format!("textdecodebase64({bytes:?}, {name:?})"));
        assert_eq!(decoded, format!("\"{text}\""), "{name}");
    }
    let lines = r#"split("\n", textdecodebase64("GyRCRnwKQQ==", "ISO-2022-JP"))[1]"#;
    assert_eq!(terraform(lines), "\"A\"");
}

#[test]
fn character_sets_refuse_what_they_lack() {
    let refused = [
        r#"textencodebase64("丂", "ISO-2022-JP")"#,
        r#"textdecodebase64("gTCBMA==", "GBK")"#,
        r#"textdecodebase64("Gw==", "ISO-2022-JP")"#,
        r#"textdecodebase64("YRsoYg==", "ISO-2022-JP")"#,
        r#"textdecodebase64("GyhKYRskQQ==", "ISO-2022-JP")"#,
        r#"textdecodebase64("ptk=", "GB18030")"#,
        r#"textencodebase64("é", "US-ASCII")"#,
        r#"textencodebase64("¥", "Shift_JIS")"#,
        r#"textencodebase64("a", "")"#,
        r#"textencodebase64("a", "utf8")"#,
        r#"textencodebase64("a", "UTF-7")"#,
        r#"textdecodebase64("gA==", "UTF-8")"#,
        r#"textdecodebase64("QQ", "UTF-8")"#,
        r#"textdecodebase64("77+9", "UTF-8")"#,
        r#"textdecodebase64("AA==", "UTF-16BE")"#,
    ];
    for text in refused {
        assert_eq!(terraform(text), "error: Invalid function argument", "{text}");
    }
}

#[test]
fn compressed_texts() {
    let tofu = dialect::opentofu();
    let call = r#"base64gunzip(base64gzip(join("", [for i in range(1000) : "é${i}"]))) == join("", [for i in range(1000) : "é${i}"])"#;
    assert_eq!(in_dialect(&tofu, call), "true");
    // What the reference makes of the same text.
    assert_eq!(
        in_dialect(&tofu, r#"base64gunzip("H4sIAAAAAAAA/8pIzcnJBwAAAP//AQAA//+GphA2BQAAAA==")"#),
        "\"hello\""
    );
    for text in ["!", "aGVsbG8=", "H4sIAAAAAAAA/8pIzcnJBwAAAP//AQAA"] {
        assert_eq!(in_dialect(&tofu, &format!("base64gunzip({text:?})")), "error: Error in function call");
    }
}

/// Long texts are packed in a window that moves along, and what has left it is not found again.
#[test]
fn long_texts_are_compressed_as_the_reference_does() {
    let of_reference = [
        (90, 65_536, "2d86747ac606"),
        (90, 65_537, "01a6cbebeaa8"),
        (90, 140_000, "c62167425c0c"),
        (4, 65_536, "cd382de915fa"),
        (4, 65_537, "765a04c025d9"),
        (4, 140_000, "3431fcc3e751"),
        (2, 65_536, "e60b08cc11a4"),
        (2, 65_537, "ed6bb1853422"),
        (2, 140_000, "51c61aa2b05a"),
    ];
    for (n_letters, length, wanted) in of_reference {
        let mut state = 1_u64;
        let mut text: Vec<u8> = (0..length)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                b'!' + u8::try_from((state >> 40) % n_letters).expect("a letter")
            })
            .collect();
        // The second time its first is near the end of the window, or just beyond it.
        text.copy_within(32_700..32_716, 65_300);
        let variables = [("text".to_owned(), Value::string(String::from_utf8(text).expect("ASCII")))];
        let call = "substr(sha256(base64gzip(text)), 0, 12)";
        let (value, said) = evaluate_in(&dialect::terraform(), &variables, call, Limits::default());
        assert_eq!(value.as_str(), Some(wanted), "{n_letters} letters, {length} bytes: {said:?}");
    }
}

#[test]
fn identifiers_from_names() {
    let bare = "6ba7b8109dad11d180b400c04fd430c8";
    let dashed = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    assert_eq!(terraform(r#"uuidv5("dns", "www.example.com")"#), "\"2ed6657d-e927-568b-95e1-2665a8aea6a2\"");
    // The namespace of URLs, as it is written in different ways.
    let (braced, bracketed) = (format!("{{{dashed}}}"), format!("[{dashed}]"));
    for namespace in [bare, dashed, &braced, &bracketed, &format!("URN:uuid:{dashed}")] {
        let name = dashed.replace("6ba7b810", "6ba7b811");
        let namespace = namespace.replace("6ba7b810", "6ba7b811");
        let same = terraform(&format!("uuidv5({namespace:?}, {name:?})"));
        assert_eq!(same, terraform(&format!("uuidv5(\"url\", {name:?})")), "{namespace}");
    }
    for namespace in
        ["", "x", "6ba7b810-9dad-11d1-80b4-00c04fd430cg", "{6ba7b8109dad11d180b400c04fd430c8}", "DNS"]
    {
        assert_eq!(terraform(&format!("uuidv5({namespace:?}, \"a\")")), "error: Error in function call");
    }
}

#[test]
fn numbers_with_zeros_before_them_are_the_same_by_either_way() {
    let numbers = [
        "0",
        "7",
        "-7",
        "123456",
        "1234567",
        "-123456",
        "9223372036854775807",
        "18446744073709551616",
        "1.5",
        "0.1",
    ];
    for value in numbers.into_iter().chain(["null", "\"42\"", "\"-4\"", "true", "[1]"]) {
        // Two flags are read in general.
        let [short, general] =
            ["%06d", "%006d"].map(|verb| terraform(&format!("format(\"<{verb}>\", {value})")));
        assert_eq!(short, general, "{value}");
    }
    assert_eq!(terraform("format(\"%04d%%%9d|%01d%s\", 7, 42, 0, -1)"), "\"0007%       42|0-1\"");
}
