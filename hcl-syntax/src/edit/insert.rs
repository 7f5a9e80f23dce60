//! Where something new belongs, and how it is written there.

use super::find::{Found, without_parentheses};
use super::layout::{Layout, indented};
use super::{NewValue, Replacement};
use crate::ast::{Block, Body, Expression, ExpressionKind, ObjectItem, ObjectItems};
use crate::escape::write_quoted;
use crate::lexer::is_identifier;
use crate::source::Span;
use crate::token::TokenKind;

/// One more level.
const INDENTATION: &str = "  ";

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
    name: &str,
    value: &NewValue,
) -> Replacement {
    let last = body.attributes().last();
    if let Some(block) = block
        && layout.is_single_line(block)
    {
        let previous = last.map(|last| (last.name_span(), last.expression().span()));
        return in_opened_block(layout, block, previous, name, value);
    }
    let newline = layout.newline();
    if let Some(last) = last
        && let Some(end) = layout.end_of_line(last.span().end)
    {
        let indentation = layout.indentation(last.span().start);
        let previous = Some((last.name_span(), last.expression().span()));
        let line = definition(layout, previous, indentation, name, value);
        return new_line(layout, end, &format!("{indentation}{line}"), value.ends_with_heredoc());
    }
    let inner = inner_indentation(layout, block);
    let line = definition(layout, None, &inner, name, value);
    if let Some(first) = body.blocks().next()
        && let Some(lines) = layout.lines_of(first.span())
    {
        let text = format!("{inner}{line}{newline}{newline}");
        return Replacement { span: Span::empty_at(lines.start), text: text.into_bytes() };
    }
    after_content(layout, block, &format!("{inner}{line}"), value.ends_with_heredoc())
}

/// Items at the end of a body, behind an empty line.
pub(super) fn at_end(
    layout: Layout<'_>,
    body: Body<'_>,
    block: Option<Block<'_>>,
    items: Layout<'_>,
) -> Replacement {
    let inner = inner_indentation(layout, block);
    let text = indented(items, &inner, layout.newline());
    let text = format!("{inner}{}", text.trim_end_matches(['\r', '\n']));
    match block {
        Some(block) if layout.is_single_line(block) => {
            let newline = layout.newline();
            let open = Span::new(block.open_span().end, block.close_span().start);
            let kept = layout.source.slice(open).trim_matches([' ', '\t']);
            let gap = if body.attributes().len() == 0 { "" } else { newline };
            let first = if kept.is_empty() { String::new() } else { format!("{inner}{kept}{newline}{gap}") };
            let outer = layout.indentation(block.span().start);
            let text = format!("{newline}{first}{text}{newline}{outer}");
            Replacement { span: open, text: text.into_bytes() }
        }
        _ => after_content(layout, block, &text, items.ends_with_heredoc()),
    }
}

/// A line at the end of a body, behind an empty line if there is something before it.
fn after_content(layout: Layout<'_>, block: Option<Block<'_>>, text: &str, must_end: bool) -> Replacement {
    let newline = layout.newline();
    let close = block.map_or(layout.source.span().end, |block| block.close_span().start);
    let at = layout.end_of_content(close);
    let index = layout.token_at(at);
    let is_first = match layout.before(index) {
        None => true,
        Some(_) => layout
            .opening_above(index)
            .is_some_and(|open| block.is_some_and(|block| block.open_span() == open.span)),
    };
    let gap = if is_first { "" } else { newline };
    if let Some(block) = block
        && !layout.begins_line(layout.token_at(close))
    {
        // Something stands before the brace in its line.
        let outer = layout.indentation(block.span().start);
        let text = format!("{newline}{gap}{text}{newline}{outer}");
        return Replacement { span: Span::empty_at(at), text: text.into_bytes() };
    }
    new_line(layout, at, &format!("{gap}{text}"), must_end)
}

/// A line behind the end of another; where that has no newline the new one has none, unless it must.
fn new_line(layout: Layout<'_>, at: u32, text: &str, must_end: bool) -> Replacement {
    let newline = layout.newline();
    let before = layout.source.slice(Span::new(layout.line_start(0), at));
    let text = if before.is_empty() || before.ends_with('\n') {
        format!("{text}{newline}")
    } else {
        format!("{newline}{text}{}", if must_end { newline } else { "" })
    };
    Replacement { span: Span::empty_at(at), text: text.into_bytes() }
}

/// The first or second attribute of a block in one line, which then takes several.
fn in_opened_block(
    layout: Layout<'_>,
    block: Block<'_>,
    previous: Option<(Span, Span)>,
    name: &str,
    value: &NewValue,
) -> Replacement {
    let newline = layout.newline();
    let outer = layout.indentation(block.span().start);
    let inner = format!("{outer}{INDENTATION}");
    let open = Span::new(block.open_span().end, block.close_span().start);
    let kept = layout.source.slice(open).trim_matches([' ', '\t']);
    let first = if kept.is_empty() { String::new() } else { format!("{newline}{inner}{kept}") };
    let line = definition(layout, previous, &inner, name, value);
    let text = format!("{first}{newline}{inner}{line}{newline}{outer}");
    Replacement { span: open, text: text.into_bytes() }
}

/// How what a block contains is indented: as what is there, else one level more than the block.
fn inner_indentation(layout: Layout<'_>, block: Option<Block<'_>>) -> String {
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
    value: &NewValue,
) -> Replacement {
    let mut key = name.to_owned();
    if !is_identifier(name) {
        key.clear();
        write_quoted(name, &mut key);
    }
    let last: Option<ObjectItem<'_>> = items.iter().last();
    let previous = last.map(|last| (last.key.span(), last.value.span()));
    if let Some(last) = last {
        let behind = layout.token(layout.token_at(last.value.span().end));
        let has_comma = behind.kind == TokenKind::Comma;
        let ended = layout.end_of_line(last.value.span().end);
        if let Some(end) = ended.filter(|_| layout.lines_of(last.key.span().to(last.value.span())).is_some())
        {
            let indentation = layout.indentation(last.key.span().start);
            let line = definition(layout, previous, indentation, &key, value);
            // The newline of a heredoc stands for the comma.
            let comma = if has_comma && !value.ends_with_heredoc() { "," } else { "" };
            return new_line(layout, end, &format!("{indentation}{line}{comma}"), false);
        }
        let line = definition(layout, previous, layout.indentation(last.key.span().start), &key, value);
        let (at, text) = match has_comma {
            true => (behind.span.end, format!(" {line}")),
            false => (last.value.span().end, format!(", {line}")),
        };
        return Replacement { span: Span::empty_at(at), text: text.into_bytes() };
    }
    let inside = Span::new(object.span().start + 1, object.span().end - 1);
    let outer = layout.indentation(object.span().start);
    if layout.on_one_line(inside.start, inside.end) {
        let text = format!(" {} ", definition(layout, None, outer, &key, value));
        return Replacement { span: inside, text: text.into_bytes() };
    }
    let inner = format!("{outer}{INDENTATION}");
    let line = definition(layout, None, &inner, &key, value);
    new_line(layout, layout.end_of_content(inside.end), &format!("{inner}{line}"), false)
}

/// `name = value`, with what stands between the two as it is in the definition before, whose name and value are
/// given, and aligned with it.
fn definition(
    layout: Layout<'_>,
    previous: Option<(Span, Span)>,
    indentation: &str,
    name: &str,
    value: &NewValue,
) -> String {
    let text = value.indented(indentation, layout.newline());
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
    format!("{name}{}{text}", between.as_deref().unwrap_or(" = "))
}
