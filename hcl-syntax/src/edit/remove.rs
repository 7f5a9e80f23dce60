//! Removing: what goes with an item, and blocks that become one line again.

use super::address::Address;
use super::find::Found;
use super::layout::{OneLine, is_closing};
use super::work::{Edits, Work};
use super::{Document, Reach, Replacement};
use crate::ast::Block;
use crate::diagnostic::Error;
use crate::limits::Watch;
use crate::sorting::sort_by_on;
use crate::source::Span;
use crate::token::{Token, TokenKind};

impl Document {
    /// Removes everything that an address names, with the comments that belong to it. Of empty lines that then meet
    /// one goes too.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "a = 1\n# Of b\nb = 2\nc = 3\n")?;
    /// assert_eq!(document.remove(&"b".parse()?, Reach::One)?, 1);
    /// assert_eq!(document.text(), "a = 1\nc = 3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The address names nothing or several places. The document is as before.
    pub fn remove(&mut self, address: &Address, reach: Reach) -> Result<usize, Error> {
        let watch = Watch::new(&self.limits);
        let (edited, n_removed) = self.work(&self.limits, &watch)?.removed(address, reach)?;
        self.take(edited);
        Ok(n_removed)
    }
}

impl Work<'_, '_> {
    /// [`Document::remove`]
    pub(super) fn removed(&self, address: &Address, reach: Reach) -> Result<(Document, usize), Error> {
        let found = self.targets(address, reach)?;
        let items: Vec<Span> = found.iter().map(|found| found.span()).collect();
        let mut removals: Vec<Span> = Vec::new();
        for mut span in self.removals(&found)? {
            // Neighbours that go both may each claim what stands between them.
            if let Some(last) = removals.last() {
                span.start = span.start.max(last.end).min(span.end.max(last.end));
                span.end = span.end.max(span.start);
            }
            removals.push(span);
        }
        if let Some(closed) = self.closed(&items, &removals)? {
            let closed = self.applied(closed);
            self.go_on()?;
            // A value that has been set since may need several lines.
            if let Ok(document) = closed {
                return Ok((document, found.len()));
            }
        }
        let mut edits = self.edits();
        for span in removals {
            edits.push(&Replacement { span, text: Vec::new() })?;
        }
        Ok((self.applied(edits)?, found.len()))
    }

    /// The spans that go with items. Items in lines of their own, with nothing but empty lines between, go as one, so that
    /// they leave no more of these than one item does.
    fn removals(&self, found: &[Found<'_>]) -> Result<Vec<Span>, Error> {
        let layout = self.layout();
        let lines_of = |found: Found<'_>| match found {
            Found::Element { .. } => None,
            _ => layout.lines_of(found.span()),
        };
        let mut spans = Vec::new();
        let mut found = found.iter().copied().peekable();
        while let Some(first) = found.next() {
            self.go_on()?;
            let Some(mut lines) = lines_of(first) else {
                spans.push(self.removal(first));
                continue;
            };
            while let Some(next) = found.peek().and_then(|next| lines_of(*next))
                && next.start >= lines.end
                && layout
                    .tokens_in(Span::new(lines.end, next.start))
                    .iter()
                    .all(|token| token.kind == TokenKind::Newline && layout.goes_on())
            {
                lines = lines.to(next);
                found.next();
            }
            spans.push(layout.without_gap(lines));
        }
        Ok(spans)
    }

