//! Where something new belongs, and how it is written there.

use super::Replacement;
use super::attributes::NewValue;
use super::find::{Found, without_parentheses};
use super::layout::{Layout, OneLine, indented};
use crate::ast::{Block, Body, Expression, ExpressionKind, ObjectItem, ObjectItems};
use crate::escape::write_quoted_on;
use crate::lexer::is_identifier_on;
use crate::limits::Watch;
use crate::source::Span;

/// One more level.
const INDENTATION: &str = "  ";

/// The distance of a new item from the one before it.
///
/// ```
/// use hcl_syntax::edit::{Document, Gap, Reach};
///
/// let mut document = Document::parse("main.hcl", "a = 1\n")?;
/// document.append_attribute(&"b".parse()?, "2", Gap::None, Reach::One)?;
/// document.append_attribute(&"c".parse()?, "3", Gap::EmptyLine, Reach::One)?;
/// assert_eq!(document.text(), "a = 1\nb = 2\n\nc = 3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// In the next line.
    None,
    /// Behind an empty line, if there is something before it.
    EmptyLine,
}

/// Something that attributes or keys can be added to.
#[derive(Copy, Clone)]
pub(super) enum Place<'t> {
    /// A body, with the block it is of.
    Body(Body<'t>, Option<Block<'t>>),
    /// An object that is written out.
    Object(Expression<'t>, ObjectItems<'t>),
}

impl<'t> Place<'t> {
    pub(super) fn of(found: Found<'t>) -> Option<Self> {
        if let Found::Block(block) = found {
            return Some(Self::Body(block.body(), Some(block)));
        }
        let value = without_parentheses(found.value()?);
        match value.kind() {
            ExpressionKind::Object(items) => Some(Self::Object(value, items)),
            _ => None,
        }
    }
}

