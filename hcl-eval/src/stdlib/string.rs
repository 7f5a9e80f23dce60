//! Text: case, trimming, searching, joining and cutting.
//!
//! Three units of text are in play, and each function says which it uses:
//! grapheme clusters for what people count (`substr`, `strrev`, `strlen`), code
//! points for case, cut sets and splitting by nothing, bytes for prefixes,
//! suffixes and order. Results are normalised again when they become values,
//! because cutting and joining can bring a letter and its accent together.

use unicode_segmentation::UnicodeSegmentation;

use hcl_syntax::clusters::Clusters;
use hcl_syntax::hash::HashSet;

use super::case;
use super::search::Places;
use super::support::{
    Outcome, append, elements, fail, function, in_stretches, long_text, next_cluster, refuse, text, unknown,
    whole,
};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::sorting::sorted_places_on;
use crate::types::Type;
use crate::value::string::STRETCH;
use crate::value::{Number, Refinement, Value};

/// A function from one text to another of about its length.
fn of_text(name: &'static str, description: &'static str) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text."))
        .returns(Type::String)
}

/// Such a function, charged before the work.
fn mapping(
    name: &'static str,
    description: &'static str,
    body: fn(&mut Invocation<'_>, &Str) -> Outcome,
) -> Function {
    of_text(name, description).implementation(move |invocation, args| {
        let str = charged(invocation, args)?;
        body(invocation, str)
    })
}

/// The text of such a function, charged before the work.
fn charged<'a>(invocation: &mut Invocation<'_>, args: &'a [Value]) -> Result<&'a Str, FunctionError> {
    const NONE: &Str = &Str::new_static("");
    let str = args.first().and_then(Value::as_text).unwrap_or(NONE);
    invocation.charge_bytes(str.len())?;
    Ok(str)
}

/// The text that `map` makes of one, a stretch after the other.
fn mapped(invocation: &mut Invocation<'_>, str: &str, map: &mut dyn FnMut(&str, &mut String)) -> Outcome {
    let mut mapped = invocation.text_room(str.len())?;
    in_stretches(invocation, str, |stretch| map(stretch, &mut mapped))?;
    long_text(invocation, &mapped)
}

/// A function that cuts a text by means of another. The result is charged as long as the text, the other text at a
/// step for 64 bytes.
fn cutting(
    name: &'static str,
    description: &'static str,
    second: (&'static str, &'static str),
    body: for<'a> fn(&mut Invocation<'_>, &'a str, &str) -> Result<&'a str, FunctionError>,
) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text."))
        .parameter(Parameter::new(second.0, Type::String).described(second.1))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_bytes(text(args, 0).len())?;
            invocation.charge_steps(text(args, 1).len() as u64 / 64)?;
            let cut = body(invocation, text(args, 0), text(args, 1))?;
            long_text(invocation, cut)
        })
}

/// A question about two texts, answered byte by byte. A step is charged for 64 bytes of the first.
fn question(
    name: &'static str,
    description: &'static str,
    second: (&'static str, &'static str),
    body: fn(&mut Invocation<'_>, &str, &str) -> Result<bool, FunctionError>,
) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text."))
        .parameter(Parameter::new(second.0, Type::String).described(second.1))
        .returns(Type::Bool)
        .implementation(move |invocation, args| {
            invocation.charge_steps(text(args, 0).len() as u64 / 64)?;
            Ok(Value::bool(body(invocation, text(args, 0), text(args, 1))?))
        })
}

/// Returns whether a text is ASCII, and short enough to be mapped in one go.
fn is_plain(str: &Str) -> bool {
    str.len() <= STRETCH && str.is_ascii()
}

/// `upper(str)`
pub(crate) fn upper() -> Function {
    of_text("upper", "Maps every letter to upper case.").implementation(|invocation, args| {
        let str = charged(invocation, args)?;
        if is_plain(str) {
            return Ok(Value::string_nfc(str.to_ascii_uppercase()));
        }
        mapped(invocation, str, &mut |stretch, to| match stretch.is_ascii() {
            true => *to += &stretch.to_ascii_uppercase(),
            false => to.extend(stretch.chars().map(case::upper)),
        })
    })
}

