//! Source text and places in it.
//!
//! A [`Source`] is one text under a name, and cheap to clone. Offsets into it are 32-bit, and a text is at most 1 GiB
//! long; longer input is refused when the source is made. Bytes that are no valid UTF-8 are kept as
//! *bad bytes*: the text holds a one-byte stand-in at their place, so that offsets stay true, and the
//! scanner reports them. Lines and columns are computed only when asked for (see `line_index`).

#![expect(single_use_lifetimes, reason = "without a name they are unstable in `impl Trait`")]

mod line_index;
mod name;
mod position;
mod span;
mod text;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

pub use position::{Pos, Range};
pub use span::Span;
pub use text::Text;
pub(crate) use text::{is_wide, n_clusters};

use triomphe::{Arc, HeaderSlice};

use crate::limits::{Stopped, Watch};
use crate::memory;
use crate::parser::ParseLimits;
use line_index::{HasRoom, LineIndex};
use name::Name;

/// The grammar that a source text is scanned by; it decides where columns start anew.
///
/// ```
/// use hcl_syntax::source::{Grammar, Pos, Source};
///
/// let greeting = Source::with_grammar("hello.tpl", "Hello, ${name}!", Grammar::Template, Pos::START)?;
/// assert_eq!(greeting.grammar(), Grammar::Template);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Grammar {
    /// A configuration file or an expression: scanning starts in normal mode.
    #[default]
    Config,
    /// A bare template: scanning starts inside template text.
    Template,
    /// A file of JSON syntax.
    Json,
}

/// A source text with a name. Its clones, and everything that is made from it, share the text.
///
/// ```
/// use hcl_syntax::source::{Source, Span};
///
/// let source = Source::new("main.hcl", "port = 80\nhost = \"a\"\n")?;
/// let host = Span::new(10, 14);
/// assert_eq!(source.slice(host), "host");
/// assert_eq!(source.range(host).to_string(), "main.hcl:2,1-5");
/// assert_eq!(source.span_of(&source.range(host)), host);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone)]
pub struct Source(Arc<HeaderSlice<Header, str>>);

/// The facts of a source beside its text, in the same allocation: sources of one expression are made and dropped by
/// the million.
struct Header {
    name: Name,
    origin: Pos,
    grammar: Grammar,
    /// Facts that most sources have not.
    extra: Option<Box<Extra>>,
    lines: OnceLock<Box<LineIndex>>,
    /// True if lines are found in little time and room. Asked for each body, it takes a look at all of the text once.
    has_short_lines: OnceLock<bool>,
}

/// Facts that few sources have.
#[derive(Default)]
struct Extra {
    /// Where bytes that are not UTF-8 were.
    bad_bytes: Vec<u32>,
    /// Why the text was not read.
    stopped: Option<Stopped>,
    /// Texts that stand behind the main text, in order.
    appendices: Vec<Appendix>,
    /// The source that people are shown in place of this one.
    shown: Option<Source>,
}

/// A text of its own behind the main text of a source: what a string of the main text means once its
/// escapes are decoded. Places in it are counted from the place of the string.
#[derive(Copy, Clone, Debug)]
struct Appendix {
    start: u32,
    origin: Pos,
}

/// A part of a source whose lines and columns are counted on their own.
#[derive(Copy, Clone, Debug)]
struct Piece {
    span: Span,
    grammar: Grammar,
    origin: Pos,
}

impl Source {
    /// The longest text, in bytes: 1 GiB. What is made of a text is counted with 32 bits, too, and may be more than it.
    pub const MAX_LEN: usize = 1 << 30;

    /// The stand-in for a byte that is not UTF-8.
    pub(crate) const BAD_BYTE: u8 = 0x1A;

