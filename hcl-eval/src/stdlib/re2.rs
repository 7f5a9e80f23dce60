//! RE2 patterns, checked and read as the trees that the `regex` family of crates compiles.
//!
//! The two dialects agree on meaning (leftmost-first, linear time) and differ in
//! spelling: here `\w \d \s \b` are ASCII, classes do not nest and have no set
//! operations, octal escapes exist, look-around and back-references do not. One
//! pass over the pattern refuses what RE2 refuses. All capture groups of a tree
//! are without names, which the crates want unique; the names are kept here.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

use super::pattern_case::has_cases;
use super::re2_class::{ClassNames, Sense, meant, posix_class, shorthand};
use super::regex_machine::mark;
use crate::limits::Meter;

/// Why a pattern was refused, and the piece of it that is at fault.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PatternError {
    /// The problem in the words of the reference's library.
    pub(super) problem: &'static str,
    /// The part of the pattern; empty where the reference shows none.
    pub(super) fragment: String,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.fragment.is_empty() {
            true => f.write_str(self.problem),
            false => write!(f, "{} in {:?}", self.problem, self.fragment),
        }
    }
}

/// A pattern as a tree, the classes that are marked in it, and the name, if any, of each capture group.
#[derive(Debug)]
pub(super) struct Translated {
    /// The pattern without names of groups. Marks stand for `classes`.
    pub(super) tree: Hir,
    /// How many levels the tree has.
    pub(super) height: usize,
    /// The classes with characters beyond ASCII, by the numbers of their marks.
    pub(super) classes: Vec<ClassUnicode>,
    /// The names of the capture groups, the first of them that of group 1.
    pub(super) groups: Vec<Option<String>>,
    /// The steps to charge for compiling the pattern.
    pub(super) cost: u64,
    /// How many bytes and ranges of classes are compiled, those that counted repetition copies as often.
    pub(super) n_parts: usize,
}

/// The steps for each byte of a pattern, as often as counted repetition copies it.
const STEPS: u64 = 4;
/// So many ranges of classes are as much work as a byte.
const RANGES_OF_BYTE: usize = 8;

/// The parts of work for each token of a pattern: a class such as `\d` takes 0.3 µs.
const PARTS: usize = 4;

/// So many parts of a sequence are put together in one go.
const PIECE: usize = 4096;

/// Repeat counts, also multiplied through nesting, end here.
const MAX_REPEAT: u32 = 1000;
/// Trees are no higher than this: a group that captures, a repetition, a sequence and alternatives are a level each.
pub(super) const MAX_HEIGHT: usize = 1000;
/// The classes of a pattern have no more ranges than this all together, of which `\pL` has 660. To compile one takes 0.2 µs, and
/// the crates look at no clock meanwhile.
pub(super) const MAX_RANGES: usize = 92_000;
/// The complaint about more of them, or of anything else.
pub(super) const TOO_LARGE: &str =
    "the pattern is too large; repeat less in it, or match by several patterns";
/// A class is compared with so many before it, to be compiled once.
const RECENT_CLASSES: usize = 64;
/// A class with characters beyond ASCII is counted as so many ranges more: `.` and `[^a]` take 0.3 KB of the compiled pattern.
const RANGES_BEYOND_ASCII: usize = 8;

/// The parts of work to look up a class by its name, beside one for each of its ranges.
const PARTS_OF_NAME: usize = 32;
/// The parts of work to add the other cases of a named class with characters beyond ASCII: 60 to 170 µs.
const PARTS_OF_CASES: usize = 1000;
/// The parts of work to add those of a class that has been read: 11 µs.
const PARTS_OF_CASES_AGAIN: usize = 150;
/// The classes of a pattern take no more parts of work than this to read, which are 0.4 s.
const MAX_PARTS: usize = 4_000_000;

/// So many `|` there may be, and groups, `?`, `*` and `+`, which count twice: one takes the crates 0.3 µs, and they look at no
/// clock meanwhile. More groups that capture make the compiled pattern too large, which it takes 30 ms to find out.
const MAX_BRANCHES: usize = 70_000;
pub(super) const MAX_GROUPS: usize = 1450;