    /// The removals of items where blocks close that were in one line before something was put in; nothing if no
    /// block does.
    fn closed(&self, items: &[Span], removals: &[Span]) -> Result<Option<Edits<'_>>, Error> {
        let mut closings = self.edits();
        let mut interiors: Vec<Span> = Vec::new();
        let mut bodies = vec![self.file().body()];
        while let Some(body) = bodies.pop() {
            for block in body.blocks() {
                self.go_on()?;
                bodies.push(block.body());
                let interior = Span::new(block.open_span().end, block.close_span().start);
                let first = items.partition_point(|item| item.start < interior.start);
                if items.get(first).is_some_and(|item| item.end <= interior.end)
                    && let Some(closing) = self.closing(block, interior, items, removals)
                {
                    closings.extend(closing)?;
                    interiors.push(interior);
                }
            }
        }
        if interiors.is_empty() {
            return Ok(None);
        }
        let order = |a: &Span, b: &Span| a.start.cmp(&b.start);
        sort_by_on(&mut interiors, order, |n| self.watch.count(n))
            .map_err(|stopped| self.stopped(stopped))?;
        for &span in removals {
            let behind = interiors.partition_point(|interior| interior.start <= span.start);
            if behind == 0 || interiors[behind - 1].end < span.end {
                closings.push(&Replacement { span, text: Vec::new() })?;
            }
        }
        Ok(Some(closings))
    }

    /// How a block becomes one line, if it was one and nothing is left in it but an attribute as it was put in a line
    /// of its own, or nothing at all.
    fn closing(
        &self,
        block: Block<'_>,
        interior: Span,
        items: &[Span],
        removals: &[Span],
    ) -> Option<Vec<Replacement>> {
        let layout = self.layout();
        let form = OneLine::of(layout, block)?;
        let is_left = |span: Span| items.binary_search_by_key(&span.start, |item| item.start).is_err();
        if block.body().blocks().any(|inner| !layout.goes_on() || is_left(inner.span())) {
            return None;
        }
        let attributes = block.body().attributes().take_while(|_| layout.goes_on());
        let mut left = attributes.filter(|attribute| is_left(attribute.span()));
        let only = left.next();
        if left.next().is_some() {
            return None;
        }
        let is_removed = |at: u32| {
            let behind = removals.partition_point(|removal| removal.start <= at);
            behind > 0 && at < removals[behind - 1].end
        };
        let tokens = layout.tokens_in(Span::new(form.kept.end, interior.end)).iter();
        let tokens = tokens.take_while(|_| layout.goes_on()).filter(|token| !is_removed(token.span.start));
        let tokens: Vec<Token> = tokens.copied().collect();
        // The line of the brace.
        let [Token { kind: TokenKind::Newline, .. }, rest @ ..] = tokens.as_slice() else { return None };
        let mark = form.kept.end;
        let Some(only) = only else {
            let span = Span::new(mark, interior.end);
            return rest.is_empty().then(|| vec![Replacement { span, text: Vec::new() }]);
        };
        let (value, behind) = rest.split_at(rest.partition_point(|token| token.span.start < only.span().end));
        let (newline, comments) = behind.split_last()?;
        let begins = value.first().is_some_and(|first| first.span.start == only.span().start);
        let ends = value.last().is_some_and(|last| last.kind != TokenKind::CloseHeredoc)
            && newline.kind == TokenKind::Newline
            && comments.iter().all(|comment| comment.kind == TokenKind::Comment);
        if !begins || !ends {
            return None;
        }
        let end = match form.is_usual {
            true => Replacement {
                span: Span::new(only.span().end, interior.end),
                text: OneLine::USUAL_GAP.as_bytes().to_vec(),
            },
            false => Replacement { span: Span::new(newline.span.start, interior.end), text: Vec::new() },
        };
        if form.is_usual && !comments.is_empty() {
            return None;
        }
        Some(vec![Replacement { span: Span::new(mark, only.span().start), text: Vec::new() }, end])
    }

    /// The bytes that go when an item is removed.
    pub(super) fn removal(&self, found: Found<'_>) -> Span {
        let layout = self.layout();
        let item = found.span();
        match (layout.lines_of(item), found) {
            (Some(lines), Found::Element { .. }) => match layout.comma_behind(item.end) {
                Some(comma) if layout.token(comma).span.start >= lines.end => {
                    let comma = layout.token(comma).span;
                    match layout.end_of_line(comma.end) {
                        Some(end) => layout.without_gap(Span::new(lines.start, end)),
                        None => self.removal_from_list(item),
                    }
                }
                _ => layout.without_gap(lines),
            },
            (Some(lines), _) => layout.without_gap(lines),
            // The attribute of a block in one line: nothing else but comments stands between the braces.
            (None, Found::Attribute(_) | Found::Block(_)) => self.removal_from_line(item),
            (None, _) => self.removal_from_list(item),
        }
    }

    /// The removal of something from braces in one line: a blank on each side too, or before a comment that
    /// stays, one of them.
    fn removal_from_line(&self, item: Span) -> Span {
        let layout = self.layout();
        let source = self.source();
        let first = layout.token_at(item.start);
        let before = layout
            .before(first)
            .unwrap_or(Token { kind: TokenKind::EndOfFile, span: Span::empty_at(item.start) });
        let end = layout.end_of_heredoc(item.end).unwrap_or(item.end);
        let next = layout.token(layout.token_at(end));
        let is_blank = |gap: Span| source.slice(gap).starts_with([' ', '\t']);
        let mut span = Span::new(item.start, end);
        if is_blank(Span::new(before.span.end.min(item.start), item.start)) {
            span.start -= 1;
        }
        let is_alone = before.kind != TokenKind::Comment && next.kind != TokenKind::Comment;
        if is_alone && end == item.end && is_blank(Span::new(end, next.span.start.max(end))) {
            span.end += 1;
        }
        span
    }

    /// The bytes that go when a key or an element is removed from a line that it shares: the comma behind it too, or if there
    /// is none, that before it.
    fn removal_from_list(&self, item: Span) -> Span {
        let layout = self.layout();
        let first = layout.token_at(item.start);
        let before = layout.before(first).map_or(item.start, |before| before.span.end);
        let follows_comma = layout.before(first).is_some_and(|before| before.kind == TokenKind::Comma);
        if let Some(comma) = layout.comma_behind(item.end) {
            let after = layout.token(comma + 1);
            let comma = layout.token(comma).span;
            // Behind the last one nothing changes.
            return if layout.ends_line(after) || follows_comma && layout.closes_behind(comma.end) {
                Span::new(before, comma.end)
            } else {
                Span::new(item.start, after.span.start)
            };
        }
        // The newline of a heredoc at the end goes with it.
        let (behind, _) = layout.behind_in_line(item.end);
        let end = layout.end_of_heredoc(item.end).unwrap_or(behind);
        let next = layout.token(layout.token_at(end));
        match layout.before(first) {
            Some(comma) if comma.kind == TokenKind::Comma => {
                if !layout.closes_behind(end) {
                    return Span::new(comma.span.start, behind);
                }
                let gap = Span::new(comma.span.end, item.start);
                let is_kept = end > behind && self.source().slice(gap) == "  ";
                Span::new(if is_kept { gap.start } else { comma.span.start }, end)
            }
            _ if is_closing(next.kind) => self.removal_from_line(item),
            _ if layout.ends_line(layout.token(layout.token_at(item.end))) => Span::new(before, item.end),
            _ => Span::new(before, layout.token(layout.token_at(item.end)).span.start),
        }
    }
}
