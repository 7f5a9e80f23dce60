//! Regular expressions: `regex`, `regexall`, `regex_replace` and `replace` with a pattern.
//!
//! Patterns are RE2's (see `re2`). Compiled ones are kept for the next call, since
//! the same pattern tends to be applied to every element of a collection.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use regex_automata::Input;
use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::captures::Captures;
use regex_automata::util::iter::Searcher;
use regex_syntax::hir::{ClassUnicode, Hir};

use super::pike;
use super::re2::{self, Translated};
use super::re2_class::{ClassNames, is_of_name};
use super::regex_machine::{LARGEST_AT_ONCE, machine};
use super::string::{replace_plain, replacing};
use super::support::{Outcome, append, fail, function, hold_push, long_text, text};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::{BYTES_PER_PART, LimitReached, Meter};
use crate::sorting::sort;
use crate::types::{ObjectAttribute, Type};
use crate::value::Value;
use crate::value::string::stretches;

/// A compiled pattern.
struct Pattern {
    /// The engine for texts that are short enough for its notes; it holds the compiled machine of both engines.
    backtracker: BoundedBacktracker,
    /// The work at a place of the text, at most.
    work: Work,
    /// The working memory of the last search, for the next one.
    spare: Mutex<Option<backtrack::Cache>>,
    /// The names of the groups, from the first.
    names: Vec<Option<String>>,
    shape: Shape,
    /// The steps that compiling takes; charged for every use, because what is kept must make no difference.
    cost: u64,
}

/// The most work at a place of the text, for a search that tries one way after the other.
struct Work {
    /// How many states it tries. One that compares with many ranges counts as several.
    n_tries: usize,
    /// How many ways it notes, to go back to them.
    n_ways: usize,
}

impl Work {
    fn of(machine: &NFA) -> Self {
        let mut work = Self { n_tries: machine.states().len(), n_ways: 0 };
        for state in machine.states() {
            match state {
                State::Union { alternates } => work.n_ways += alternates.len(),
                State::BinaryUnion { .. } | State::Capture { .. } => work.n_ways += 1,
                State::Sparse(ranges) => work.n_tries += ranges.transitions.len() / RANGES_OF_TRY,
                _ => {}
            }
        }
        work
    }
}

/// The form of a match as a value.
enum Shape {
    /// No groups: the text that matched.
    Text,
    /// Groups without names: a tuple.
    Tuple,
    /// Groups with names: an object.
    Object,
    /// Both kinds, which can be replaced but not given as a value.
    Mixed,
}

impl Shape {
    /// The form of a match with groups of these names.
    fn of(groups: &[Option<String>]) -> Self {
        let named = groups.iter().flatten().count();
        match (groups.len(), named) {
            (0, _) => Self::Text,
            (_, 0) => Self::Tuple,
            (all, named) if all == named => Self::Object,
            _ => Self::Mixed,
        }
    }
}

/// How many compiled patterns are kept, and how many bytes their machines take together.
const KEPT: usize = 64;
const KEPT_BYTES: usize = 32 << 20;
/// Bytes of memory that the trees take for each byte of a pattern (426 were measured), and for each range of a class.
const TREES_OF_BYTE: usize = 512;
const TREES_OF_RANGE: usize = 330;
/// The ranges of a class that `\p` names, at most.
const RANGES_OF_PROPERTY: usize = 700;
/// Bytes of memory that compiling takes beside the trees for each byte of the pattern and each range of its classes, up to the
/// size from which a pattern is refused.
const MACHINE_OF_PART: usize = 96;
/// The stack that the crates need for each level of a tree.
const STACK_OF_LEVEL: usize = 8 << 10;
/// How long a pattern may be, in bytes: each of them takes a state as a rule.
const LONGEST_PATTERN: usize = 1 << 18;
/// How much a search notes that tries one way after the other, in bytes. It looks at no clock: each state at each place of
/// the text is a bit, which is tried once.
const VISITED: usize = 128 << 10;
/// A state is compared with so many ranges in the time in which another one is tried.
const RANGES_OF_TRY: usize = 8;
/// So many states are tried in the time of a part of work.
const TRIES_OF_PART: usize = 16;
/// The bytes that such a search takes for a way to go back to, when the list of them is copied to grow.
const BYTES_OF_WAY: usize = 48;
/// How much of that is kept for the next search.
const KEPT_WAYS: usize = 256 << 10;
/// How many places of groups a search may keep: each state of the pattern has room for all of them.
const MAX_PLACES: usize = 8 << 20;