/// Reads a pattern. A limit of the meter ends it as if the pattern were too large.
pub(super) fn translate(
    pattern: &str,
    names: ClassNames,
    meter: &mut Meter,
) -> Result<Translated, PatternError> {
    let mut translator = Translator {
        rest: pattern,
        meter,
        n_parts_read: 0,
        names,
        groups: Vec::new(),
        modes: Modes::default(),
        open: vec![Level::default()],
        n_ranges: 0,
        n_branches: 0,
        classes: Vec::new(),
        from_last_end: pattern.rfind(":]").map_or(usize::MAX, |at| pattern.len() - at),
        last_repeat: None,
    };
    while !translator.rest.is_empty() {
        translator.step()?;
        translator.within_bounds()?;
    }
    if translator.open.len() > 1 {
        return Err(error("missing closing )", pattern));
    }
    let (tree, Size { weight, height }) = translator.end_level()?;
    translator.within_bounds()?;
    let n_bytes = pattern.len().max(translator.n_ranges / RANGES_OF_BYTE);
    let cost = n_bytes as u64 * STEPS * u64::from(weight);
    let n_parts = (pattern.len() + translator.n_ranges).saturating_mul(weight as usize);
    let Translator { groups, classes, .. } = translator;
    Ok(Translated { tree, height, classes, groups, cost, n_parts })
}

/// A pattern on the way from text to tree. It reads from the front and keeps no stack of calls: open groups are a
/// list, so that a pattern of deep nesting takes no stack here.
struct Translator<'a, 'm> {
    /// The pattern from the next character on.
    rest: &'a str,
    meter: &'m mut Meter,
    /// The parts of work that the classes so far took to read.
    n_parts_read: usize,
    /// How the names of classes are read.
    names: ClassNames,
    /// The capture groups opened so far.
    groups: Vec<Option<String>>,
    /// The modes that hold for the next character.
    modes: Modes,
    /// The whole pattern and the groups that are open, the innermost last.
    open: Vec<Level>,
    /// How many ranges the classes so far have.
    n_ranges: usize,
    n_branches: usize,
    /// Those of them that have a mark.
    classes: Vec<ClassUnicode>,
    /// The length of the pattern from its last `:]` on, so that none is looked for where there is none.
    from_last_end: usize,
    /// The text from the start of a repetition operator, when it is the previous token.
    last_repeat: Option<&'a str>,
}

/// Flags. The tree has what they mean for a character, a class, a place or a repetition.
#[derive(Copy, Clone, Default)]
struct Modes {
    /// Case does not matter.
    any_case: bool,
    /// Repetitions take as little as they can, and with a question mark as much.
    swaps_greed: bool,
    /// A dot stands for line feeds, too.
    dot_is_any: bool,
    /// `^` and `$` stand for the bounds of lines, not those of the text.
    by_lines: bool,
}

/// An open group, or the whole pattern.
#[derive(Default)]
struct Level {
    /// The number of a capture group; nothing for other groups, and the whole pattern.
    capture: Option<u32>,
    /// The modes outside of the group.
    modes: Modes,
    /// The alternatives that are complete, and the parts of the one that is not.
    branches: Vec<Hir>,
    parts: Vec<Hir>,
    /// Something stands before that a repetition can apply to.
    has_atom: bool,
    /// The size of the last atom, which repetition may change.
    atom: Size,
    /// The greatest weight of the atoms before it, and the height of the highest that are parts of its alternative.
    before: Size,
    /// The height of the highest of the alternatives that are complete.
    highest_branch: usize,
}

/// The size of a tree.
#[derive(Copy, Clone, Default)]
struct Size {
    /// How often counted repetition copies its contents at most.
    weight: u32,
    /// How many levels it has.
    height: usize,
}

impl Level {
    /// Counts the last atom with those before it.
    fn settle(&mut self) {
        let Size { weight, height } = std::mem::take(&mut self.atom);
        // A sequence in a sequence is no level of its own.
        let height = height.saturating_sub(self.parts.last().map_or(0, height_of_sequence));
        self.before = Size { weight: weight.max(self.before.weight), height: height.max(self.before.height) };
    }

    fn push(&mut self, atom: Hir, size: Size) {
        self.settle();
        self.parts.push(atom);
        self.has_atom = true;
        self.atom = size;
    }