/// `lower(str)`
pub(crate) fn lower() -> Function {
    of_text("lower", "Maps every letter to lower case.").implementation(|invocation, args| {
        let str = charged(invocation, args)?;
        if is_plain(str) {
            return Ok(Value::string_nfc(str.to_ascii_lowercase()));
        }
        mapped(invocation, str, &mut |stretch, to| match stretch.is_ascii() {
            true => *to += &stretch.to_ascii_lowercase(),
            false => to.extend(stretch.chars().map(case::lower)),
        })
    })
}

/// `title(str)`
pub(crate) fn title() -> Function {
    mapping("title", "Puts the first letter of every word in title case.", |invocation, str| {
        let mut previous = ' ';
        let mut title = |c| {
            let mapped = if separates_words(previous) { case::title(c) } else { c };
            previous = c;
            mapped
        };
        mapped(invocation, str, &mut |stretch, to| to.extend(stretch.chars().map(&mut title)))
    })
}

/// True if a letter behind the character begins a word for `title`: in ASCII behind everything but letters, digits
/// and the underscore; beyond ASCII behind white space only. Go's `strings.Title` has the rule.
fn separates_words(c: char) -> bool {
    match c.is_ascii() {
        true => !(c.is_ascii_alphanumeric() || c == '_'),
        false => c.is_whitespace(),
    }
}

/// `chomp(str)`
pub(crate) fn chomp() -> Function {
    mapping("chomp", "Removes all line ends from the end of the text.", |invocation, str| {
        let cut = trim_end_where(invocation, str, |c| matches!(c, '\n' | '\r'))?;
        long_text(invocation, cut)
    })
}

/// `trimspace(str)`
pub(crate) fn trimspace() -> Function {
    mapping("trimspace", "Removes white space from both ends of the text.", |invocation, str| {
        let cut = trim_where(invocation, str, char::is_whitespace)?;
        long_text(invocation, cut)
    })
}

/// `strrev(str)`, called `reverse` in some products.
pub(crate) fn strrev() -> Function {
    mapping(
        "strrev",
        "Reverses the text, character by character as a reader sees them.",
        |invocation, str| {
            // The bytes of each character backwards, and then those of all.
            let mut bytes = invocation.room(str.len())?;
            let mut clusters = Clusters::new(str);
            while let Some(cluster) = next_cluster(&mut clusters, invocation)? {
                bytes.extend(str[cluster].bytes().rev());
            }
            bytes.reverse();
            long_text(invocation, &String::from_utf8(bytes).unwrap_or_default())
        },
    )
}

/// `trim(str, cutset)`
pub(crate) fn trim() -> Function {
    cutting(
        "trim",
        "Removes the given characters from both ends of the text.",
        ("cutset", "The characters to remove, in any order; each is a code point."),
        |invocation, str, cutset| {
            let mut characters = HashSet::default();
            in_stretches(invocation, cutset, |stretch| characters.extend(stretch.chars()))?;
            trim_where(invocation, str, |c| characters.contains(&c))
        },
    )
}

/// The text without the characters at both ends that `is_it` accepts. Each end is looked at in stretches of
/// [`STRETCH`] bytes, so that a long run of such characters does not keep the limits waiting.
fn trim_where<'a>(
    invocation: &mut Invocation<'_>,
    mut str: &'a str,
    is_it: impl Fn(char) -> bool,
) -> Result<&'a str, FunctionError> {
    loop {
        invocation.go_on(STRETCH / BYTES_PER_PART)?;
        let head = &str[..str.ceil_char_boundary(STRETCH)];
        let cut = head.len() - head.trim_start_matches(&is_it).len();
        str = &str[cut..];
        if cut == 0 {
            return trim_end_where(invocation, str, is_it);
        }
    }
}