/// A compiled pattern, its text and how names of classes in it were read.
type Entry = (String, ClassNames, Arc<Pattern>);

/// Compiled patterns, the oldest first.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Compiles a pattern or takes it from the cache; what is wrong with it is a sentence for the user. It is charged before the
/// larger part is done: a pattern that turns out too large takes longest. The crates look at no limits, and ask for no memory.
fn compile(
    meter: &mut Meter,
    pattern: &str,
    names: ClassNames,
) -> Result<Result<Arc<Pattern>, String>, LimitReached> {
    if let Some(found) = kept(pattern, names) {
        meter.steps(found.cost)?;
        return Ok(Ok(found));
    }
    if pattern.len() > LONGEST_PATTERN {
        return Ok(Err(re2::TOO_LARGE.to_owned()));
    }
    let pairs = pattern.as_bytes().windows(2);
    let n_properties = pairs.filter(|pair| matches!(pair, [b'\\', b'p' | b'P'])).count();
    let n_ranges = n_properties.saturating_mul(RANGES_OF_PROPERTY).min(re2::MAX_RANGES);
    meter.hold(pattern.len() * TREES_OF_BYTE + n_ranges * TREES_OF_RANGE)?;
    let translated = re2::translate(pattern, names, meter);
    meter.check()?;
    let Translated { tree, height, classes, groups, cost, n_parts } = match translated {
        Ok(translated) => translated,
        Err(error) => return Ok(Err(error.to_string())),
    };
    meter.steps(cost)?;
    meter.hold(n_parts.saturating_mul(MACHINE_OF_PART).min(3 * LARGEST_AT_ONCE))?;
    // The crates compile recursively, and trees may be a thousand levels high.
    let needed = STACK_OF_LEVEL * (height + 8);
    let engine = hcl_syntax::stack::ensure(needed, 16 << 20, || engine(&tree, classes, meter))?;
    Ok(match engine {
        Some(backtracker) => {
            let (spare, shape) = (Mutex::new(None), Shape::of(&groups));
            let work = Work::of(backtracker.get_nfa());
            let compiled = Arc::new(Pattern { backtracker, work, spare, names: groups, shape, cost });
            keep(pattern, names, &compiled);
            Ok(compiled)
        }
        None => Err(re2::TOO_LARGE.to_owned()),
    })
}

/// Keeps a pattern that has been compiled, and gives up the oldest ones that there is no room for.
fn keep(pattern: &str, names: ClassNames, compiled: &Arc<Pattern>) {
    let Some(mut cache) = cache() else { return };
    cache.push((pattern.to_owned(), names, Arc::clone(compiled)));
    let mut size: usize = cache.iter().map(|(.., kept)| kept.size()).sum();
    while cache.len() > KEPT || size > KEPT_BYTES {
        let (.., oldest) = cache.remove(0);
        size -= oldest.size();
    }
}

/// Compiles a tree; nothing if the machine becomes too large.
fn engine(
    tree: &Hir,
    classes: Vec<ClassUnicode>,
    meter: &mut Meter,
) -> Result<Option<BoundedBacktracker>, LimitReached> {
    let machine = machine(tree, classes, meter)?;
    meter.look()?;
    let is_within =
        |machine: &NFA| machine.states().len().saturating_mul(machine.group_info().slot_len()) <= MAX_PLACES;
    let Some(machine) = machine.filter(is_within) else { return Ok(None) };
    let config = backtrack::Config::new().visited_capacity(VISITED);
    Ok(BoundedBacktracker::builder().configure(config).build_from_nfa(machine).ok())
}

/// A pattern that has been compiled before and is still there.
fn kept(pattern: &str, names: ClassNames) -> Option<Arc<Pattern>> {
    let cache = cache()?;
    let (.., found) = cache.iter().find(|(text, as_read, _)| text == pattern && *as_read == names)?;
    Some(Arc::clone(found))
}