    fn end_branch(&mut self) {
        self.settle();
        self.has_atom = false;
        let branch = only_or(std::mem::take(&mut self.parts), Hir::concat);
        let height = std::mem::take(&mut self.before.height).max(1) + height_of_sequence(&branch);
        self.highest_branch = self.highest_branch.max(height - height_of_choice(&branch));
        self.branches.push(branch);
    }
}

/// The levels that a tree has beside those of its parts, if it is a sequence.
fn height_of_sequence(tree: &Hir) -> usize {
    usize::from(matches!(tree.kind(), HirKind::Concat(_)))
}

/// The levels that a tree has beside those of its parts, if it is made of alternatives.
fn height_of_choice(tree: &Hir) -> usize {
    usize::from(matches!(tree.kind(), HirKind::Alternation(_)))
}

/// How many parts sequences and alternatives have that are to become parts of another one.
fn taken_apart(trees: &[Hir]) -> usize {
    let n_parts = |tree: &Hir| match tree.kind() {
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.len(),
        _ => 0,
    };
    trees.iter().map(n_parts).sum()
}

/// The only tree, or what is made of none or several.
fn only_or(mut trees: Vec<Hir>, make: impl FnOnce(Vec<Hir>) -> Hir) -> Hir {
    match trees.len() {
        1 => trees.pop().unwrap_or_else(Hir::empty),
        _ => make(trees),
    }
}

/// The characters of alternatives that have one character each.
fn characters(branches: &[Hir]) -> Option<ClassUnicode> {
    let mut class = Vec::new();
    if branches.len() < 2 {
        return None;
    }
    for branch in branches {
        match branch.kind() {
            HirKind::Class(Class::Unicode(set)) => class.extend_from_slice(set.ranges()),
            HirKind::Literal(text) => {
                let mut text = str::from_utf8(&text.0).ok()?.chars();
                let c = text.next().filter(|_| text.as_str().is_empty())?;
                class.push(ClassUnicodeRange::new(c, c));
            }
            _ => return None,
        }
    }
    Some(ClassUnicode::new(class))
}

/// A tree of alternatives.
fn choice(mut branches: Vec<Hir>) -> Hir {
    // The crate puts what branches begin with before them. Of `.*a|.*b` the first branch then has no precedence any more. A
    // branch that never matches prevents it.
    if let [first, second, ..] = branches.as_slice()
        && let (HirKind::Concat(first), HirKind::Concat(second)) = (first.kind(), second.kind())
        && let (Some(first), Some(second)) = (first.first(), second.first())
        && std::mem::discriminant(first.kind()) == std::mem::discriminant(second.kind())
    {
        branches.push(Hir::fail());
    }
    only_or(branches, Hir::alternation)
}

/// Refuses a tree that is too high, as the reference does.
fn within_height(height: usize) -> Result<(), PatternError> {
    if height > MAX_HEIGHT { Err(error("expression nests too deeply", "")) } else { Ok(()) }
}

pub(super) fn error(problem: &'static str, fragment: &str) -> PatternError {
    PatternError { problem, fragment: fragment.to_owned() }
}