/// [`trim_where`] at the end only.
fn trim_end_where<'a>(
    invocation: &mut Invocation<'_>,
    mut str: &'a str,
    is_it: impl Fn(char) -> bool,
) -> Result<&'a str, FunctionError> {
    loop {
        invocation.go_on(STRETCH / BYTES_PER_PART)?;
        let tail = &str[str.floor_char_boundary(str.len().saturating_sub(STRETCH))..];
        let cut = tail.len() - tail.trim_end_matches(&is_it).len();
        str = &str[..str.len() - cut];
        if cut == 0 {
            return Ok(str);
        }
    }
}

/// `trimprefix(str, prefix)`
pub(crate) fn trimprefix() -> Function {
    cutting(
        "trimprefix",
        "Removes the prefix, if the text starts with it.",
        ("prefix", "What to remove; it is removed once."),
        |_, str, prefix| Ok(str.strip_prefix(prefix).unwrap_or(str)),
    )
}

/// `trimsuffix(str, suffix)`
pub(crate) fn trimsuffix() -> Function {
    cutting(
        "trimsuffix",
        "Removes the suffix, if the text ends with it.",
        ("suffix", "What to remove; it is removed once."),
        |_, str, suffix| Ok(str.strip_suffix(suffix).unwrap_or(str)),
    )
}

/// `endswith(str, suffix)`
pub(crate) fn endswith() -> Function {
    question(
        "endswith",
        "Tells whether the text ends with the suffix.",
        ("suffix", "What it may end with."),
        |_, str, suffix| Ok(str.ends_with(suffix)),
    )
}

/// `strcontains(str, substr)`. The result of an unknown argument may be null.
pub(crate) fn strcontains() -> Function {
    question(
        "strcontains",
        "Tells whether a text occurs in another.",
        ("substr", "What to look for; the empty string is found in any text."),
        |invocation, str, part| Ok(part.is_empty() || Places::of(invocation, str, part)?.any(invocation)?),
    )
    .not_null_result(false)
}

/// `startswith(str, prefix)` for products that wait until the text is known.
pub(crate) fn startswith_of_known() -> Function {
    question(
        "startswith",
        "Tells whether the text starts with the prefix.",
        ("prefix", "What it may start with."),
        |_, str, prefix| Ok(str.starts_with(prefix)),
    )
}

/// `startswith(str, prefix)`, answered early if the known start of an unknown text decides.
pub(crate) fn startswith() -> Function {
    function("startswith", "Tells whether the text starts with the prefix.")
        .parameter(Parameter::new("str", Type::String).described("The text.").allow_unknown())
        .parameter(Parameter::new("prefix", Type::String).described("What it may start with."))
        .returns(Type::Bool)
        .implementation(|_, args| {
            let prefix = text(args, 1);
            let Some(str) = args.first().filter(|str| !str.is_known()) else {
                return Ok(Value::bool(text(args, 0).starts_with(prefix)));
            };
            let start = str.refinement().map_or("", |known| known.string_prefix());
            Ok(match start.len() >= prefix.len() {
                true => Value::bool(start.starts_with(prefix)),
                false if !prefix.starts_with(start) => Value::bool(false),
                false => unknown(Type::Bool),
            })
        })
}

/// `strlen(str)`. Of an unknown text at least as many characters are known as its known start has.
pub(crate) fn strlen() -> Function {
    function("strlen", "Counts the characters of the text, as a reader sees them.")
        .parameter(Parameter::new("str", Type::String).described("The text.").allow_unknown().allow_dynamic())
        .returns(Type::Number)
        .implementation(|invocation, args| {
            let Some(str) = args.first().filter(|str| !str.is_known()) else {
                return Ok(Value::int(count_charged(invocation, text(args, 0))?));
            };
            Ok(count_of_unknown(str))
        })
}

/// How many characters a text has of which at most the beginning is known.
pub(super) fn count_of_unknown(text: &Value) -> Value {
    let start = text.refinement().map_or("", |known| known.string_prefix());
    let known = Refinement::new().not_null().min(Number::from_i64(count(start)), true);
    Value::unknown_refined(Type::Number, known)
}

