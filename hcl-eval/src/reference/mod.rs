//! The reference of the functions: notes and examples, by topic.
//!
//! What is said here comes on top of what a [`Function`](crate::function::Function) says of itself. The
//! texts are Markdown, a file for each topic: the first heading is the topic's title, each second-level
//! heading names a function, and `console` fences hold examples, an expression behind `>` and below it what
//! a console prints. A fence may name the dialect it is for: `console nomad`. Tests evaluate the examples.

/// A group of functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topic<'a> {
    /// The topic, in a word or two.
    pub title: &'a str,
    /// The introduction to all its functions; Markdown.
    pub introduction: &'a str,
    /// Its functions, by name.
    pub entries: Vec<Entry<'a>>,
}

/// The notes and examples of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// The function's name.
    pub name: &'a str,
    /// Odd cases and differences between products; Markdown, perhaps empty.
    pub notes: &'a str,
    /// Expressions with their results, the commonest first.
    pub examples: Vec<Example<'a>>,
}

/// An expression with its result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Example<'a> {
    /// The dialect it is for; without one, any that has the function.
    pub dialect: Option<&'a str>,
    /// The expression.
    pub input: &'a str,
    /// The output of a console, without the last newline; of an error `Error: ` and its detail.
    pub output: &'a str,
}

/// The texts of the topics, in the order in which an index lists them.
const TEXTS: [&str; 13] = [
    include_str!("text.md"),
    include_str!("patterns.md"),
    include_str!("numbers.md"),
    include_str!("collections.md"),
    include_str!("sets.md"),
    include_str!("conversion.md"),
    include_str!("encoding.md"),
    include_str!("hashes.md"),
    include_str!("time.md"),
    include_str!("network.md"),
    include_str!("files.md"),
    include_str!("outside.md"),
    include_str!("operators.md"),
];

/// All topics.
///
/// ```
/// let mut topics = hcl_eval::reference::topics();
/// assert!(topics.any(|topic| topic.entries.iter().any(|entry| entry.name == "upper")));
/// ```
pub fn topics() -> impl Iterator<Item = Topic<'static>> {
    TEXTS.into_iter().map(parse)
}

/// Returns the notes and examples of a function, with the title of its topic.
///
/// ```
/// let (_, upper) = hcl_eval::reference::entry("upper").unwrap();
/// assert!(upper.examples[0].input.starts_with("upper("));
/// ```
pub fn entry(name: &str) -> Option<(&'static str, Entry<'static>)> {
    topics().find_map(|topic| {
        let found = topic.entries.into_iter().find(|entry| entry.name == name)?;
        Some((topic.title, found))
    })
}

/// Reads the text of a topic.
pub fn parse(text: &str) -> Topic<'_> {
    let mut sections = text.split("\n## ");
    let head = sections.next().unwrap_or_default();
    let (title, introduction) = head.split_once('\n').unwrap_or((head, ""));
    Topic {
        title: title.trim_start_matches('#').trim(),
        introduction: introduction.trim(),
        entries: sections.map(parse_entry).collect(),
    }
}

fn parse_entry(section: &str) -> Entry<'_> {
    const FENCE: &str = "\n```console";
    let (name, rest) = section.split_once('\n').unwrap_or((section, ""));
    let notes_end = section.find(FENCE).unwrap_or(section.len());
    let notes = section.get(name.len()..notes_end).unwrap_or_default();
    let mut examples = Vec::new();
    for fence in rest.split("```console").skip(1) {
        let (word, body) = fence.split_once('\n').unwrap_or((fence, ""));
        let body = body.split_once("```").map_or(body, |(inside, _)| inside);
        let dialect = Some(word.trim()).filter(|word| !word.is_empty());
        parse_examples(dialect, body, &mut examples);
    }
    Entry { name: name.trim(), notes: notes.trim(), examples }
}

fn parse_examples<'a>(dialect: Option<&'a str>, body: &'a str, examples: &mut Vec<Example<'a>>) {
    let body = body.strip_prefix("> ").unwrap_or(body);
    for example in body.split("\n> ") {
        let (input, output) = example.split_once('\n').unwrap_or((example, ""));
        examples.push(Example { dialect, input, output: output.trim_end_matches('\n') });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_read_into_its_parts() {
        let text = "# Text\n\nAll of it.\n\n## upper\n\nNotes.\n\n```console\n> upper(\"a\")\n\"A\"\n> 1\n1\n```\n\n\
                    ```console nomad\n> [1]\n[\n  1,\n]\n```\n\n## lower\n";
        let topic = parse(text);
        assert_eq!((topic.title, topic.introduction), ("Text", "All of it."));
        let upper = &topic.entries[0];
        assert_eq!((upper.name, upper.notes), ("upper", "Notes."));
        let expected = [
            Example { dialect: None, input: "upper(\"a\")", output: "\"A\"" },
            Example { dialect: None, input: "1", output: "1" },
            Example { dialect: Some("nomad"), input: "[1]", output: "[\n  1,\n]" },
        ];
        assert_eq!(upper.examples, expected);
        assert_eq!(topic.entries[1], Entry { name: "lower", notes: "", examples: Vec::new() });
    }
}
