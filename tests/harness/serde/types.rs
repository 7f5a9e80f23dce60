//! Rust types from configuration, and values from Rust types.

use std::collections::{BTreeMap, HashMap};

use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::serde::{Spanned, from_file, from_str, from_value, to_value};
use hcl_eval::{Mark, Type, Value, dialect};
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

/// The first complaint about a text, as a line.
fn complaint<T: DeserializeOwned>(text: &str) -> String {
    from_str::<T>(text).map(drop).expect_err("something does not fit").diagnostics()[0].to_string()
}

fn value(text: &str) -> Value {
    let (parsed, problems) = parse_expression(Source::new("value", text).unwrap(), &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    let scope = Scope::builder().functions(dialect::hcl_test()).functions(dialect::makers()).build();
    let (value, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    assert!(problems.is_empty(), "{problems:?}");
    value
}

#[derive(Deserialize, Serialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Rule {
    #[serde(rename = "$label")]
    name: String,
    ports: Vec<u16>,
    note: Option<String>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Rules {
    #[serde(default)]
    rule: Vec<Rule>,
}

#[test]
fn arguments_are_converted_as_the_language_does() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct All {
        text: String,
        small: u8,
        negative: i64,
        wide: u128,
        float: f64,
        flag: bool,
        letter: char,
        pair: (String, u8),
        absent: Option<u8>,
        null: Option<u8>,
        bytes: Vec<u8>,
        table: BTreeMap<String, u8>,
        numbered: BTreeMap<u16, String>,
    }
    let all: All = from_str(
        "text = 5\nsmall = \"7\"\nnegative = -3\nwide = 340282366920938463463374607431768211455\nfloat = 0.1\n\
         flag = \"true\"\nletter = \"é\"\npair = [\"a\", \"1\"]\nnull = null\nbytes = [1, 2]\n\
         table = { a = 1, b = \"2\" }\nnumbered = { 80 = \"http\" }\n",
    )
    .unwrap();
    assert_eq!(all.wide, u128::MAX);
    assert_eq!((all.text.as_str(), all.small, all.negative, all.float), ("5", 7, -3, 0.1));
    assert_eq!((all.flag, all.letter, all.pair), (true, 'é', ("a".to_owned(), 1)));
    assert_eq!((all.absent, all.null, all.bytes), (None, None, vec![1, 2]));
    assert_eq!(all.table, BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]));
    assert_eq!(all.numbered, BTreeMap::from([(80, "http".to_owned())]));
}

#[test]
fn blocks_are_what_the_field_is() {
    let text = "rule \"a\" {\n  ports = [1]\n}\nrule \"b\" {\n  ports = []\n  note = \"n\"\n}\n";
    let rules: Rules = from_str(text).unwrap();
    let names: Vec<_> = rules.rule.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(from_str::<Rules>("").unwrap().rule, []);

    #[derive(Deserialize, PartialEq, Debug)]
    struct Ports {
        ports: Vec<u16>,
    }
    type Keyed = HashMap<String, HashMap<String, Ports>>;
    let keyed: Keyed = from_str(text).unwrap();
    assert_eq!(keyed["rule"]["a"].ports, [1]);

    type Grouped = HashMap<String, HashMap<String, Vec<Ports>>>;
    let twice = "rule \"a\" {\n  ports = [1]\n}\nrule \"a\" {\n  ports = [2]\n}\n";
    let grouped: Grouped = from_str(twice).unwrap();
    assert_eq!(grouped["rule"]["a"].iter().map(|rule| rule.ports[0]).collect::<Vec<_>>(), [1, 2]);
    let problem = complaint::<Keyed>(twice);
    assert!(problem.starts_with("input:4,1-9: Duplicate rule block"), "{problem}");
}

