//! Native syntax written from Rust types, and read back into them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use hcl_eval::serde::{Spanned, as_argument, from_str, to_string, to_value};
use hcl_eval::{Mark, Type, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The text of a value that is the same when it is read back.
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = to_string(value).unwrap();
    assert_eq!(&from_str::<T>(&text).unwrap(), value, "{text}");
    text
}

fn refusal<T: Serialize>(value: &T) -> String {
    to_string(value).unwrap_err().to_string()
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
struct Health {
    path: String,
    every: Option<f64>,
}

const SERVICE: &str = r#"name   = "we\"b\n"
on     = true
big    = -170141183460469231731687303715884105728
letter = "ä"
pair   = [1, "x"]
tags = {
  "a b" = [1]
  c     = []
}
nothing = null

health {
  path = "/$${up}"
}

fallback {
  path  = "/$${up}"
  every = 0.5
}

each {
  path  = "/$${up}"
  every = 0.5
}

each {
  path  = "/$${up}"
  every = 0.5
}

limits = {
  y = 2
  z = 1
}
"#;

#[test]
fn structs_are_blocks_and_the_rest_are_attributes() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Service {
        name: String,
        on: bool,
        big: i128,
        letter: char,
        pair: (u8, String),
        tags: BTreeMap<String, Vec<u8>>,
        nothing: (),
        health: Health,
        fallback: Option<Health>,
        absent: Option<Health>,
        each: Vec<Health>,
        limits: Limits,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Limits(HashMap<String, u8>);

    let health = Health { path: "/${up}".into(), every: Some(0.5) };
    let service = Service {
        name: "we\"b\n".into(),
        on: true,
        big: i128::MIN,
        letter: 'ä',
        pair: (1, "x".into()),
        tags: BTreeMap::from([("a b".into(), vec![1]), ("c".into(), vec![])]),
        nothing: (),
        health: Health { every: None, ..health.clone() },
        fallback: Some(health.clone()),
        absent: None,
        each: vec![health.clone(), health],
        limits: Limits(HashMap::from([("z".into(), 1), ("y".into(), 2)])),
    };
    assert_eq!(there_and_back(&service), SERVICE);
}

const LABELS: &str = r#"resource "disk" "a" {
  count = 1
}

resource "vm" "b" {
  count = 1
}

resource "vm" "$${c}" {
  count = 1
}

by_name "x" "y" {
  path = "/"
}

rule "a" "b" {}

rule {}

step "Run" {
  command = "make"
}

step "Copy" {
  path = "/"
}

backend "Run" {
  command = "x"
}

level = "Debug"
other = {
  Size = 3
}
levels = [{
  Size = 1
}, "Debug"]
"#;