/// Grapheme clusters in a text.
pub(super) fn count(text: &str) -> i64 {
    // In ASCII only a carriage return can join the character behind it.
    let clusters =
        if text.is_ascii() && !text.contains('\r') { text.len() } else { text.graphemes(true).count() };
    i64::try_from(clusters).unwrap_or(i64::MAX)
}

/// Grapheme clusters in a text of any length, with looks at the limits. A step is charged for 64 bytes beyond the
/// first stretch.
pub(super) fn count_charged(invocation: &mut Invocation<'_>, text: &str) -> Result<i64, FunctionError> {
    if text.len() <= STRETCH {
        return Ok(count(text));
    }
    let (mut clusters, mut n) = (Clusters::new(text), 0_i64);
    let mut charged = 0;
    while let Some(cluster) = next_cluster(&mut clusters, invocation)? {
        n = n.saturating_add(1);
        if cluster.end - charged >= STRETCH {
            invocation.charge_steps((cluster.end - charged) as u64 / 64)?;
            charged = cluster.end;
        }
    }
    Ok(n)
}

/// `substr(str, offset, length)`
pub(crate) fn substr() -> Function {
    function("substr", "Cuts a part out of the text, counted in characters as a reader sees them.")
        .parameter(Parameter::new("str", Type::String).described("The text."))
        .parameter(Parameter::new("offset", Type::Number).described(
            "How many characters to leave out at the start; a negative number counts from the end.",
        ))
        .parameter(
            Parameter::new("length", Type::Number)
                .described("How many characters to take; -1 takes all that follow."),
        )
        .returns(Type::String)
        .implementation(|invocation, args| {
            let (str, offset, length) = (text(args, 0), whole(args, 1, "offset")?, whole(args, 2, "length")?);
            invocation.charge_steps(str.len() as u64 / 64)?;
            let from_end = offset < 0;
            let offset =
                if from_end { offset.saturating_add(count_charged(invocation, str)?).max(0) } else { offset };
            // Counted from the end, a length of 0 means the rest, as the reference has it.
            let length = match length {
                0 if !from_end => return Ok(Value::string("")),
                ..=0 => usize::MAX,
                length => usize::try_from(length).unwrap_or(usize::MAX),
            };
            let rest = &str[clusters_end(invocation, str, usize::try_from(offset).unwrap_or(usize::MAX))?..];
            let end = if length == usize::MAX { rest.len() } else { clusters_end(invocation, rest, length)? };
            // One character may be all of a long text, which is copied, and normalised beside the copy.
            invocation.meter().hold(2 * end)?;
            long_text(invocation, &rest[..end])
        })
}

/// Where the first `n` characters end, as a reader sees them.
fn clusters_end(invocation: &mut Invocation<'_>, str: &str, n: usize) -> Result<usize, FunctionError> {
    let (mut clusters, mut end) = (Clusters::new(str), 0);
    for _ in 0..n {
        let Some(cluster) = next_cluster(&mut clusters, invocation)? else { break };
        end = cluster.end;
    }
    Ok(end)
}

/// Spaces to indent a line by, or a piece of them.
const SPACES: &str = "                                                                ";

/// `indent(spaces, str)`
pub(crate) fn indent() -> Function {
    function("indent", "Puts spaces before every line of a text but the first.")
        .parameter(Parameter::new("spaces", Type::Number).described("How many spaces, 0 or more."))
        .parameter(Parameter::new("str", Type::String).described("The text."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let str = text(args, 1);
            let Ok(spaces) = usize::try_from(whole(args, 0, "spaces")?) else {
                return refuse(0, "the number of spaces must not be negative");
            };
            let mut lines = 0;
            in_stretches(invocation, str, |stretch| lines += stretch.matches('\n').count())?;
            invocation.charge_bytes(str.len().saturating_add(spaces.saturating_mul(lines)))?;
            let mut lines_left = str.split('\n');
            let mut indented = invocation.text_room(str.len() + spaces * lines)?;
            append(invocation, &mut indented, lines_left.next().unwrap_or(""))?;
            for line in lines_left {
                indented.push('\n');
                for n in (0..spaces).step_by(SPACES.len()) {
                    append(invocation, &mut indented, &SPACES[..SPACES.len().min(spaces - n)])?;
                }
                append(invocation, &mut indented, line)?;
            }
            long_text(invocation, &indented)
        })
}

