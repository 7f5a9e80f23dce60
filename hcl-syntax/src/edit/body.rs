//! Bodies that are written, not parsed: attributes, blocks and comments, one after the other.

use super::blocks::block_header;
use super::comments::lead_comment;
use super::{Document, NewExpression, error};
use crate::diagnostic::Error;
use crate::format::{FormatStyle, format};
use crate::lexer::is_identifier;
use crate::limits::Watch;
use crate::parser::ParseLimits;

/// The text of a body, or of a whole file, built of parts. [`text`](NewBody::text) gives it in its canonical form, as
/// [`Document::append`](super::Document::append) takes it. An empty line stands before and behind each block.
///
/// ```
/// use hcl_syntax::edit::{NewBody, NewExpression};
///
/// let service = NewBody::new()
///     .attribute("port", NewExpression::integer(80))
///     .attribute("host", NewExpression::traversal("var.host")?)
///     .block("health", &[], NewBody::new().attribute("path", NewExpression::string("/up")));
/// let file = NewBody::new().comment("Made by the deployment.").block("service", &["web"], service);
/// assert_eq!(
///     file.text()?,
///     r#"# Made by the deployment.
/// service "web" {
///   port = 80
///   host = var.host
///
///   health {
///     path = "/up"
///   }
/// }
/// "#
/// );
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct NewBody {
    text: String,
    last: Last,
    problem: Option<Error>,
}

/// The item at the end of a body.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Last {
    #[default]
    Nothing,
    Attribute,
    Block,
    Comment,
}

impl NewBody {
    /// An empty body.
    pub fn new() -> Self {
        Self::default()
    }

    /// True if the body has no attribute, block or comment.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds an attribute. A name that is no identifier is an error of [`text`](NewBody::text).
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "an expression is built where it is given away")]
    pub fn attribute(mut self, name: &str, value: NewExpression) -> Self {
        self.refuse_unless_identifier(name);
        if self.last == Last::Block {
            self.text.push('\n');
        }
        self.text.push_str(name);
        self.text.push_str(" = ");
        self.text.push_str(value.raw().trim_end_matches('\n'));
        self.end(Last::Attribute)
    }

    /// Adds a block with labels. A type that is no identifier is an error of [`text`](NewBody::text), as are those of
    /// the block's own body.
    #[must_use]
    pub fn block(mut self, block_type: &str, labels: &[&str], body: Self) -> Self {
        self.refuse_unless_identifier(block_type);
        self.problem = self.problem.take().or(body.problem);
        if !matches!(self.last, Last::Nothing | Last::Comment) {
            self.text.push('\n');
        }
        self.text.push_str(&block_header(block_type, labels, &Watch::idle()));
        self.text.push_str(if body.text.is_empty() { " {" } else { " {\n" });
        self.text.push_str(&body.text);
        self.text.push('}');
        self.end(Last::Block)
    }

    /// Adds a comment in lines of its own, above the next item. A text without the signs of a comment gets a `#` in
    /// each line.
    #[must_use]
    pub fn comment(mut self, text: &str) -> Self {
        match lead_comment(text, &ParseLimits::default()) {
            Ok(lines) if lines.is_empty() => return self,
            Ok(lines) => {
                if !matches!(self.last, Last::Nothing | Last::Comment) {
                    self.text.push('\n');
                }
                self.text.push_str(&lines);
            }
            Err(problem) => self.problem = self.problem.take().or(Some(problem)),
        }
        self.end(Last::Comment)
    }

    fn end(mut self, last: Last) -> Self {
        self.text.push('\n');
        self.last = last;
        self
    }

    fn refuse_unless_identifier(&mut self, name: &str) {
        if !is_identifier(name) && self.problem.is_none() {
            self.problem = Some(error::no_name(name).into());
        }
    }

    /// The body in its canonical form.
    ///
    /// # Errors
    /// The first wrong name of an attribute or block type; an attribute stands there twice; the text would be too
    /// long.
    pub fn text(&self) -> Result<String, Error> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let formatted = format("body", self.text.as_bytes(), FormatStyle::Hcl);
        let formatted = formatted.map_err(|_| error::refused(None))?;
        Ok(Document::parse("body", formatted)?.text().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::NewBody;
    use crate::edit::{Document, NewExpression};

    #[test]
    fn items_keep_their_distance_and_the_document_takes_them() {
        let body = NewBody::new()
            .comment("first")
            .comment("second\n  third")
            .attribute("a", NewExpression::parse("<<E\n x\nE\n").unwrap())
            .block("empty", &["a\"b", "${c}"], NewBody::new())
            .attribute("long", NewExpression::tuple([NewExpression::bool(true)]))
            .comment("// slashes")
            .block("b", &[], NewBody::new().block("c", &[], NewBody::new()));
        let expected = "# first\n# second\n#   third\na = <<E\n x\nE\n\nempty \"a\\\"b\" \"$${c}\" {}\n\nlong = [true]\n\n// slashes\nb {\n  c {}\n}\n";
        assert_eq!(body.text().unwrap(), expected);
        let mut document = Document::new("main.hcl");
        document.append(None, &body.text().unwrap()).unwrap();
        assert_eq!(document.text(), expected);
        assert!(NewBody::new().is_empty() && NewBody::new().text().unwrap().is_empty());
    }

    #[test]
    fn the_first_wrong_name_is_told() {
        let inner = NewBody::new().attribute("a b", NewExpression::null());
        let body = NewBody::new().block("x", &[], inner).block("y z", &[], NewBody::new());
        let problem = body.text().unwrap_err();
        assert!(problem.to_string().contains("a b"), "{problem}");
        let twice =
            NewBody::new().attribute("a", NewExpression::null()).attribute("a", NewExpression::null());
        assert_eq!(twice.text().unwrap_err().diagnostics()[0].code, "parse.attribute_redefined");
    }
}