impl<'a> Translator<'a, '_> {
    /// Reads one token: a character with all that belongs to it.
    fn step(&mut self) -> Result<(), PatternError> {
        let start = self.rest;
        let repeated_before = self.last_repeat.take();
        let Some(c) = self.next_char() else { return Ok(()) };
        match c {
            '(' => {
                self.n_branches += 2;
                self.open_group(start)?;
            }
            ')' => self.close_group(start)?,
            '|' => {
                self.n_branches += 1;
                self.end_branch()?;
            }
            '^' => self.place(if self.modes.by_lines { Look::StartLF } else { Look::Start }),
            '$' => self.place(if self.modes.by_lines { Look::EndLF } else { Look::End }),
            '.' => {
                self.n_ranges += RANGES_BEYOND_ASCII;
                let left_out = if self.modes.dot_is_any { None } else { range(10, 10) };
                let mut class = ClassUnicode::new(left_out);
                class.negate();
                let class = self.marked(class);
                self.atom(class);
            }
            '[' => self.class(start)?,
            '*' | '+' | '?' => {
                let lazy = self.eat('?');
                let times = match c {
                    '*' => (0, None),
                    '+' => (1, None),
                    _ => (0, Some(1)),
                };
                let text = &start[..start.len() - self.rest.len()];
                self.repeat(text, (times, 1), repeated_before.unwrap_or(start), lazy)?;
            }
            '{' => match counted(self.rest) {
                Some((min, max, after)) => {
                    self.rest = after;
                    self.counted(start, (min, max), repeated_before.unwrap_or(start))?;
                }
                None => self.literal('{'),
            },
            '\\' => self.escape(start)?,
            _ => self.literal(c),
        }
        Ok(())
    }

    fn within_bounds(&mut self) -> Result<(), PatternError> {
        let is_too_large =
            self.n_ranges > MAX_RANGES || self.n_branches > MAX_BRANCHES || self.groups.len() > MAX_GROUPS;
        if is_too_large || self.meter.go_on(PARTS).is_err() { Err(error(TOO_LARGE, "")) } else { Ok(()) }
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// Takes the next character if it is `c`, and tells if it was.
    fn eat(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Adds something that repetitions can apply to.
    fn atom(&mut self, atom: Hir) {
        if let Some(level) = self.open.last_mut() {
            level.push(atom, Size { weight: 1, height: 1 });
        }
    }

    /// Ends an alternative. Sequences that are parts of it are taken apart, which is work at each level, and many parts are put
    /// together with looks between.
    fn end_branch(&mut self) -> Result<(), PatternError> {
        let Some(level) = self.open.last_mut() else { return Ok(()) };
        let n_parts = taken_apart(&level.parts);
        level.settle();
        if level.parts.len() > PIECE {
            let mut rest = std::mem::take(&mut level.parts).into_iter();
            while !rest.as_slice().is_empty() {
                level.parts.push(Hir::concat(rest.by_ref().take(PIECE).collect()));
                self.meter.go_on(PIECE * PARTS).map_err(|_| error(TOO_LARGE, ""))?;
            }
        }
        level.end_branch();
        self.read(n_parts)
    }

    /// Ends the innermost level, with the modes that were set in it: all that was in it is one tree.
    fn end_level(&mut self) -> Result<(Hir, Size), PatternError> {
        self.end_branch()?;
        let level = self.open.pop().unwrap_or_default();
        self.modes = level.modes;
        self.read(taken_apart(&level.branches))?;
        let inner = match characters(&level.branches) {
            Some(class) => self.counted_class(class),
            None => choice(level.branches),
        };
        let mut height = level.highest_branch + height_of_choice(&inner);
        let tree = match level.capture {
            Some(index) => {
                height += 1;
                Hir::capture(Capture { index, name: None, sub: Box::new(inner) })
            }
            None => inner,
        };
        within_height(height)?;
        Ok((tree, Size { weight: level.before.weight.max(1), height }))
    }

    /// Adds a place in the text, such as its start.
    fn place(&mut self, place: Look) {
        self.n_branches += match place {
            Look::WordAscii | Look::WordAsciiNegate => 3,
            _ => 1,
        };
        self.atom(Hir::look(place));
    }

    /// Works through so many parts of a class.
    fn read(&mut self, n_parts: usize) -> Result<(), PatternError> {
        self.n_parts_read += n_parts;
        match self.n_parts_read > MAX_PARTS || self.meter.go_on(n_parts).is_err() {
            true => Err(error(TOO_LARGE, "")),
            false => Ok(()),
        }
    }

    /// Works through a class that was named.
    fn read_named(&mut self, class: &ClassUnicode) -> Result<(), PatternError> {
        let folds = self.modes.any_case && !class.is_ascii();
        self.read(PARTS_OF_NAME + class.ranges().len() + if folds { PARTS_OF_CASES } else { 0 })
    }

    /// Counts a class and adds it.
    fn any_of(&mut self, class: ClassUnicode) {
        let class = self.counted_class(class);
        self.atom(class);
    }

    /// Counts a class, for which a mark may stand.
    fn counted_class(&mut self, class: ClassUnicode) -> Hir {
        self.n_ranges += 1 + class.ranges().len() + if class.is_ascii() { 0 } else { RANGES_BEYOND_ASCII };
        self.marked(class)
    }

    /// A class, or the mark that stands for it.
    fn marked(&mut self, class: ClassUnicode) -> Hir {
        if class.is_ascii() {
            return Hir::class(Class::Unicode(class));
        }
        let recent = self.classes.len().saturating_sub(RECENT_CLASSES);
        let known = self.classes[recent..].iter().position(|known| *known == class);
        let index = recent + known.unwrap_or(self.classes.len() - recent);
        if known.is_none() {
            self.classes.push(class);
        }
        mark(index)
    }

    /// Adds a character that stands for itself. Case is dealt with here and not by a flag in the tree, because the
    /// two libraries fold a few characters differently.
    fn literal(&mut self, c: char) {
        match self.modes.any_case && has_cases(c) {
            true => self.any_of(meant(
                ClassUnicode::new([ClassUnicodeRange::new(c, c)]),
                Sense { any_case: true, negated: false },
            )),
            false => self.atom(Hir::literal(c.encode_utf8(&mut [0; 4]).as_bytes())),
        }
    }

    /// Reads what follows an opening parenthesis, which `start` begins with.
    fn open_group(&mut self, start: &'a str) -> Result<(), PatternError> {
        if !self.eat('?') {
            self.push_capture(None);
            return Ok(());
        }
        if self.rest.starts_with("P<") || self.rest.starts_with('<') {
            return self.named_group(start);
        }
        self.flags(start)
    }

    /// Opens a capture group, which is counted as it opens.
    fn push_capture(&mut self, name: Option<String>) {
        self.groups.push(name);
        let index = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
        self.push_group(Some(index), self.modes);
    }

    /// Opens a group in which `modes` hold.
    fn push_group(&mut self, capture: Option<u32>, modes: Modes) {
        let outside = std::mem::replace(&mut self.modes, modes);
        self.open.push(Level { capture, modes: outside, ..Level::default() });
    }

    /// Reads `P<name>` or `<name>`. A name is made of ASCII letters, digits and underscores, and may begin with a
    /// digit.
    fn named_group(&mut self, start: &'a str) -> Result<(), PatternError> {
        let name_start = self.rest.trim_start_matches('P').get(1..).unwrap_or("");
        let Some(end) = name_start.find('>') else {
            return Err(error("invalid named capture", start));
        };
        let name = &name_start[..end];
        self.rest = &name_start[end + 1..];
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(error("invalid named capture", &start[..start.len() - self.rest.len()]));
        }
        self.push_capture(Some(name.to_owned()));
        Ok(())
    }

    /// `(?flags)` or `(?flags:`, from behind the question mark.
    fn flags(&mut self, start: &'a str) -> Result<(), PatternError> {
        let mut modes = self.modes;
        let (mut negated, mut any_after_minus) = (false, true);
        while let Some(c) = self.next_char() {
            match c {
                'i' => modes.any_case = !negated,
                'U' => modes.swaps_greed = !negated,
                'm' => modes.by_lines = !negated,
                's' => modes.dot_is_any = !negated,
                '-' if !negated => {
                    (negated, any_after_minus) = (true, false);
                    continue;
                }
                ':' if any_after_minus => {
                    self.push_group(None, modes);
                    return Ok(());
                }
                ')' if any_after_minus => {
                    self.modes = modes;
                    return Ok(());
                }
                _ => break,
            }
            any_after_minus = true;
        }
        Err(error("invalid or unsupported Perl syntax", &start[..start.len() - self.rest.len()]))
    }

    /// Closes the innermost group.
    fn close_group(&mut self, start: &'a str) -> Result<(), PatternError> {
        if self.open.len() < 2 {
            return Err(error("unexpected )", start));
        }
        let (group, size) = self.end_level()?;
        if let Some(level) = self.open.last_mut() {
            level.push(group, size);
        }
        Ok(())
    }

    /// Applies `{n}`, `{n,}` or `{n,m}`, whose numbers have been read.
    fn counted(
        &mut self,
        start: &'a str,
        (min, max): (u32, Option<u32>),
        before: &'a str,
    ) -> Result<(), PatternError> {
        let lazy = self.eat('?');
        let text = &start[..start.len() - self.rest.len()];
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT || max < min) {
            return Err(error("invalid repeat count", text));
        }
        self.repeat(text, ((min, max), max.unwrap_or(min)), before, lazy)
    }

    /// Applies a repetition operator to the last atom: the least and the most times, and how many copies of it the machine has.
    fn repeat(
        &mut self,
        text: &'a str,
        ((min, max), n_copies): ((u32, Option<u32>), u32),
        before: &'a str,
        lazy: bool,
    ) -> Result<(), PatternError> {
        // `before` begins where a repetition before this one began, so that it is longer than this one if there was
        // one.
        let start = &before[..before.len() - self.rest.len()];
        if start.len() > text.len() {
            return Err(error("invalid nested repetition operator", start));
        }
        self.n_branches += 2;
        let Some(level) = self.open.last_mut().filter(|level| level.has_atom) else {
            return Err(error("missing argument to repetition operator", text));
        };
        // Of nothing copied any number of times there may be, as in the reference.
        level.atom.weight = if n_copies == 0 { 1 } else { level.atom.weight.saturating_mul(n_copies) };
        if level.atom.weight > MAX_REPEAT {
            return Err(error("invalid repeat count", text));
        }
        level.atom.height += 1;
        within_height(level.atom.height)?;
        if let Some(atom) = level.parts.pop() {
            let (greedy, sub) = (lazy == self.modes.swaps_greed, Box::new(atom));
            level.parts.push(Hir::repetition(Repetition { min, max, greedy, sub }));
        }
        self.last_repeat = Some(before);
        Ok(())
    }

    /// Reads what follows a backslash outside of a class.
    fn escape(&mut self, start: &'a str) -> Result<(), PatternError> {
        let Some(c) = self.rest.chars().next() else {
            return Err(error("trailing backslash at end of expression", ""));
        };
        match c {
            'A' | 'z' | 'b' | 'B' => {
                self.next_char();
                self.place(match c {
                    'A' => Look::Start,
                    'z' => Look::End,
                    'b' => Look::WordAscii,
                    _ => Look::WordAsciiNegate,
                });
            }
            'Q' => {
                self.next_char();
                // Without an end the quotation lasts to the end of the pattern.
                let (text, after) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
                for c in text.chars() {
                    self.within_bounds()?;
                    self.literal(c);
                }
                self.rest = after;
            }
            _ => match shorthand(&mut self.rest, self.modes.any_case, self.names)? {
                Some(class) => {
                    self.read_named(&class)?;
                    self.any_of(class);
                }
                None => match escaped_char(&mut self.rest, start)? {
                    Some(c) => self.literal(c),
                    None => self.atom(Hir::fail()),
                },
            },
        }
        Ok(())
    }

    /// Reads a class from behind its opening bracket. A closing bracket at its very start stands for itself.
    fn class(&mut self, start: &'a str) -> Result<(), PatternError> {
        let mut ranges = Vec::new();
        let negated = self.eat('^');
        let mut first = true;
        loop {
            match self.rest.chars().next() {
                None => return Err(error("missing closing ]", start)),
                Some(']') if !first => break,
                Some(_) if ranges.len() > MAX_RANGES => return Err(error(TOO_LARGE, "")),
                Some(_) => self.class_item(&mut ranges, start)?,
            }
            first = false;
        }
        self.rest = &self.rest[1..];
        let is_wide = ranges.iter().any(|range: &ClassUnicodeRange| !range.end().is_ascii());
        let folds = self.modes.any_case && is_wide;
        self.read(ranges.len() + if folds { PARTS_OF_CASES_AGAIN } else { 0 })?;
        let sense = Sense { any_case: self.modes.any_case, negated };
        self.any_of(meant(ClassUnicode::new(ranges), sense));
        Ok(())
    }

    /// Reads a POSIX class, a class behind a backslash, a range or a character.
    fn class_item(
        &mut self,
        ranges: &mut Vec<ClassUnicodeRange>,
        start: &'a str,
    ) -> Result<(), PatternError> {
        if self.rest.starts_with("[:")
            && self.rest.len() - 2 >= self.from_last_end
            && let Some(end) = self.rest[2..].find(":]")
        {
            let name = &self.rest[..end + 4];
            let Some(set) = posix_class(name, self.modes.any_case) else {
                return Err(error("invalid character class range", name));
            };
            self.read_named(&set)?;
            ranges.extend_from_slice(set.ranges());
            self.rest = &self.rest[end + 4..];
            return Ok(());
        }
        if let Some(after) = self.rest.strip_prefix('\\') {
            let mut rest = after;
            if let Some(set) = shorthand(&mut rest, self.modes.any_case, self.names)? {
                self.read_named(&set)?;
                ranges.extend_from_slice(set.ranges());
                self.rest = rest;
                return Ok(());
            }
        }
        ranges.extend(self.class_range(start)?);
        Ok(())
    }

    /// Reads a character or a range of characters. A hyphen before the closing bracket stands for itself.
    fn class_range(&mut self, start: &'a str) -> Result<Option<ClassUnicodeRange>, PatternError> {
        let range_start = self.rest;
        let low = self.class_char(start)?;
        let mut high = low;
        if self.rest.len() >= 2 && self.rest.starts_with('-') && !self.rest.starts_with("-]") {
            self.rest = &self.rest[1..];
            high = self.class_char(start)?;
            if high < low {
                let range = &range_start[..range_start.len() - self.rest.len()];
                return Err(error("invalid character class range", range));
            }
        }
        Ok(range(low, high))
    }

    /// A code point of a class; surrogates can be written, though no text has them.
    fn class_char(&mut self, class_start: &'a str) -> Result<u32, PatternError> {
        let start = self.rest;
        match self.next_char() {
            None => Err(error("missing closing ]", class_start)),
            Some('\\') => escaped_code(&mut self.rest, start),
            Some(c) => Ok(u32::from(c)),
        }
    }
}