/// The cache, unless another thread has it: nobody waits for it, also not the child of a fork that came while it was held.
fn cache() -> Option<MutexGuard<'static, Vec<Entry>>> {
    match CACHE.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl Pattern {
    /// How many bytes the machine takes.
    fn size(&self) -> usize {
        self.backtracker.get_nfa().memory_usage()
    }

    /// A pattern whose matches are to become values.
    fn for_values(compiled: Result<Arc<Pattern>, String>) -> Result<Arc<Pattern>, FunctionError> {
        let refused =
            |problem: String| FunctionError::argument(0, format!("invalid regexp pattern: {problem}"));
        let pattern = compiled.map_err(refused)?;
        match pattern.shape {
            Shape::Mixed => Err(refused("cannot mix both named and unnamed capture groups".to_owned())),
            Shape::Text | Shape::Tuple | Shape::Object => Ok(pattern),
        }
    }

    /// The type of a match as a value. Names may occur twice; the object has each once.
    fn result_type(&self) -> Type {
        match self.shape {
            Shape::Text => Type::String,
            Shape::Tuple | Shape::Mixed => Type::tuple(vec![Type::String; self.names.len()]),
            Shape::Object => {
                let mut unique: Vec<&String> = self.names.iter().flatten().collect();
                sort(&mut unique);
                unique.dedup();
                let attribute = |name: &String| ObjectAttribute::new(name.as_str(), Type::String);
                Type::object(unique.into_iter().map(attribute).collect())
            }
        }
    }

    /// The present match as a value. A group that took no part is null; of several groups of one name the last
    /// counts.
    fn value(&self, matches: &Matches<'_>) -> Value {
        let group = |index: usize| match matches.group(index) {
            Some(found) => Value::string(found),
            None => Value::null(Type::String),
        };
        match self.shape {
            Shape::Text => group(0),
            Shape::Tuple | Shape::Mixed => Value::tuple((1..=self.names.len()).map(group).collect()),
            Shape::Object => {
                let named = self.names.iter().enumerate();
                let named = named
                    .filter_map(|(index, name)| Some((Str::from(name.as_ref()?.as_str()), group(index + 1))));
                Value::object(named.collect())
            }
        }
    }
}

/// The matches of a pattern in a text, one after the other.
struct Matches<'t> {
    pattern: &'t Pattern,
    subject: &'t str,
    /// The working memory of the faster engine, for texts that are not too long.
    backtracking: Option<backtrack::Cache>,
    /// The bytes that it may come to take.
    n_bytes: usize,
    /// The working memory of the other engine, whose searches look at the limits. One of the two is there.
    stepping: Option<pike::Cache>,
    /// Knows where to go on, and passes over an empty match right behind the match before it.
    searcher: Searcher<'t>,
    /// Where the last match and its groups are.
    captures: Captures,
}

impl<'t> Matches<'t> {
    /// Starts a search. The memory of the search before is taken over if no other thread has it.
    fn of(
        invocation: &mut Invocation<'_>,
        pattern: &'t Pattern,
        subject: &'t str,
    ) -> Result<Matches<'t>, FunctionError> {
        let machine = pattern.backtracker.get_nfa();
        let n_places = subject.len() + 1;
        let n_bytes = pattern.work.n_ways.saturating_mul(n_places.saturating_mul(BYTES_OF_WAY));
        // Which engine it is depends on nothing but the limits, because the other one is charged for.
        let meter = invocation.meter();
        let is_short = subject.len() <= pattern.backtracker.max_haystack_len()
            && pattern.work.n_tries.saturating_mul(n_places) <= 8 * VISITED
            && n_bytes as u64 <= meter.limits().max_memory / 4;
        meter.hold(if is_short { n_bytes } else { pike::Cache::room_for(machine) })?;
        let spare = || pattern.spare.try_lock().ok().and_then(|mut spare| spare.take());
        Ok(Matches {
            pattern,
            subject,
            backtracking: is_short.then(|| spare().unwrap_or_else(|| pattern.backtracker.create_cache())),
            n_bytes,
            stepping: (!is_short).then(|| pike::Cache::new(machine)),
            searcher: Searcher::new(Input::new(subject)),
            captures: pattern.backtracker.create_captures(),
        })
    }

    /// Goes to the next match, if there is one.
    fn advance(&mut self, invocation: &mut Invocation<'_>) -> Result<bool, FunctionError> {
        let Matches { pattern, backtracking, stepping, searcher, captures, .. } = self;
        // Most often a search is over soon. Looks come as often as if it tried everything.
        invocation
            .go_on(pattern.work.n_tries.saturating_mul(searcher.input().get_span().len()) / TRIES_OF_PART)?;
        let mut goes_on = Ok(());
        let found = searcher.try_advance(|input| {
            if let Some(cache) = backtracking {
                pattern.backtracker.try_search(cache, input, captures)?;
            } else if let Some(cache) = stepping {
                goes_on = cache.search(pattern.backtracker.get_nfa(), input, captures, invocation);
            }
            Ok(captures.get_match())
        });
        goes_on?;
        Ok(found.is_ok_and(|found| found.is_some()))
    }

    /// Where the match is.
    fn range(&self) -> Range<usize> {
        self.captures.get_match().map_or(0..0, |found| found.range())
    }

    /// The text of a group of the match; that of all of it is group 0.
    fn group(&self, index: usize) -> Option<&'t str> {
        self.captures.get_group(index).map(|span| &self.subject[span.range()])
    }
}