/// `join(separator, lists...)`
pub(crate) fn join() -> Function {
    function("join", "Joins the elements of lists, with a separator between them.")
        .parameter(
            Parameter::new("separator", Type::String)
                .described("What is put between two elements; may be empty."),
        )
        .variadic(
            Parameter::new("lists", Type::list(Type::String))
                .described("At least one list; they are joined one after the other. No element may be null.")
                .take_tuples(),
        )
        .returns(Type::String)
        .implementation(|invocation, args| {
            let lists = args.get(1..).unwrap_or(&[]);
            if lists.is_empty() {
                return Err(FunctionError::new("at least one list is required"));
            }
            if !lists.iter().all(Value::is_wholly_known) {
                return Ok(unknown(Type::String));
            }
            join_known(invocation, text(args, 0), lists)
        })
}

/// Joins wholly known lists. Tuples of texts are taken as they are ([`Parameter::take_tuples`]), since converting
/// them would copy every element.
fn join_known(invocation: &mut Invocation<'_>, separator: &str, lists: &[Value]) -> Outcome {
    // The joined text is charged before it is made.
    let (mut n_parts, mut n_bytes) = (0_usize, 0_usize);
    for (list, position) in lists.iter().zip(1..) {
        for (index, element) in list.elements().unwrap_or(&[]).iter().enumerate() {
            invocation.go_on(1)?;
            let Some(part) = element.as_str() else {
                let which = if lists.len() > 1 { format!(" of list {position}") } else { String::new() };
                let detail = format!("element {index}{which} is null; cannot concatenate null values");
                return refuse(position, detail);
            };
            n_parts += 1;
            n_bytes = n_bytes.saturating_add(part.len());
        }
    }
    n_bytes = n_bytes.saturating_add(separator.len().saturating_mul(n_parts.saturating_sub(1)));
    invocation.charge_steps(n_parts as u64 / 64)?;
    invocation.charge_bytes(n_bytes)?;
    let mut joined = invocation.text_room(n_bytes)?;
    let parts = lists.iter().flat_map(|list| list.elements().unwrap_or(&[])).filter_map(Value::as_str);
    for (part, is_first) in parts.zip(std::iter::once(true).chain(std::iter::repeat(false))) {
        if !is_first {
            append(invocation, &mut joined, separator)?;
        }
        append(invocation, &mut joined, part)?;
    }
    long_text(invocation, &joined)
}

/// `split(separator, str)`
pub(crate) fn split() -> Function {
    function("split", "Splits the text wherever the separator occurs.")
        .parameter(
            Parameter::new("separator", Type::String)
                .described("Where to split; the empty string splits between all code points."),
        )
        .parameter(Parameter::new("str", Type::String).described("The text."))
        .returns(Type::list(Type::String))
        .implementation(|invocation, args| {
            let (separator, str) = (text(args, 0), text(args, 1));
            let mut parts = Vec::new();
            // An empty separator splits between code points, not between the characters that a reader sees, as in the
            // reference.
            if separator.is_empty() {
                invocation.charge_elements(str.len())?;
                parts = invocation.gather(str.chars().map(|c| Value::string(c.encode_utf8(&mut [0; 4]))))?;
            } else {
                let mut start = 0;
                let mut ends = Places::of(invocation, str, separator)?;
                while start <= str.len() {
                    let end = ends.next(invocation)?.unwrap_or(str.len());
                    let part = &str[start..end];
                    invocation.charge_elements(1)?;
                    invocation.meter().hold_push(&parts)?;
                    invocation.go_on(part.len() / BYTES_PER_PART)?;
                    parts.push(long_text(invocation, part)?);
                    start = end + separator.len();
                }
            }
            Ok(Value::list_within(Type::String, parts, invocation.meter())?)
        })
}