    /// A source of the given name.
    ///
    /// # Errors
    /// The text is longer than [`Source::MAX_LEN`].
    pub fn new<'t>(name: &str, text: impl Into<Text<'t>>) -> Result<Self, SourceTooLarge> {
        Self::with_grammar(name, text, Grammar::Config, Pos::START)
    }

    /// A source that is scanned by `grammar` and whose first byte stands at `origin` of some larger text.
    ///
    /// # Errors
    /// The text is longer than [`Source::MAX_LEN`].
    pub fn with_grammar<'t>(
        name: &str,
        text: impl Into<Text<'t>>,
        grammar: Grammar,
        origin: Pos,
    ) -> Result<Self, SourceTooLarge> {
        let text = text.into();
        if text.text.len() > Self::MAX_LEN {
            return Err(SourceTooLarge { len: text.text.len() });
        }
        Ok(Self::of_text(name, text, grammar, origin))
    }

    /// A source of the given name, of a text that is known to be no longer than [`Source::MAX_LEN`].
    pub(crate) fn of_short<'t>(name: &str, text: impl Into<Text<'t>>) -> Self {
        Self::of_text(name, text.into(), Grammar::Config, Pos::START)
    }

    fn of_text(name: &str, text: Text<'_>, grammar: Grammar, origin: Pos) -> Self {
        let Text { text, bad_bytes, stopped } = text;
        let is_plain = bad_bytes.is_empty() && stopped.is_none();
        let extra = (!is_plain).then(|| Box::new(Extra { bad_bytes, stopped, ..Extra::default() }));
        Self::of(name, &text, grammar, origin, extra)
    }

    fn of(name: &str, text: &str, grammar: Grammar, origin: Pos, extra: Option<Box<Extra>>) -> Self {
        let (lines, has_short_lines) = (OnceLock::new(), OnceLock::new());
        let header = Header { name: Name::new(name), origin, grammar, extra, lines, has_short_lines };
        Self(Arc::from_header_and_str(header, text))
    }

    /// A source of JSON syntax.
    ///
    /// # Errors
    /// The text is longer than [`Source::MAX_LEN`].
    pub fn json<'t>(name: &str, text: impl Into<Text<'t>>) -> Result<Self, SourceTooLarge> {
        Self::with_grammar(name, text, Grammar::Json, Pos::START)
    }

    /// Makes a source of the text `decoded` of `parent`, which stands at `origin`.
    ///
    /// # Errors
    /// The text is longer than [`Source::MAX_LEN`].
    pub(crate) fn decoded_from(parent: &Self, decoded: &str, origin: Pos) -> Result<Self, SourceTooLarge> {
        if decoded.len() > Self::MAX_LEN {
            return Err(SourceTooLarge { len: decoded.len() });
        }
        let extra = Extra { shown: Some(parent.shown().clone()), ..Extra::default() };
        Ok(Self::of(parent.name(), decoded, Grammar::Config, origin, Some(Box::new(extra))))
    }

    /// Copies the text with bare templates as appendices, each with the place it is counted from. Gives the span of
    /// each of them too, as far as they fit.
    pub(crate) fn with_appendices(
        parent: &Self,
        templates: &[(Pos, &str)],
        watch: &Watch,
    ) -> (Self, Vec<Span>) {
        let mut text = parent.text().to_owned();
        let mut appendices = Vec::new();
        let mut spans = Vec::new();
        for &(origin, template) in templates {
            // What separates the pieces keeps the end of one apart from the beginning of the next.
            text.push('\n');
            let start = text.len();
            if start + template.len() >= Self::MAX_LEN || watch.count(1).is_err() {
                break;
            }
            text.push_str(template);
            appendices.push(Appendix { start: to_u32(start), origin });
            spans.push(Span::new(to_u32(start), to_u32(text.len())));
        }
        let shown = Some(parent.shown().clone());
        let extra = Extra { bad_bytes: parent.bad_bytes().to_vec(), appendices, shown, ..Extra::default() };
        let Header { origin, grammar, .. } = parent.0.header;
        let source = Self::of(parent.name(), &text, grammar, origin, Some(Box::new(extra)));
        (source, spans)
    }

    /// Returns the reason that its text was not read.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.0.header.extra.as_ref().and_then(|extra| extra.stopped)
    }

    fn bad_bytes(&self) -> &[u32] {
        self.0.header.extra.as_ref().map_or(&[], |extra| &extra.bad_bytes)
    }

    fn appendices(&self) -> &[Appendix] {
        self.0.header.extra.as_ref().map_or(&[], |extra| &extra.appendices)
    }

    /// The source that people are shown: this one, or the one it was decoded from.
    pub fn shown(&self) -> &Self {
        self.0.header.extra.as_ref().and_then(|extra| extra.shown.as_ref()).unwrap_or(self)
    }

    /// The parts whose lines and columns are counted on their own, in order.
    fn pieces(&self) -> impl Iterator<Item = Piece> {
        let end = to_u32(self.text().len());
        let ends = self.appendices().iter().map(|appendix| appendix.start).chain([end]);
        let main =
            Piece { span: Span::new(0, end), grammar: self.0.header.grammar, origin: self.0.header.origin };
        let rest = self.appendices().iter().map(move |appendix| Piece {
            span: Span::new(appendix.start, end),
            grammar: Grammar::Template,
            origin: appendix.origin,
        });
        [main].into_iter().chain(rest).zip(ends).map(|(mut piece, end)| {
            piece.span.end = end;
            piece
        })
    }

    /// The name given to the source, as messages show it.
    pub fn name(&self) -> &str {
        self.0.header.name.as_str()
    }

    /// The text; bytes that were no UTF-8 are replaced, byte for byte, by U+001A.
    pub fn text(&self) -> &str {
        &self.0.slice
    }

    /// How the text is scanned.
    pub fn grammar(&self) -> Grammar {
        self.0.header.grammar
    }

    /// Where the first byte stands.
    pub fn origin(&self) -> Pos {
        self.0.header.origin
    }

    /// The span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(0, to_u32(self.text().len()))
    }

    /// The span of a range that was made from this source, widened to whole characters: ranges in decoded strings may
    /// fall inside of characters of the text they were decoded from.
    pub fn span_of(&self, range: &Range) -> Span {
        let len = to_u32(self.text().len());
        let offset =
            |byte: u64| u32::try_from(byte.saturating_sub(self.0.header.origin.byte)).unwrap_or(len).min(len);
        let start = self.text().floor_char_boundary(offset(range.start.byte) as usize);
        let end = self.text().ceil_char_boundary(offset(range.end.byte) as usize).max(start);
        Span::new(to_u32(start), to_u32(end))
    }

    /// The text within `span`, stand-ins of bad bytes included.
    pub fn slice(&self, span: Span) -> &str {
        self.text().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns whether a text stands within `span`, as compared by [`slice`](Self::slice).
    pub(crate) fn says(&self, span: Span, text: &str) -> bool {
        self.text().as_bytes().get(span.start as usize..span.end as usize) == Some(text.as_bytes())
    }

    /// The text within `span` with U+FFFD for every byte that was no UTF-8.
    pub fn display(&self, span: Span) -> Cow<'_, str> {
        self.display_on(span, &Watch::idle())
    }

    /// [`display`](Self::display), or some of it if the work is to end.
    pub(crate) fn display_on(&self, span: Span, watch: &Watch) -> Cow<'_, str> {
        if !self.has_bad_byte(span) {
            return Cow::Borrowed(self.slice(span));
        }
        let mut shown = String::with_capacity(span.len() as usize);
        let mut start = span.start;
        let first = self.bad_bytes().partition_point(|&bad| bad < start);
        for &bad in self.bad_bytes()[first..].iter().take_while(|&&bad| bad < span.end) {
            if watch.count_bytes((bad - start) as usize).is_err() {
                break;
            }
            watch.append(self.slice(Span::new(start, bad)), &mut shown);
            shown.push(char::REPLACEMENT_CHARACTER);
            start = bad + 1;
        }
        watch.append(self.slice(Span::new(start, span.end)), &mut shown);
        Cow::Owned(shown)
    }

    /// Returns whether the source had bytes that were no part of valid UTF-8.
    pub(crate) fn has_bad_bytes(&self) -> bool {
        !self.bad_bytes().is_empty()
    }

    /// Returns whether the byte at `offset` was no part of valid UTF-8.
    pub(crate) fn is_bad_byte(&self, offset: u32) -> bool {
        self.bad_bytes().binary_search(&offset).is_ok()
    }

    /// Returns whether any byte within `span` was no part of valid UTF-8.
    pub(crate) fn has_bad_byte(&self, span: Span) -> bool {
        self.first_bad_byte(span).is_some()
    }

    /// The first byte within `span` that was no part of valid UTF-8.
    pub(crate) fn first_bad_byte(&self, span: Span) -> Option<u32> {
        let first = self.bad_bytes().partition_point(|&bad| bad < span.start);
        self.bad_bytes().get(first).copied().filter(|&bad| bad < span.end)
    }

    /// The position of the byte at `offset`.
    pub fn position(&self, offset: u32) -> Pos {
        self.lines().position(offset.min(to_u32(self.text().len())))
    }

    /// The line, counted from 0, that holds the byte at `offset`.
    pub(crate) fn line_at(&self, offset: u32) -> usize {
        self.lines().line_at(offset)
    }

    /// The number by which people know the line `line`, counted from 0.
    pub(crate) fn line_number(&self, line: usize) -> u32 {
        self.0.header.origin.line.saturating_add(to_u32(line))
    }

    /// The text of the line `line`, counted from 0, without its newline.
    pub(crate) fn line_span(&self, line: usize) -> Span {
        let (start, end) = self.lines().bounds(line, to_u32(self.text().len()));
        let text = self.slice(Span::new(start, end));
        let text = text.strip_suffix('\n').map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
        Span::new(start, start + to_u32(text.len()))
    }

    /// The lines; as many as there was memory for, which are not kept, if it has run out.
    fn lines(&self) -> Lines<'_> {
        self.kept_lines().unwrap_or_else(|| {
            let watch = match LineIndex::takes_little(self.text()) {
                true => Watch::idle(),
                false => Watch::asking(LineIndex::room_of_tokens(self.text())),
            };
            self.make_lines(&watch, &mut memory::is_to_be_had)
        })
    }

    fn kept_lines(&self) -> Option<Lines<'_>> {
        self.0.header.lines.get().map(|lines| Lines::Kept(lines))
    }

    /// Finds the lines and columns that all positions are made of, within limits; the first position that is asked for finds them
    /// otherwise, however long that takes. `has_room` is asked before they take so many bytes more; without room they are not
    /// found. Those of a short text are left to the first position, which finds them in at most 5 ms and 1 MiB, and so are all
    /// lines where nothing can end the work.
    ///
    /// ```
    /// use hcl_syntax::limits::{CancelToken, Stopped};
    /// use hcl_syntax::parser::ParseLimits;
    /// use hcl_syntax::source::Source;
    ///
    /// let cancel = CancelToken::new();
    /// cancel.trigger();
    /// let limits = ParseLimits { cancel: Some(cancel), ..ParseLimits::default() };
    /// assert_eq!(Source::new("short.hcl", "a = 1\n")?.find_lines(&limits, |_| true), Ok(()));
    /// let long = Source::new("long.hcl", "a = 1\n".repeat(1 << 20))?;
    /// assert_eq!(long.find_lines(&limits, |_| true), Err(Stopped::Cancelled));
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    ///
    /// # Errors
    /// The work was to end before.
    pub fn find_lines(
        &self,
        limits: &ParseLimits,
        mut has_room: impl FnMut(usize) -> bool,
    ) -> Result<(), Stopped> {
        if !self.lacks_lines() {
            return Ok(());
        }
        let watch = Watch::new(limits);
        if !watch.is_idle() {
            self.make_lines(&watch, &mut has_room);
        }
        watch.stopped().map_or(Ok(()), Err)
    }

    /// Returns true if a position may take long, since the text is long and its lines are not found yet.
    ///
    /// ```
    /// use hcl_syntax::source::Source;
    ///
    /// let long = Source::new("long.hcl", "a = 1\n".repeat(1 << 20))?;
    /// assert!(long.lacks_lines());
    /// assert_eq!(long.position(6).line, 2);
    /// assert!(!long.lacks_lines());
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn lacks_lines(&self) -> bool {
        let header = &self.0.header;
        header.lines.get().is_none()
            && !header.has_short_lines.get_or_init(|| LineIndex::is_short(self.text()))
    }

    /// Finds lines and columns unless the system has no memory for them; returns whether they are there.
    ///
    /// ```
    /// use hcl_syntax::source::Source;
    ///
    /// assert!(Source::new("main.hcl", "a = 1\n")?.has_room_for_lines());
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn has_room_for_lines(&self) -> bool {
        matches!(self.lines(), Lines::Kept(_))
    }

    /// Finds lines and columns as far as a watch allows; returns whether they are there.
    pub(crate) fn find_lines_on(&self, watch: &Watch) -> bool {
        let lines = self.kept_lines().unwrap_or_else(|| self.make_lines(watch, &mut |_| true));
        matches!(lines, Lines::Kept(_))
    }

    /// Finds lines and columns, and keeps them if they are whole.
    fn make_lines(&self, watch: &Watch, has_room: HasRoom<'_>) -> Lines<'_> {
        let (index, is_whole) = LineIndex::new(self, watch, has_room);
        let index = Box::new(index);
        match is_whole {
            true => Lines::Kept(self.0.header.lines.get_or_init(|| index)),
            false => Lines::Unfinished(index),
        }
    }

    /// The positions of both ends of `span`, with this source's name.
    pub fn range(&self, span: Span) -> Range {
        let (lines, len) = (self.lines(), to_u32(self.text().len()));
        let mut start = lines.position(span.start.min(len));
        let mut end = lines.end_position(span.end.min(len));
        let (shift_of_start, shift_of_end) = lines.shifts(span);
        start.column = start.column.saturating_add(shift_of_start);
        end.column = end.column.saturating_add(shift_of_end);
        Range { filename: lines.filename().clone(), start, end }
    }
}

/// The lines and columns of a source.
enum Lines<'s> {
    Kept(&'s LineIndex),
    /// The first of them: the work had to end.
    Unfinished(Box<LineIndex>),
}

impl Deref for Lines<'_> {
    type Target = LineIndex;

    fn deref(&self) -> &LineIndex {
        match self {
            Self::Kept(lines) => lines,
            Self::Unfinished(lines) => lines,
        }
    }
}

/// Equality is identity: only what was made from the same text, and not from the like of it, is about the same source.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Source {}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name())
            .field("len", &self.text().len())
            .finish_non_exhaustive()
    }
}

/// A source text is longer than offsets can count.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the source is longer than {} bytes, which is the most that can be read", Source::MAX_LEN)]
pub struct SourceTooLarge {
    /// The length of the refused text, as far as it was read.
    pub len: usize,
}

/// An offset as it is stored; `Source::with_grammar` has checked that it fits.
fn to_u32(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