#[test]
fn labels_are_keys_fields_and_variants() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Resource {
        #[serde(rename = "$label")]
        name: String,
        count: u8,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Rule {
        #[serde(rename = "$labels")]
        labels: Vec<String>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Step {
        Run { command: String },
        Copy(Health),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Level {
        Debug,
        Size(u8),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct File {
        resource: BTreeMap<String, Vec<Resource>>,
        by_name: BTreeMap<String, BTreeMap<String, Health>>,
        rule: Vec<Rule>,
        step: Vec<Step>,
        backend: Step,
        level: Level,
        other: Level,
        levels: Vec<Level>,
    }
    let resource = |name: &str| Resource { name: name.into(), count: 1 };
    let health = || Health { path: "/".into(), every: None };
    let file = File {
        resource: BTreeMap::from([
            ("disk".into(), vec![resource("a")]),
            ("vm".into(), vec![resource("b"), resource("${c}")]),
        ]),
        by_name: BTreeMap::from([("x".into(), BTreeMap::from([("y".into(), health())]))]),
        rule: vec![Rule { labels: vec!["a".into(), "b".into()] }, Rule { labels: vec![] }],
        step: vec![Step::Run { command: "make".into() }, Step::Copy(health())],
        backend: Step::Run { command: "x".into() },
        level: Level::Debug,
        other: Level::Size(3),
        levels: vec![Level::Size(1), Level::Debug],
    };
    assert_eq!(there_and_back(&file), LABELS);
}

#[test]
fn a_field_may_be_an_attribute_in_spite_of_its_type() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct File {
        #[serde(with = "as_argument")]
        health: Health,
        #[serde(with = "as_argument")]
        each: Vec<Health>,
        port: Spanned<u16>,
    }
    let health = Health { path: "/".into(), every: None };
    let file = File { health: health.clone(), each: vec![health], port: Spanned::new(80, None) };
    let expected = "health = {\n  path  = \"/\"\n  every = null\n}\neach = [{\n  path  = \"/\"\n  every = null\n}]\nport = 80\n";
    assert_eq!(there_and_back(&file), expected);
    assert_eq!(serde_json::to_value(&file).unwrap()["health"]["path"], "/");
    assert_eq!(
        to_value(&file).unwrap().to_json().unwrap(),
        serde_json::to_string(&serde_json::to_value(&file).unwrap()).unwrap()
    );
}

#[test]
fn empty_collections_are_read_back() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
    struct File {
        each: Vec<Health>,
        by_name: BTreeMap<String, Health>,
        texts: Vec<String>,
    }
    assert_eq!(there_and_back(&File::default()), "each    = []\nby_name = {}\ntexts   = []\n");
}

#[test]
fn values_and_maps_are_files_too() {
    let value = Value::from_iter([("a", Value::from(1)), ("b", Value::from_iter([("c", 2)]))]);
    assert_eq!(to_string(&value).unwrap(), "a = 1\nb = {\n  c = 2\n}\n");
    let map = BTreeMap::from([("x", Health::default()), ("y", Health::default())]);
    assert_eq!(to_string(&map).unwrap(), "x {\n  path = \"\"\n}\n\ny {\n  path = \"\"\n}\n");
}

#[test]
fn what_has_no_text_is_refused_with_its_place() {
    #[derive(Serialize)]
    struct File<T> {
        inner: BTreeMap<&'static str, Vec<T>>,
    }
    fn at<T>(value: T) -> File<T> {
        File { inner: BTreeMap::from([("k", vec![value])]) }
    }
    #[derive(Serialize)]
    struct Labelled {
        #[serde(rename = "$label")]
        name: Option<u8>,
    }
    let secret = Value::from(1).mark(Mark::new("sensitive"));
    let told = refusal(&at(secret));
    assert!(told.contains("At .inner.k[0]: The value is marked"), "{told}");
    let told = refusal(&at(Value::unknown(Type::String)));
    assert!(told.contains("At .inner.k[0]: The value is not known"), "{told}");
    assert!(refusal(&at(f64::NAN)).contains("no number NaN"));
    assert!(refusal(&at(f64::INFINITY)).contains("infinite"));
    let told = refusal(&at(Labelled { name: None }));
    assert!(told.contains("At .inner.k[0][\"$label\"]: The labels of blocks are texts."), "{told}");
    assert!(refusal(&Labelled { name: Some(1) }).contains("Only blocks have labels"));
    assert_eq!(there_and_back(&BTreeMap::<String, u8>::new()), "");
    for told in [refusal(&1), refusal(&[Health::default()]), refusal(&"text"), refusal(&None::<u8>)] {
        assert!(told.contains("is written of a struct, a map"), "{told}");
    }
    assert!(refusal(&BTreeMap::from([("a b", 1)])).contains("a b"));
}

#[test]
fn ten_thousand_blocks_are_written_in_one_go() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct File {
        rule: Vec<Health>,
    }
    let rule = (0..10_000).map(|n| Health { path: format!("/{n}"), every: Some(f64::from(n)) });
    let text = there_and_back(&File { rule: rule.collect() });
    assert_eq!(text.matches("rule {").count(), 10_000);
}