#[test]
fn several_labels() {
    #[derive(Deserialize)]
    struct Resource {
        #[serde(rename = "$labels")]
        labels: (Spanned<String>, String),
        count: Option<u8>,
    }
    #[derive(Deserialize)]
    struct File {
        resource: Vec<Resource>,
    }
    let file: File = from_str("resource \"disk\" root {\n  count = 2\n}\n").unwrap();
    assert_eq!((&**file.resource[0].labels.0, file.resource[0].labels.1.as_str()), ("disk", "root"));
    assert_eq!(file.resource[0].count, Some(2));
    let problem = complaint::<File>("resource \"disk\" {}\n");
    assert!(problem.starts_with("input:1,1-16: Unsuitable value type"), "{problem}");

    #[derive(Deserialize)]
    struct Last {
        #[serde(rename = "$label")]
        name: String,
    }
    let file: HashMap<String, HashMap<String, Vec<Last>>> =
        from_str("resource \"disk\" \"a\" {}\nresource \"disk\" \"b\" {}\n").unwrap();
    assert_eq!(file["resource"]["disk"].iter().map(|last| &*last.name).collect::<Vec<_>>(), ["a", "b"]);
}

/// serde stops reading where a tuple, an array or a number has no more room; what is left is not dropped.
#[test]
fn what_has_no_room_is_an_error() {
    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "nothing is read from it")]
    enum Size {
        Pair(u8, u8),
    }
    let pair = complaint::<HashMap<String, (u8, u8)>>("a = [1, 2, 3]\n");
    assert!(pair.starts_with("input:1,5-14: Unsuitable value type; Found 3 elements"), "{pair}");
    let array = complaint::<HashMap<String, [u8; 1]>>("a = [\n  1, 2]\n");
    assert!(array.starts_with("input:1,5-2,8: Unsuitable value type; Found 2 elements"), "{array}");
    let variant = complaint::<HashMap<String, Size>>("a = { Pair = [1, 2, 3] }\n");
    assert!(variant.starts_with("input:1,14-23: Unsuitable value type; Found 3 elements"), "{variant}");
    let blocks = complaint::<HashMap<String, [IgnoredAny; 1]>>("a {}\na {}\n");
    assert!(blocks.starts_with("input:2,1-2: Unsuitable value type; Found 2 elements"), "{blocks}");
    let float = complaint::<HashMap<String, f64>>("a = 1e400\n");
    assert!(float.starts_with("input:1,5-10: Unsuitable value type; The number is too large"), "{float}");
}

#[test]
fn enums() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Store {
        None,
        Disk { path: String },
        S3(HashMap<String, String>),
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct File {
        store: Store,
    }
    let read = |text: &str| from_str::<File>(text).unwrap().store;
    assert_eq!(read("store = \"none\"\n"), Store::None);
    assert_eq!(read("store \"none\" {}\n"), Store::None);
    assert_eq!(read("store = { disk = { path = \"/\" } }\n"), Store::Disk { path: "/".to_owned() });
    assert_eq!(read("store \"disk\" {\n  path = \"/\"\n}\n"), Store::Disk { path: "/".to_owned() });
    assert_eq!(read("store {\n  disk {\n    path = \"/\"\n  }\n}\n"), Store::Disk { path: "/".to_owned() });
    let s3 = HashMap::from([("bucket".to_owned(), "b".to_owned())]);
    assert_eq!(read("store \"s3\" {\n  bucket = \"b\"\n}\n"), Store::S3(s3));
    let problem = complaint::<File>("store \"tape\" {}\n");
    assert!(problem.starts_with("input:1,7-13: Unsuitable value type; Found \"tape\""), "{problem}");
}