/// `replace(str, substr, replace)` that knows no patterns.
pub(crate) fn replace_literal() -> Function {
    replacing(
        "What to look for; the empty string is found before every code point and at the end.",
        replace_plain,
    )
}

/// `replace(…)` done by `body`, which gets the text, what to look for, and what to put there.
pub(super) fn replacing(
    what: &'static str,
    body: impl Fn(&mut Invocation<'_>, [&str; 3]) -> Outcome + Send + Sync + 'static,
) -> Function {
    function("replace", "Replaces every occurrence of a text in another.")
        .parameter(Parameter::new("str", Type::String).described("The text to change."))
        .parameter(Parameter::new("substr", Type::String).described(what))
        .parameter(
            Parameter::new("replace", Type::String).described("What is put in place of each occurrence."),
        )
        .returns(Type::String)
        .implementation(move |invocation, args| {
            body(invocation, [text(args, 0), text(args, 1), text(args, 2)])
        })
}

/// Replaces from left to right. An empty needle is found before every code point
/// and at the end, though not in an empty text.
pub(super) fn replace_plain(invocation: &mut Invocation<'_>, [str, needle, with]: [&str; 3]) -> Outcome {
    if needle.is_empty() {
        if str.is_empty() {
            return Ok(Value::string(with));
        }
        invocation
            .charge_bytes(str.len().saturating_add((str.chars().count() + 1).saturating_mul(with.len())))?;
        let mut replaced = invocation.text_room(str.len())?;
        for c in str.chars() {
            append(invocation, &mut replaced, with)?;
            replaced.push(c);
        }
        append(invocation, &mut replaced, with)?;
        return long_text(invocation, &replaced);
    }
    let mut places = Places::of(invocation, str, needle)?;
    let (mut len, mut counted) = (str.len(), places.clone());
    while counted.next(invocation)?.is_some() {
        len = len.saturating_add(with.len());
    }
    invocation.charge_bytes(len)?;
    let mut replaced = invocation.text_room(str.len())?;
    let mut copied = 0;
    while let Some(at) = places.next(invocation)? {
        append(invocation, &mut replaced, &str[copied..at])?;
        append(invocation, &mut replaced, with)?;
        copied = at + needle.len();
    }
    append(invocation, &mut replaced, &str[copied..])?;
    long_text(invocation, &replaced)
}

/// `sort(list)`
pub(crate) fn sort() -> Function {
    function("sort", "Sorts strings by their bytes, which puts capital letters before small ones.")
        .parameter(
            Parameter::new("list", Type::list(Type::String))
                .described("The list; no element may be null.")
                .allow_unknown(),
        )
        .returns(Type::list(Type::String))
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            if !list.is_known() {
                let (least, most) = list.length_bounds();
                let known = Refinement::new().not_null().min_length(least).max_length(most);
                return Ok(Value::unknown_refined(Type::list(Type::String), known));
            }
            let texts = elements(args, 0);
            invocation.charge_elements(texts.len())?;
            // The order is not known, though the number of elements is.
            if !list.is_wholly_known() {
                return Ok(Value::list(Type::String, vec![Value::unknown(Type::String); texts.len()]));
            }
            if let Some(index) = texts.iter().position(Value::is_null) {
                return fail(format!("element {index} of the list is null; null cannot be sorted"));
            }
            // The texts twice, and what sorting them takes.
            invocation.meter().hold_parts(texts.len(), 2 * size_of::<Value>() + size_of::<Value>() / 2)?;
            let n_bytes = texts.iter().filter_map(Value::as_text).map(|text| text.len()).sum();
            let order = |a: usize, b: usize| texts[a].as_str().cmp(&texts[b].as_str());
            let places = sorted_places_on(texts.len(), n_bytes, &order, &mut |n| invocation.go_on(n))?;
            let sorted = invocation.gather(places.into_iter().map(|place| texts[place].clone()))?;
            Ok(Value::list(Type::String, sorted))
        })
}