/// The characters of a range, without the surrogates inside it.
fn range(low: u32, high: u32) -> Option<ClassUnicodeRange> {
    let low = char::from_u32(low).unwrap_or('\u{e000}');
    let high = char::from_u32(high).unwrap_or('\u{d7ff}');
    (low <= high).then(|| ClassUnicodeRange::new(low, high))
}

/// `n}`, `n,}` or `n,m}` behind an opening brace, and what follows. Anything else
/// leaves the brace a literal.
fn counted(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (min, rest) = count(text)?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, Some(min), rest));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, None, rest));
    }
    let (max, rest) = count(rest)?;
    Some((min, Some(max), rest.strip_prefix('}')?))
}

/// A decimal number without leading zeros; too large ones are all alike.
fn count(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let digits = &text[..end];
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), &text[end..]))
}

/// The character behind a backslash; `None` for a surrogate.
fn escaped_char(rest: &mut &str, start: &str) -> Result<Option<char>, PatternError> {
    escaped_code(rest, start).map(char::from_u32)
}

/// Reads the character behind a backslash as a code point, which may be that of a surrogate. `start` begins with the
/// backslash.
fn escaped_code(rest: &mut &str, start: &str) -> Result<u32, PatternError> {
    let after = *rest;
    let Some(c) = after.chars().next() else {
        return Err(error("trailing backslash at end of expression", ""));
    };
    *rest = &after[c.len_utf8()..];
    let code = match c {
        '0'..='7' => octal(c, rest),
        'x' => hexadecimal(rest),
        'a' => Some(7),
        'f' => Some(12),
        'n' => Some(10),
        'r' => Some(13),
        't' => Some(9),
        'v' => Some(11),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
        _ => None,
    };
    code.ok_or_else(|| error("invalid escape sequence", &start[..start.len() - rest.len()]))
}

/// Up to three octal digits. A single one other than 0 would be a back-reference.
fn octal(first: char, rest: &mut &str) -> Option<u32> {
    let digits = rest.bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
    if first != '0' && digits == 0 {
        return None;
    }
    let mut code = first.to_digit(8)?;
    for b in rest.bytes().take(digits) {
        code = code * 8 + u32::from(b - b'0');
    }
    *rest = &rest[digits..];
    Some(code)
}

/// Two digits, or any number of them in braces.
fn hexadecimal(rest: &mut &str) -> Option<u32> {
    let text = *rest;
    let (digits, after) = match text.strip_prefix('{') {
        Some(braced) => braced.split_once('}')?,
        None => (text.get(..2)?, text.get(2..)?),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    *rest = after;
    u32::from_str_radix(digits, 16).ok().filter(|&code| code <= 0x0010_ffff)
}