#[test]
fn errors_have_the_place_and_the_title() {
    let cases = [
        ("rule {\n  ports = []\n}\n", "input:1,6-7: Missing label for rule"),
        ("rule \"a\" \"b\" {\n  ports = []\n}\n", "input:1,10-13: Extraneous label for rule"),
        ("rule \"a\" {\n}\n", "input:1,10-10: Missing required argument"),
        ("rule \"a\" {\n  prots = []\n}\n", "input:2,3-8: Unsupported argument"),
        ("rule \"a\" {\n  ports = []\n  more {}\n}\n", "input:3,3-7: Unsupported block type"),
        ("rule \"a\" {\n  ports = [1, [2]]\n}\n", "input:2,15-18: Unsuitable value type"),
        ("rule \"a\" {\n  ports = \"x\"\n}\n", "input:2,11-14: Unsuitable value type"),
        ("rule \"a\" {\n  ports = [1.5]\n}\n", "input:2,12-15: Unsuitable value type"),
        ("rule \"a\" {\n  ports = [null]\n}\n", "input:2,12-16: Unsuitable value type"),
        ("rule \"a\" {\n  ports = []\n  note {}\n}\n", "input:3,3-7: Unsupported block type"),
        ("rule \"a\" {\n  ports = [nowhere]\n}\n", "input:2,12-19: Variables not allowed"),
        ("rule = [{ ports = [] }]\n", "input:1,9-23: Unsuitable value type"),
        ("rule = \n", "input:1,8-2,1: Invalid expression"),
    ];
    for (text, wanted) in cases {
        let problem = complaint::<Rules>(text);
        assert!(problem.starts_with(&format!("{wanted}; ")), "{text}: {problem}");
    }
    let both = complaint::<HashMap<String, IgnoredAny>>("a = 1\na {}\n");
    assert!(both.starts_with("input:2,1-2: Duplicate a block"), "{both}");
    let typo = complaint::<Rules>("rule \"a\" {\n  prots = []\n}\n");
    assert!(typo.ends_with("Did you mean \"ports\"?"), "{typo}");
}

#[test]
fn a_place_inside_a_value_is_named_when_it_is_not_written_out() {
    #[derive(Deserialize, Debug)]
    struct File {
        #[allow(dead_code, reason = "is never reached")]
        limits: HashMap<String, Vec<u8>>,
    }
    let source = Source::new("input", "limits = { cpu = ports }\n").unwrap();
    let (file, _) = parse_file(source, &ParseLimits::default());
    let scope = Scope::builder().variable("ports", value("[1, 300]")).build();
    let problems = from_file::<File>(&file, Some(&scope), &EvalOptions::default()).unwrap_err();
    let text = problems.diagnostics()[0].to_string();
    assert!(text.starts_with("input:1,18-23: Unsuitable value type; At [1]: Found"), "{text}");
}

#[test]
fn what_is_ignored_is_not_evaluated() {
    #[derive(Deserialize)]
    struct File {
        wanted: u8,
    }
    assert_eq!(from_str::<File>("other = nowhere.to.be.found\nwanted = 1\n").unwrap().wanted, 1);
}

#[test]
fn places() {
    #[derive(Deserialize)]
    struct Inner {
        #[serde(rename = "$label")]
        label: Spanned<String>,
        list: Vec<Spanned<u8>>,
        table: HashMap<Spanned<String>, Spanned<u8>>,
    }
    #[derive(Deserialize)]
    struct File {
        block: Spanned<Inner>,
        other: HashMap<Spanned<String>, IgnoredAny>,
    }
    let text = "block \"a\" {\n  list = [1, 2]\n  table = { k = 3 }\n}\nother \"x\" {}\n";
    let file: File = from_str(text).unwrap();
    let shown = |range: Option<&hcl_syntax::source::Range>| range.unwrap().to_string();
    assert_eq!(shown(file.block.range()), "input:1,1-10");
    assert_eq!(shown(file.block.label.range()), "input:1,7-10");
    assert_eq!(shown(file.block.list[1].range()), "input:2,14-15");
    let (key, entry) = file.block.table.iter().next().unwrap();
    assert_eq!((shown(key.range()), shown(entry.range())), ("input:3,13-14".into(), "input:3,17-18".into()));
    assert_eq!(shown(file.other.keys().next().unwrap().range()), "input:5,7-10");
    assert_eq!(to_value(&file.block.list).unwrap().to_json().unwrap(), "[1,2]");
    assert!(from_value::<Spanned<u8>>(&Value::int(1)).unwrap().range().is_none());
}

