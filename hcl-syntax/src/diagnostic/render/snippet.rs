//! The source lines a diagnostic is about, with carets under its subject.
//!
//! Only what is shown is looked at: of a long line a window around the subject, of a long range its
//! first and last lines. So the cost of a snippet does not grow with the file.

use unicode_segmentation::UnicodeSegmentation;

use super::cells::Charset;
use super::{Ink, Page};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// How many lines of the subject are shown at its beginning when it is too long.
const FIRST_LINES: usize = 3;

/// Ranges of up to this many lines are shown whole.
const WHOLE_LINES: usize = 7;

/// No cell comes from more than this many bytes; bounds what is read of a line.
const BYTES_PER_CELL: usize = 16;

/// Writes the lines of `diagnostic`'s context, if it has a place in a source.
pub(super) fn write(diagnostic: &Diagnostic, page: &mut Page<'_>) {
    let (Some(subject), Some(source)) = (&diagnostic.subject, &diagnostic.source) else {
        return;
    };
    let subject = source.span_of(subject);
    let context = diagnostic.context.as_ref().map_or(subject, |context| source.span_of(context).to(subject));
    let lines = shown_lines(source, subject, context);
    let last = lines.last().map_or(0, |&line| source.line_number(line));
    let gutter = last.to_string().len().max(2);
    page.gutter(gutter, None);
    page.end_line();
    let mut expected = lines.first().copied().unwrap_or_default();
    for line in lines {
        if line != expected {
            page.gutter(gutter, None);
            page.text(Ink::Faint, if page.charset == Charset::Unicode { " ⋮" } else { " ..." });
            page.end_line();
        }
        expected = line + 1;
        write_line(&Line::new(source, line, subject), gutter, page);
    }
}

/// The lines that are shown, in order; lines may be left out in the middle.
fn shown_lines(source: &Source, subject: Span, context: Span) -> Vec<usize> {
    let lines_of = |span: Span| {
        let last = span.end.saturating_sub(1).max(span.start);
        (source.line_at(span.start), source.line_at(last))
    };
    let (first, last) = lines_of(context);
    // An empty subject at the end of the text stands on a line of its own.
    let last = last.max(source.line_at(subject.start));
    if last - first < WHOLE_LINES {
        return (first..=last).collect();
    }
    let (subject_first, subject_last) = lines_of(subject);
    let mut lines = vec![first];
    lines.extend(subject_first..(subject_first + FIRST_LINES).min(subject_last));
    lines.extend([subject_last, last]);
    lines.dedup();
    lines
}

/// One line and the part of the subject on it, as offsets within the line.
struct Line<'s> {
    number: u32,
    text: &'s str,
    mark: Option<(usize, usize)>,
    source: &'s Source,
    span: Span,
}

impl<'s> Line<'s> {
    fn new(source: &'s Source, line: usize, subject: Span) -> Self {
        let span = source.line_span(line);
        let text = source.slice(span);
        let within = |offset: u32| offset.clamp(span.start, span.end).saturating_sub(span.start) as usize;
        let (mut start, end) = (within(subject.start), within(subject.end));
        if subject.start < span.start {
            // Further lines of the subject are marked from their first character on, not from the margin.
            start = text.len() - text.trim_start().len();
        }
        let begins_here = source.line_at(subject.start) == line;
        let mark = (begins_here || start < end).then_some((start, end));
        Self { number: source.line_number(line), text, mark, source, span }
    }

    /// The grapheme cluster at `offset` as messages quote it: U+FFFD for a byte that was no UTF-8.
    fn quoted<'c>(&self, offset: usize, cluster: &'c str) -> &'c str {
        let is_bad =
            u32::try_from(offset).is_ok_and(|offset| self.source.is_bad_byte(self.span.start + offset));
        if is_bad { "\u{fffd}" } else { cluster }
    }

    /// Where to begin showing the line so that the beginning of its mark is within `cells`.
    fn window(&self, charset: Charset, cells: usize) -> usize {
        let (from, _) = self.mark.unwrap_or_default();
        let fits = |text: &str, cells: usize| {
            text.len() <= cells * BYTES_PER_CELL && charset.width_of(text) <= cells
        };
        if fits(self.text, cells) || fits(&self.text[..from], cells * 2 / 3) {
            return 0;
        }
        let mut lead = cells / 3;
        let mut start = from;
        for (offset, c) in self.text[..from].char_indices().rev() {
            let width = charset.width_of(&self.text[offset..offset + c.len_utf8()]);
            if width > lead {
                break;
            }
            lead -= width;
            start = offset;
        }
        start
    }
}

fn write_line(line: &Line<'_>, gutter: usize, page: &mut Page<'_>) {
    // Beside the number are three blanks, a bar, and at the end of a cut line three dots.
    let cells = page.width.saturating_sub(gutter + 7).max(16);
    let start = line.window(page.charset, cells);
    let (ellipsis, n_dots) = if page.charset == Charset::Unicode { ("…", 1) } else { ("...", 3) };
    let mut text = String::new();
    let mut carets = String::new();
    let mut used = 0;
    if start > 0 {
        text.push_str(ellipsis);
        used = n_dots;
        carets.push_str(&" ".repeat(n_dots));
    }
    let mut end = start;
    let readable = &line.text[start..];
    let readable = &readable[..readable.floor_char_boundary(cells * BYTES_PER_CELL)];
    for (offset, cluster) in readable.grapheme_indices(true) {
        let before = text.len();
        let width = page.charset.push_cluster(line.quoted(start + offset, cluster), &mut text);
        if used + width > cells {
            text.truncate(before);
            break;
        }
        let marked = line.mark.is_some_and(|(from, to)| {
            let at = start + offset;
            at < to && at + cluster.len() > from || at == from && from == to
        });
        carets.push_str(&if marked { "^" } else { " " }.repeat(width));
        used += width;
        end = start + offset + cluster.len();
    }
    if end < line.text.len() {
        text.push_str(ellipsis);
    } else if line.mark.is_some_and(|(from, _)| from >= line.text.len()) {
        carets.push('^');
    }
    page.gutter(gutter, Some(line.number));
    page.text(if line.mark.is_some() { Ink::Plain } else { Ink::Faint }, &format!(" {text}"));
    page.end_line();
    if line.mark.is_some() {
        page.gutter(gutter, None);
        page.text(Ink::Alarm, &format!(" {}", carets.trim_end()));
        page.end_line();
    }
}