impl Drop for Matches<'_> {
    fn drop(&mut self) {
        if let Some(used) = self.backtracking.take()
            && self.n_bytes <= KEPT_WAYS
            && let Ok(mut spare) = self.pattern.spare.try_lock()
        {
            *spare = Some(used);
        }
    }
}

/// Adds the parameters that `regex` and `regexall` share.
fn on_pattern(function: Function) -> Function {
    function
        .parameter(
            Parameter::new("pattern", Type::String)
                .described("A regular expression in RE2's syntax, without look-around and back-references."),
        )
        .parameter(Parameter::new("string", Type::String).described("The text to search."))
}

/// The type of a match, if the pattern is known.
fn match_type(args: &[Value], names: ClassNames, meter: &mut Meter) -> Result<Type, FunctionError> {
    match args.first() {
        Some(pattern) if pattern.is_known() => {
            Ok(Pattern::for_values(compile(meter, text(args, 0), names)?)?.result_type())
        }
        _ => Ok(Type::Dynamic),
    }
}

/// `regex(pattern, string)`
pub(crate) fn regex() -> Function {
    regex_with(ClassNames::Loose)
}

/// Makes `regex` with names of classes as older releases read them.
pub(crate) fn regex_with_exact_names() -> Function {
    regex_with(ClassNames::Exact)
}

/// Builds `regex`. With a pattern that is known its type is known, and its errors show, though the text is unknown.
fn regex_with(names: ClassNames) -> Function {
    on_pattern(function(
        "regex",
        "Gives the first match of a pattern, or its capture groups; without a match it fails.",
    ))
    .returns_on(move |args, meter| match_type(args, names, meter))
    .implementation(move |invocation, args| {
        let pattern = Pattern::for_values(compile(invocation.meter(), text(args, 0), names)?)?;
        let subject = text(args, 1);
        invocation.charge_bytes(subject.len())?;
        invocation.charge_elements(pattern.names.len())?;
        let mut matches = Matches::of(invocation, &pattern, subject)?;
        match matches.advance(invocation)? {
            true => Ok(pattern.value(&matches)),
            false => fail("pattern did not match any part of the given string"),
        }
    })
}

/// `regexall(pattern, string)`
pub(crate) fn regexall() -> Function {
    regexall_with(ClassNames::Loose)
}

/// Makes `regexall` with names of classes as older releases read them.
pub(crate) fn regexall_with_exact_names() -> Function {
    regexall_with(ClassNames::Exact)
}

/// Builds `regexall`; without a match its result is an empty list.
fn regexall_with(names: ClassNames) -> Function {
    on_pattern(function("regexall", "Gives all matches of a pattern, or the capture groups of each."))
        .returns_on(move |args, meter| Ok(Type::list(match_type(args, names, meter)?)))
        .implementation(move |invocation, args| {
            let pattern = Pattern::for_values(compile(invocation.meter(), text(args, 0), names)?)?;
            let subject = text(args, 1);
            invocation.charge_bytes(subject.len())?;
            let mut found = Vec::new();
            let mut matches = Matches::of(invocation, &pattern, subject)?;
            while matches.advance(invocation)? {
                invocation.charge_elements(1 + pattern.names.len())?;
                charge_search(invocation, subject.len())?;
                invocation.meter().hold_push(&found)?;
                found.push(pattern.value(&matches));
            }
            Ok(Value::list(pattern.result_type(), found))
        })
}