#[test]
fn values_pass_through_as_they_are() {
    #[derive(Serialize, Deserialize)]
    struct Holder {
        held: Value,
    }
    for text in
        ["unknown(string)", "marked([1, unknown(any)], \"m\")", "0.1", "null_of(bool)", "tolist([\"a\"])"]
    {
        let held = value(text);
        let written = to_value(&Holder { held: held.clone() }).unwrap();
        assert!(written.get_attribute("held").unwrap().raw_equals(&held), "{text}");
        assert!(from_value::<Holder>(&written).unwrap().held.raw_equals(&held), "{text}");
        assert!(from_value::<Value>(&held).unwrap().raw_equals(&held), "{text}");
    }
    let wide = value("123456789012345678901234567890123456789012345678901234567890");
    assert!(to_value(&wide).unwrap().raw_equals(&wide));
    let body: Value = from_str("a = 1\nb \"x\" {\n  c = 2\n}\nd {}\nd {}\n").unwrap();
    assert_eq!(body.to_json().unwrap(), r#"{"a":1,"b":{"x":{"c":2}},"d":[{},{}]}"#);
}

#[test]
fn values_in_other_formats() {
    let shown = |text: &str| serde_json::to_string(&value(text)).map_err(|error| error.to_string());
    assert_eq!(
        shown("{ a = [1, 2.5, null], b = \"x\", c = true }").unwrap(),
        r#"{"a":[1,2.5,null],"b":"x","c":true}"#
    );
    assert_eq!(shown("340282366920938463463374607431768211455").unwrap(), u128::MAX.to_string());
    assert!(shown("[unknown(string)]").unwrap_err().contains("not known"));
    assert!(shown("{ a = marked(1, \"m\") }").unwrap_err().contains("marked m"));
    let read: Value = serde_json::from_str(r#"{"a":[1,null,"x"],"b":0.5}"#).unwrap();
    assert!(read.raw_equals(&value("{ a = [1, null, \"x\"], b = 0.5 }")), "{}", read.display_console());
    let json: serde_json::Value = from_value(&value("{ a = [1, null], b = -2 }")).unwrap();
    assert_eq!(json.to_string(), r#"{"a":[1,null],"b":-2}"#);
}

#[test]
fn rust_values_become_values() {
    #[derive(Serialize)]
    enum Shape {
        Unit,
        New(u8),
        Pair(u8, u8),
        Record { a: Option<u8> },
    }
    let shapes = [Shape::Unit, Shape::New(1), Shape::Pair(1, 2), Shape::Record { a: None }];
    let written = to_value(&shapes).unwrap();
    assert_eq!(written.to_json().unwrap(), r#"["Unit",{"New":1},{"Pair":[1,2]},{"Record":{"a":null}}]"#);
    assert_eq!(to_value(&HashMap::from([(7, 'x')])).unwrap().to_json().unwrap(), r#"{"7":"x"}"#);
    assert_eq!(to_value(&(u64::MAX, i128::MIN)).unwrap().ty(), Type::tuple(vec![Type::Number, Type::Number]));
    assert!(to_value(&f64::NAN).is_err());
    assert!(to_value(&HashMap::from([(vec![1], 1)])).is_err());
    let rule = Rule { name: "a".into(), ports: vec![1], note: None };
    assert_eq!(from_value::<Rule>(&to_value(&rule).unwrap()).unwrap(), rule);
}

#[test]
fn marks_do_not_count_and_unknowns_do() {
    assert_eq!(from_value::<Vec<u8>>(&value("marked([1, 2], \"m\")")).unwrap(), [1, 2]);
    assert_eq!(from_value::<String>(&Value::string("x").mark(Mark::new("sensitive"))).unwrap(), "x");
    let error = from_value::<HashMap<String, Vec<u8>>>(&value("{ a = [1, unknown(number)] }")).unwrap_err();
    assert_eq!(error.path().to_text(), ".a[1]");
    assert!(error.to_string().contains("not known"), "{error}");
    let missing = from_value::<Rule>(&value("{ ports = [] }")).unwrap_err().to_string();
    assert!(missing.contains("\"$label\" is required"), "{missing}");
}

#[test]
fn flatten_and_tags() {
    #[derive(Deserialize)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Check {
        Http { path: String },
        Tcp { port: u16 },
    }
    #[derive(Deserialize)]
    struct Service {
        name: String,
        check: Vec<Check>,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let service: Service = from_str(
        "name = \"a\"\nmore = [1]\ncheck {\n  kind = \"http\"\n  path = \"/\"\n}\ncheck {\n  kind = \"tcp\"\n  port = 1\n}\n",
    )
    .unwrap();
    assert_eq!(service.name, "a");
    assert!(matches!(&service.check[..], [Check::Http { path }, Check::Tcp { port: 1 }] if path == "/"));
    assert!(service.rest["more"].raw_equals(&value("[1]")));
}

#[test]
fn many_and_deep() {
    let text: String =
        (0..50_000).map(|n| format!("rule \"r{n}\" {{\n  ports = [{}]\n}}\n", n % 1000)).collect();
    assert_eq!(from_str::<Rules>(&text).unwrap().rule.len(), 50_000);
    let keyed: HashMap<String, HashMap<String, IgnoredAny>> = from_str(&text).unwrap();
    assert_eq!(keyed["rule"].len(), 50_000);

    let deep = format!("{}{}", "b {\n".repeat(900), "}\n".repeat(900));
    let read = move || from_str::<Value>(&deep).unwrap().depth();
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(read);
    assert_eq!(thread.unwrap().join().unwrap(), 901);
}

#[test]
fn json_syntax() {
    use hcl_eval::serde::from_json_file;
    use hcl_syntax::json::parse_json;

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        let source = Source::json("input", text).unwrap();
        let (file, problems) = parse_json(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{problems:?}");
        let scope = Scope::builder().functions(dialect::hcl_test()).build();
        from_json_file(&file, Some(&scope), &EvalOptions::default())
            .map_err(|error| error.diagnostics()[0].to_string())
    }
    let names = |text: &str| -> Result<Vec<(String, u16)>, String> {
        let rules: Rules = read(text)?;
        Ok(rules.rule.into_iter().map(|rule| (rule.name, rule.ports[0])).collect())
    };
    let one = vec![("a".to_owned(), 1)];
    let two = vec![("a".to_owned(), 1), ("b".to_owned(), 2)];
    assert_eq!(names(r#"{"rule": {"a": {"ports": ["${1}"]}}}"#).unwrap(), one);
    assert_eq!(names(r#"{"rule": [{"a": [{"ports": [1]}]}], "other": "${nowhere}"}"#).unwrap(), one);
    assert_eq!(names(r#"{"rule": {"a": {"ports": [1]}, "b": {"ports": [2]}}}"#).unwrap(), two);
    assert_eq!(names(r#"{"rule": [{"a": {"ports": [1]}}, {"b": {"ports": [2]}}]}"#).unwrap(), two);
    assert_eq!(names("{\"//\": \"a comment\"}").unwrap(), []);

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct File {
        cache: Option<Cache>,
        keyed: Option<HashMap<String, Vec<Cache>>>,
    }
    #[derive(Deserialize, Debug)]
    struct Cache {
        size: Spanned<u8>,
    }
    let file: File = read(r#"{"cache": [{"size": 1}], "keyed": {"x": {"size": 2}, "y": []}}"#).unwrap();
    assert_eq!(file.cache.unwrap().size.range().unwrap().to_string(), "input:1,21-22");
    assert_eq!(*file.keyed.unwrap()["x"][0].size, 2);
    let problem = |text: &str| read::<File>(text).unwrap_err();
    assert!(
        problem(r#"{"cash": 1}"#).starts_with("input:1,2-8: Unsupported argument"),
        "{}",
        problem(r#"{"cash": 1}"#)
    );
    let text = problem(r#"{"cache": {"size": 300}}"#);
    assert!(text.starts_with("input:1,20-23: Unsuitable value type; Found"), "{text}");
    let text = problem(r#"{"cache": [{"size": 1}, {"size": 2}]}"#);
    assert!(text.starts_with("input:1,11-"), "{text}");
}