/// A new attribute: behind the last one; if there is none, before the first block; else at the end.
pub(super) fn attribute(
    layout: Layout<'_>,
    body: Body<'_>,
    block: Option<Block<'_>>,
    (name, value): (&str, &NewValue<'_>),
    gap: Gap,
) -> Vec<Replacement> {
    let last = body.attributes().last();
    if let Some(block) = block
        && layout.is_single_line(block)
    {
        let previous = last.map(|last| (last.name_span(), last.expression().span()));
        if previous.is_none() && value.fits_in_a_line() {
            return vec![in_line(layout, inside(block), &definition(layout, None, "", name, value))];
        }
        let inner = format!("{}{INDENTATION}", layout.indentation(block.span().start));
        let line = definition(layout, previous, &inner, name, value);
        let gap = if previous.is_some() { gap_text(layout, gap) } else { "" };
        return opened(layout, block, &inner, &layout.watch.joined(&[gap, &inner, &line]));
    }
    vec![attribute_in_lines(layout, body, block, (name, value), gap)]
}

/// The line end that makes an empty line.
fn gap_text(layout: Layout<'_>, gap: Gap) -> &'static str {
    match gap {
        Gap::None => "",
        Gap::EmptyLine => layout.newline,
    }
}

/// A new attribute in a line of its own.
fn attribute_in_lines(
    layout: Layout<'_>,
    body: Body<'_>,
    block: Option<Block<'_>>,
    (name, value): (&str, &NewValue<'_>),
    gap: Gap,
) -> Replacement {
    let last = body.attributes().last();
    let newline = layout.newline;
    if let Some(last) = last
        && let Some(end) = layout.end_of_line(last.span().end)
    {
        let indentation = layout.indentation(last.span().start);
        let previous = Some((last.name_span(), last.expression().span()));
        let previous = previous.filter(|_| gap == Gap::None);
        let line = definition(layout, previous, indentation, name, value);
        let gap = gap_text(layout, gap);
        let text = layout.watch.joined(&[gap, indentation, &line]);
        return new_line(layout, end, &text, value.ends_with_heredoc());
    }
    let inner = inner_indentation(layout, block);
    let line = definition(layout, None, &inner, name, value);
    if let Some(first) = body.blocks().next()
        && let Some(lines) = layout.lines_of(first.span())
    {
        let text = layout.watch.joined(&[&inner, &line, newline, newline]);
        return Replacement { span: Span::empty_at(lines.start), text: text.into_bytes() };
    }
    let text = layout.watch.joined(&[&inner, &line]);
    after_content(layout, block.map(braces), &text, Gap::EmptyLine, value.ends_with_heredoc())
}

/// Items at the end of a body.
pub(super) fn at_end(
    layout: Layout<'_>,
    body: Body<'_>,
    block: Option<Block<'_>>,
    items: Layout<'_>,
    gap: Gap,
) -> Vec<Replacement> {
    let inner = inner_indentation(layout, block);
    let text = indented(items, &inner, layout.newline);
    let text = layout.watch.joined(&[&inner, text.trim_end_matches(['\r', '\n'])]);
    match block {
        Some(block) if layout.is_single_line(block) => {
            let gap = if body.attributes().len() == 0 { "" } else { gap_text(layout, gap) };
            opened(layout, block, &inner, &layout.watch.joined(&[gap, &text]))
        }
        _ => vec![after_content(layout, block.map(braces), &text, gap, items.ends_with_heredoc())],
    }
}

/// A line at the end of what stands between braces, or of the text.
fn after_content(
    layout: Layout<'_>,
    braces: Option<[Span; 2]>,
    text: &str,
    gap: Gap,
    must_end: bool,
) -> Replacement {
    let newline = layout.newline;
    let close = braces.map_or(layout.source.span().end, |[_, close]| close.start);
    let at = layout.end_of_content(close);
    let index = layout.token_at(at);
    let is_first = match layout.before(index) {
        None => true,
        Some(_) => layout
            .opening_above(index)
            .is_some_and(|above| braces.is_some_and(|[open, _]| open == above.span)),
    };
    let gap = if is_first { "" } else { gap_text(layout, gap) };
    if let Some([open, _]) = braces
        && !layout.begins_line(layout.token_at(close))
    {
        // Something stands before the brace in its line.
        let outer = layout.indentation(open.start);
        let text = layout.watch.joined(&[newline, gap, text, newline, outer]);
        return Replacement { span: Span::empty_at(at), text: text.into_bytes() };
    }
    new_line(layout, at, &layout.watch.joined(&[gap, text]), must_end)
}

/// A line behind the end of another; where that has no newline the new one has none, unless it must.
pub(super) fn new_line(layout: Layout<'_>, at: u32, text: &str, must_end: bool) -> Replacement {
    let newline = layout.newline;
    let before = layout.source.slice(Span::new(layout.line_start(0), at));
    let text = if before.is_empty() || before.ends_with('\n') {
        layout.watch.joined(&[text, newline])
    } else {
        // A last line of a blank says that there was no newline, which removing the new line takes back.
        let end = if must_end { [newline, " "] } else { [""; 2] };
        layout.watch.joined(&[newline, text, end[0], end[1]])
    };
    Replacement { span: Span::empty_at(at), text: text.into_bytes() }
}

/// Something new between the braces of a block or an object in one line with nothing but comments in it.
fn in_line(layout: Layout<'_>, inside: Span, text: &str) -> Replacement {
    let kept = layout.source.slice(inside).trim_end_matches([' ', '\t']);
    let at = inside.start + u32::try_from(kept.len()).unwrap_or_default();
    let ends_line = text.ends_with('\n');
    let blank = if kept.is_empty() && !ends_line { " " } else { "" };
    Replacement { span: Span::empty_at(at), text: layout.watch.joined(&[" ", text, blank]).into_bytes() }
}

/// The braces of a block.
fn braces(block: Block<'_>) -> [Span; 2] {
    [block.open_span(), block.close_span()]
}

/// The span between the braces of a block.
fn inside(block: Block<'_>) -> Span {
    Span::new(block.open_span().end, block.close_span().start)
}

/// Lines behind what a block in one line contains, which then takes several. Blanks behind the opening brace say that
/// it was one line ([`OneLine`]), so that removing the lines closes the block again.
fn opened(layout: Layout<'_>, block: Block<'_>, inner: &str, lines: &str) -> Vec<Replacement> {
    let newline = layout.newline;
    let outer = layout.indentation(block.span().start);
    let inside = inside(block);
    let Some(only) = block.body().attributes().next() else {
        let text = layout.watch.joined(&[OneLine::MARK, newline, lines, newline, outer]);
        return vec![Replacement { span: Span::empty_at(inside.end), text: text.into_bytes() }];
    };
    let before = Span::new(inside.start, only.span().start);
    let behind = Span::new(only.span().end, inside.end);
    let is_usual = [before, behind].iter().all(|gap| layout.source.slice(*gap) == OneLine::USUAL_GAP);
    let (mark, end) = if is_usual { ("", behind) } else { (OneLine::MARK, Span::empty_at(behind.end)) };
    vec![
        Replacement {
            span: Span::empty_at(before.end),
            text: format!("{mark}{newline}{inner}").into_bytes(),
        },
        Replacement { span: end, text: layout.watch.joined(&[newline, lines, newline, outer]).into_bytes() },
    ]
}

/// How what a block contains is indented: as what is there, else one level more than the block.
pub(super) fn inner_indentation(layout: Layout<'_>, block: Option<Block<'_>>) -> String {
    let Some(block) = block else { return String::new() };
    let body = block.body();
    let first = body.attributes().map(|attribute| attribute.span().start);
    let first = first.chain(body.blocks().map(|inner| inner.span().start)).min();
    match first {
        Some(start) if layout.begins_line(layout.token_at(start)) => layout.indentation(start).to_owned(),
        _ => format!("{}{INDENTATION}", layout.indentation(block.span().start)),
    }
}

/// A new key with its value: behind the last one.
pub(super) fn item(
    layout: Layout<'_>,
    object: Expression<'_>,
    items: ObjectItems<'_>,
    name: &str,
    value: &NewValue<'_>,
) -> Replacement {
    let key = key_text_on(name, layout.watch);
    let last: Option<ObjectItem<'_>> = items.iter().last();
    let previous = last.map(|last| (last.key.span(), last.value.span()));
    if let Some(last) = last {
        let (behind, comma) = layout.behind_in_line(last.value.span().end);
        let ended = layout.end_of_line(last.value.span().end);
        let indentation = layout.indentation(last.key.span().start);
        if let Some(end) = ended.filter(|_| layout.lines_of(last.key.span().to(last.value.span())).is_some())
        {
            let line = definition(layout, previous, indentation, &key, value);
            // The newline of a heredoc stands for the comma.
            let comma = if comma.is_some() && !value.ends_with_heredoc() { "," } else { "" };
            return new_line(layout, end, &layout.watch.joined(&[indentation, &line, comma]), false);
        }
        if let Some(end) = layout.end_of_heredoc(last.value.span().end) {
            let line = definition(layout, None, indentation, &key, value);
            return new_line(layout, end, &layout.watch.joined(&[indentation, INDENTATION, &line]), false);
        }
        let line = definition(layout, previous, indentation, &key, value);
        let end = if value.ends_with_heredoc() { layout.newline } else { "" };
        let (at, text) = match comma {
            Some(comma) if end.is_empty() => (comma.span.end, format!(" {line},")),
            // A second blank says that the comma was there, for none can follow a heredoc.
            Some(comma) => (comma.span.end, format!("  {line}{end}")),
            None => (behind, format!(", {line}{end}")),
        };
        return Replacement { span: Span::empty_at(at), text: text.into_bytes() };
    }
    let inside = Span::new(object.span().start + 1, object.span().end - 1);
    let outer = layout.indentation(object.span().start);
    if layout.on_one_line(inside.start, inside.end) {
        let end = if value.ends_with_heredoc() { layout.newline } else { "" };
        let text = format!("{}{end}", definition(layout, None, outer, &key, value));
        return in_line(layout, inside, &text);
    }
    let inner = format!("{outer}{INDENTATION}");
    let line = definition(layout, None, &inner, &key, value);
    let braces = [Span::new(object.span().start, inside.start), Span::new(inside.end, object.span().end)];
    after_content(layout, Some(braces), &format!("{inner}{line}"), Gap::EmptyLine, false)
}

/// A key of an object as it is written: in quotes, if it is no name.
pub(super) fn key_text(name: &str) -> String {
    key_text_on(name, &Watch::idle())
}

/// [`key_text`], or some of it if the work is to end.
pub(super) fn key_text_on(name: &str, watch: &Watch) -> String {
    let mut text = String::new();
    write_key_on(name, watch, &mut text);
    text
}

/// Appends [`key_text`], or some of it if the work is to end.
pub(super) fn write_key_on(name: &str, watch: &Watch, out: &mut String) {
    if is_identifier_on(name, watch) {
        watch.append(name, out);
    } else {
        write_quoted_on(name, watch, out);
    }
}

/// `name = value`, with what stands between the two as it is in the definition before, whose name and value are
/// given, and aligned with it.
fn definition(
    layout: Layout<'_>,
    previous: Option<(Span, Span)>,
    indentation: &str,
    name: &str,
    value: &NewValue<'_>,
) -> String {
    let text = value.indented(indentation, layout.newline);
    let between = previous.and_then(|(key, value)| {
        let between = layout.source.slice(Span::new(key.end, value.start));
        let written = between.trim_matches(' ');
        if !matches!(written, "=" | ":") {
            return None;
        }
        let (before, after) = between.split_once(written)?;
        let column = layout.source.slice(key).chars().count() + before.len();
        let padding = column.checked_sub(name.chars().count()).unwrap_or(before.len().min(1));
        let aligned = layout.on_one_line(value.start, value.end);
        let padding = if aligned { padding.max(before.len().min(1)) } else { before.len().min(1) };
        Some(format!("{:padding$}{written}{after}", ""))
    });
    layout.watch.joined(&[name, between.as_deref().unwrap_or(" = "), &text])
}