/// Charges one match in a text of so many bytes.
fn charge_search(invocation: &mut Invocation<'_>, len: usize) -> Result<(), FunctionError> {
    invocation.charge_steps(1 + len as u64 / 4096)
}

/// `replace(str, substr, replace)`, where `/…/` is a pattern.
pub(crate) fn replace() -> Function {
    replace_with(ClassNames::Loose)
}

/// Makes `replace` with names of classes as older releases read them.
pub(crate) fn replace_with_exact_names() -> Function {
    replace_with(ClassNames::Exact)
}

/// Builds `replace`, in which a text between slashes is a pattern, as in Terraform and OpenTofu.
fn replace_with(names: ClassNames) -> Function {
    replacing(
        "What to look for; between two slashes a regular expression in RE2's syntax.",
        move |invocation, parts @ [str, needle, with]| {
            // A single slash is no pattern: nothing is left for the second strip. Two slashes are the empty one.
            let inner = needle.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
            match inner {
                Some(pattern) => match compile(invocation.meter(), pattern, names)? {
                    Ok(pattern) => replace_matches(invocation, &pattern, str, with),
                    Err(problem) => fail(format!("invalid regexp pattern: {problem}")),
                },
                None => replace_plain(invocation, parts),
            }
        },
    )
}

/// `regex_replace(str, pattern, replace)`
pub(crate) fn regex_replace() -> Function {
    function("regex_replace", "Replaces every match of a pattern in a text.")
        .parameter(Parameter::new("str", Type::String).described("The text to change."))
        .parameter(Parameter::new("pattern", Type::String).described("A regular expression in RE2's syntax."))
        .parameter(Parameter::new("replace", Type::String).described("What is put in place of each match; $1, $name and ${name} stand for capture groups, $$ for a dollar sign."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            match compile(invocation.meter(), text(args, 1), ClassNames::Loose)? {
                Ok(pattern) => replace_matches(invocation, &pattern, text(args, 0), text(args, 2)),
                Err(problem) => fail(format!("invalid regexp pattern: {problem}")),
            }
        })
}

fn replace_matches(invocation: &mut Invocation<'_>, pattern: &Pattern, str: &str, with: &str) -> Outcome {
    invocation.charge_bytes(str.len())?;
    let template = parse_template(invocation, with)?;
    let mut replaced = String::new();
    let mut copied = 0;
    let mut matches = Matches::of(invocation, pattern, str)?;
    while matches.advance(invocation)? {
        let whole = matches.range();
        charge_search(invocation, str.len())?;
        let mut put = |text: &str| {
            invocation.charge_bytes(text.len())?;
            hold_push(invocation, text, &replaced)?;
            append(invocation, &mut replaced, text)
        };
        put(&str[copied..whole.start])?;
        template.iter().try_for_each(|part| put(part.expand(&matches)))?;
        copied = whole.end;
    }
    let rest = &str[copied..];
    hold_push(invocation, rest, &replaced)?;
    append(invocation, &mut replaced, rest)?;
    long_text(invocation, &replaced)
}

/// A piece of a replacement.
enum Part<'a> {
    /// Text that stands for itself.
    Text(&'a str),
    /// The text of a group, by its number; 0 is the match.
    Group(usize),
    /// The text of a group, by its name.
    Named(&'a str),
}

impl Part<'_> {
    /// The text that the piece stands for in a match; empty for a group that is not there or took no part.
    fn expand<'b>(&'b self, matches: &Matches<'b>) -> &'b str {
        match self {
            Part::Text(text) => text,
            Part::Group(index) => matches.group(*index).unwrap_or(""),
            // Of several groups of one name it is the first that took part.
            Part::Named(name) => (matches.pattern.names.iter().zip(1..))
                .filter(|(group, _)| group.as_deref() == Some(*name))
                .find_map(|(_, index)| matches.group(index))
                .unwrap_or(""),
        }
    }
}

/// Finds `$name`, `${name}` and `$$`; any other dollar sign stays.
fn parse_template<'t>(
    invocation: &mut Invocation<'_>,
    template: &'t str,
) -> Result<Vec<Part<'t>>, FunctionError> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(dollar) = rest.find('$') {
        invocation.go_on(1 + dollar / BYTES_PER_PART)?;
        let after = &rest[dollar + 1..];
        // A dollar sign that stands for itself is the end of the text before it.
        let (text, group, after) = match (after.strip_prefix('$'), reference(invocation, after)?) {
            (Some(after), _) => (&rest[..=dollar], None, after),
            (None, Some((name, after))) => (&rest[..dollar], Some(group_reference(name)), after),
            (None, None) => (&rest[..=dollar], None, after),
        };
        for part in [Part::Text(text)].into_iter().chain(group) {
            invocation.meter().hold_push(&parts)?;
            parts.push(part);
        }
        rest = after;
    }
    invocation.meter().hold_push(&parts)?;
    parts.push(Part::Text(rest));
    Ok(parts)
}

/// The longest name behind a dollar sign, in braces or not, and what follows.
fn reference<'t>(
    invocation: &mut Invocation<'_>,
    text: &'t str,
) -> Result<Option<(&'t str, &'t str)>, FunctionError> {
    let braced = text.strip_prefix('{');
    let text = braced.unwrap_or(text);
    let mut end = 0;
    for stretch in stretches(text) {
        let found = stretch.find(|c: char| !is_of_name(c));
        let len = found.unwrap_or(stretch.len());
        invocation.go_on(len / BYTES_PER_PART)?;
        end += len;
        if found.is_some() {
            break;
        }
    }
    let (name, after) = text.split_at(end);
    Ok(match braced {
        _ if name.is_empty() => None,
        Some(_) => after.strip_prefix('}').map(|after| (name, after)),
        None => Some((name, after)),
    })
}

/// Reads the name behind a dollar sign: up to nine digits are a number, unless they begin with a zero.
fn group_reference(name: &str) -> Part<'_> {
    let is_number = name.len() == 1 || (name.len() <= 9 && !name.starts_with('0'));
    let number = name.parse().ok().filter(|_| is_number);
    number.map_or(Part::Named(name), Part::Group)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups of all matches in a text, of one engine.
    fn all_groups(pattern: &Pattern, text: &str, is_stepping: bool) -> Vec<Vec<Option<Range<usize>>>> {
        let mut meter = Meter::default();
        let mut invocation = Invocation::new(&mut meter, None, None);
        let mut matches = Matches::of(&mut invocation, pattern, text).expect("there is room");
        if is_stepping {
            matches.backtracking = None;
            matches.stepping = Some(pike::Cache::new(pattern.backtracker.get_nfa()));
        }
        let mut found = Vec::new();
        while matches.advance(&mut invocation).expect("there is enough to use") {
            let group = |index| matches.captures.get_group(index).map(|span| span.range());
            found.push((0..=pattern.names.len()).map(group).collect());
        }
        found
    }

    #[test]
    fn both_engines_find_the_same() {
        let patterns = [
            "",
            "a",
            "a*",
            "a*?",
            "a+?b?",
            "(a|ab)(c|bcd)(d*)",
            "(a*)(a|b)*",
            "x*|b",
            "^a",
            "(?m)^.*$",
            "\\bé?",
            "\\B",
            "(é|e)+",
            "[^a]",
            "\\pL+",
            "(?i)STRASSE|ß",
            "(a?){3}b",
            "(|a)+",
            "(a|b)*?c|.",
            "a{2,3}",
            "$",
            "(?s).",
            "(b)?(a)?",
        ];
        let texts = [
            "",
            "a",
            "ab",
            "abcd",
            "aaab",
            "xbxb",
            "éaéé e",
            "a\nab\n",
            "Straße strasse",
            "aaaaaab c",
            "日本語 a",
        ];
        for text in patterns {
            let pattern =
                compile(&mut Meter::default(), text, ClassNames::Loose).expect("there is room").expect(text);
            for subject in texts {
                let [one, other] =
                    [false, true].map(|is_stepping| all_groups(&pattern, subject, is_stepping));
                assert_eq!(one, other, "{text} in {subject:?}");
            }
        }
    }

    #[test]
    fn compiling_is_charged_unless_a_pattern_is_too_long() {
        let charged = |pattern: &str| {
            let mut meter = Meter::default();
            let _ = compile(&mut meter, pattern, ClassNames::Loose).expect("there is enough to use");
            meter.usage().steps
        };
        let cost_of = |pattern: &str| {
            re2::translate(pattern, ClassNames::Loose, &mut Meter::default()).map(|it| it.cost).ok()
        };
        assert!(charged("a") > 0);
        let longest = std::iter::repeat_n('a', LONGEST_PATTERN).collect::<String>();
        assert_eq!(Some(charged(&longest)), cost_of(&longest));
        assert_eq!(charged(&format!("{longest}a")), 0);
        assert!(cost_of(&format!("{longest}a")) > cost_of(&longest));
    }

    fn times(text: &str, n: usize) -> String {
        std::iter::repeat_n(text, n).collect()
    }

    #[test]
    fn groups_in_groups_need_no_stack_of_the_thread() {
        for (after, n_groups) in [("|b)", 490), (")*", 490), (")", 990), ("|[^a])", 300)] {
            let pattern = format!("{}a{}", times("(", n_groups), times(after, n_groups));
            let compiled =
                compile(&mut Meter::default(), &pattern, ClassNames::Loose).expect("there is room");
            let compiled = compiled.map(|pattern| pattern.names.len());
            assert_eq!(compiled, Ok(n_groups));
        }
    }

    #[test]
    fn trees_have_a_thousand_levels_at_most() {
        let height = |pattern: &str| {
            re2::translate(pattern, ClassNames::Loose, &mut Meter::default()).map(|it| it.height).ok()
        };
        // As Go counts them: it refuses one level more.
        let nested = |before: &str, after: &str, n| format!("{}a{}", times(before, n), times(after, n));
        for (before, after, most) in [
            ("", "?\\Q\\E", 999),
            ("", "+(?i)", 999),
            ("(", ")", 999),
            ("(", ")*", 499),
            ("(", "|bc)", 499),
            ("(?:x", ")*", 500),
        ] {
            assert!(height(&nested(before, after, most)).is_some_and(|height| height > 990), "{after}");
            assert_eq!(height(&nested(before, after, most + 1)), None, "{after}");
            assert!(compile(&mut Meter::default(), &nested(before, after, most), ClassNames::Loose).is_ok());
        }
        assert_eq!(height(&nested("(?:", ")", 3000)), Some(1));
        assert_eq!(height(&nested("(?:x?", ")", 1000)), Some(3));
        // To take apart so many sequences for so many others would take long.
        assert_eq!(
            height(&format!("{}{}{}", times("(?:x", 990), times("[cd]", 30_000), times(")", 990))),
            None
        );
    }

    #[test]
    fn what_is_too_large_in_any_case_is_refused_without_compiling() {
        for pattern in [
            times("\\pL", 1000),
            format!("[{}]", times("\\pL", 1000)),
            times(".", 20_000),
            format!("(?i)\\Q{}", times("k", 50_000)),
            times("a?", 35_001),
            times("|", 70_001),
            times("()", 1451),
        ] {
            let refused = re2::translate(&pattern, ClassNames::Loose, &mut Meter::default()).map(drop);
            assert_eq!(refused.map_err(|error| error.to_string()), Err(re2::TOO_LARGE.to_owned()));
        }
        // A pattern of the letters of a language, each in a class of its own, and a long list of words.
        for pattern in [times("\\pL", 130), format!("(?i){}", times("some|words|", 2000))] {
            assert!(re2::translate(&pattern, ClassNames::Loose, &mut Meter::default()).is_ok());
        }
    }

    #[test]
    fn nobody_waits_for_the_cache() {
        let held = CACHE.lock().expect("nobody has panicked with it");
        let pattern = compile(&mut Meter::default(), "a+(b)", ClassNames::Loose);
        let pattern = pattern.expect("there is room").expect("the pattern is right");
        assert_eq!(pattern.names.len(), 1);
        assert!(cache().is_none());
        drop(held);
    }
}
