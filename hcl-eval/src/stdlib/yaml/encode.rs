//! Writing YAML: block style, texts and keys in double quotes or as literal blocks.
//!
//! A text that does not fit on its line goes on in the next one, where a single space allows it. The layout is that
//! of libyaml's emitter, whose port the reference uses, and so are the three things it keeps in mind while it writes:
//! the column, if white space was written last, and if the line has only indentation so far.

use std::fmt::Write;

use super::cursor::is_break;
use crate::function::{FunctionError, Invocation};
use crate::limits::{BYTES_PER_PART, LimitReached};
use crate::value::string::stretches;
use crate::value::{Kind, Number, Value};

/// Lines with double quotes are folded beyond this column.
const WIDTH: usize = 80;
/// The byte order mark.
const MARK: char = '\u{feff}';
/// Longer keys are written behind a question mark.
const LONGEST_SIMPLE_KEY: usize = 128;
/// Room for a scalar that is no text, with its indentation.
const ROOM: usize = 256;
/// The columns that each level is indented by.
const STEP: usize = 2;

/// The outcome of writing: an error is a limit, or a value that has no form in YAML.
type Written = Result<(), FunctionError>;

/// The value as a YAML document.
pub(super) fn encode(invocation: &mut Invocation<'_>, value: &Value) -> Result<String, FunctionError> {
    let mut emitter = Emitter {
        invocation,
        out: String::new(),
        charged: 0,
        column: 0,
        at_space: true,
        only_indented: true,
    };
    emitter.node(value, Place::default())?;
    emitter.line(0);
    if is_plain(value) {
        // A plain scalar that is the whole document has to be ended.
        emitter.out.push_str("...\n");
    }
    emitter.charge()?;
    Ok(emitter.out)
}

/// Returns whether the value is written as a word without quotes.
fn is_plain(value: &Value) -> bool {
    matches!(value.kind(), Kind::Null | Kind::Bool | Kind::Number)
}

/// Where a node stands.
#[derive(Copy, Clone, Default)]
struct Place {
    /// The indentation of what surrounds it; `None` for the document.
    indent: Option<usize>,
    /// True if the node is the value, or the long key, of a mapping.
    in_mapping: bool,
    /// True if the node is a key that stands on one line with its value.
    is_key: bool,
}

impl Place {
    /// The indentation of the parts of the node.
    fn deeper(self) -> usize {
        self.indent.map_or(0, |indent| indent + STEP)
    }
}

/// A document under way.
struct Emitter<'i, 'm> {
    invocation: &'i mut Invocation<'m>,
    out: String,
    /// How much of the output has been charged.
    charged: usize,
    /// In code points.
    column: usize,
    /// True if the last thing written was white space.
    at_space: bool,
    /// True if the line has nothing but white space and the indicators `-`, `?` and `:`.
    only_indented: bool,
}

impl Emitter<'_, '_> {
    /// Charges for the text that has been written since the last charge.
    fn charge(&mut self) -> Written {
        let new = self.out.len() - self.charged;
        self.charged = self.out.len();
        self.invocation.charge_bytes(new)
    }

    /// Makes room for a scalar and what stands before it, of which a text with escapes takes most.
    fn make_room(&mut self, text: &str) -> Written {
        let room = text.len().saturating_mul(4).saturating_add(ROOM);
        if room > self.out.capacity() - self.out.len() {
            self.invocation.meter().hold(room.max(self.out.capacity()))?;
        }
        self.out.try_reserve(room).map_err(|_| LimitReached::OutOfMemory.into())
    }

    fn push(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn line_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
    }

    /// Goes to the given column, of the next line if there is something on this one already.
    fn line(&mut self, indent: usize) {
        if !self.only_indented || self.column > indent || (self.column == indent && !self.at_space) {
            self.line_break('\n');
        }
        while self.column < indent {
            self.push(' ');
        }
        self.at_space = true;
        self.only_indented = true;
    }

    /// A space where there is none yet, and a sign.
    fn spaced(&mut self, sign: &str, keeps_indentation: bool) {
        if !self.at_space {
            self.push(' ');
        }
        self.joined(sign, keeps_indentation);
    }

    /// A sign right behind what is there.
    fn joined(&mut self, sign: &str, keeps_indentation: bool) {
        self.out.push_str(sign);
        self.column += sign.chars().count();
        self.at_space = false;
        self.only_indented &= keeps_indentation;
    }

    fn node(&mut self, value: &Value, place: Place) -> Written {
        self.invocation.charge_steps(1)?;
        self.make_room("")?;
        match value.kind() {
            Kind::Null => self.plain("null"),
            Kind::Bool => self.plain(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Number => self.number(value.as_number().unwrap_or(&Number::from_i64(0)))?,
            Kind::String => self.text(value.as_str().unwrap_or(""), place)?,
            Kind::List | Kind::Set | Kind::Tuple => {
                return crate::stack::grow(value.depth(), || self.sequence(value, place));
            }
            Kind::Map | Kind::Object => {
                return crate::stack::grow(value.depth(), || self.mapping(value, place));
            }
            Kind::Capsule | Kind::Unknown => {
                let problem = format!("{} has no form in YAML", value.type_name());
                return Err(FunctionError::argument(0, problem));
            }
        }
        self.charge()
    }

    fn plain(&mut self, word: &str) {
        self.spaced(word, false);
    }

    /// Writes a number with all its digits, as the language writes it.
    fn number(&mut self, number: &Number) -> Written {
        if number.is_big() {
            let bound = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
            self.invocation.charge_bytes(bound)?;
        }
        let mut text = String::new();
        number.write_text_within(&mut text, &mut Some(self.invocation.meter()))?;
        self.plain(&text);
        Ok(())
    }

    /// Writes a sequence, whose dashes begin lines but for the first one, which may follow another dash.
    fn sequence(&mut self, value: &Value, place: Place) -> Written {
        let elements = value.elements().unwrap_or(&[]);
        if elements.is_empty() {
            self.spaced("[]", false);
            return self.charge();
        }
        // Below a key the dashes stand right under it.
        let flush = place.in_mapping && !self.only_indented;
        let indent = if flush { place.indent.unwrap_or(0) } else { place.deeper() };
        for element in elements {
            self.line(indent);
            self.spaced("-", true);
            self.node(element, Place { indent: Some(indent), ..Place::default() })?;
        }
        Ok(())
    }

    /// Writes a mapping. A key that is too long, or has line ends, stands behind a question mark.
    fn mapping(&mut self, value: &Value, place: Place) -> Written {
        let mut entries = value.entries().into_iter().flatten().peekable();
        if entries.peek().is_none() {
            self.spaced("{}", false);
            return self.charge();
        }
        let indent = place.deeper();
        let inside = Place { indent: Some(indent), in_mapping: true, is_key: false };
        for (key, element) in entries {
            self.line(indent);
            if key.len() <= LONGEST_SIMPLE_KEY && !key.contains(is_break) {
                self.text(key, Place { is_key: true, ..inside })?;
                self.joined(":", false);
            } else {
                self.spaced("?", true);
                self.text(key, inside)?;
                self.line(indent);
                self.spaced(":", true);
            }
            self.node(element, inside)?;
        }
        Ok(())
    }

    /// Writes a text, a key always in double quotes if it stands on one line with its value.
    fn text(&mut self, text: &str, place: Place) -> Written {
        self.make_room(text)?;
        let indent = place.indent.map_or(STEP, |indent| indent + STEP);
        match !place.is_key && self.fits_a_block(text)? {
            true => self.literal(text, indent),
            false => self.double_quoted(text, indent, !place.is_key),
        }
    }

    /// Returns true if a literal block can say it: it has lines, all of it is printable, and no line ends in a space.
    fn fits_a_block(&mut self, text: &str) -> Result<bool, FunctionError> {
        let (mut has_lines, mut after_space) = (false, false);
        for stretch in stretches(text) {
            self.invocation.go_on(stretch.len() / BYTES_PER_PART)?;
            for c in stretch.chars() {
                if !is_printable(c) || (is_break(c) && after_space) {
                    return Ok(false);
                }
                has_lines |= c == '\n';
                after_space = c == ' ';
            }
        }
        Ok(has_lines && !after_space)
    }

    /// Writes a text as a literal block. A digit tells the indentation where the text itself begins with white space;
    /// a sign tells if it ends in no line end, or in several.
    fn literal(&mut self, text: &str, indent: usize) -> Written {
        self.spaced("|", false);
        if text.starts_with([' ']) || text.starts_with(is_break) {
            self.joined("2", false);
        }
        let mut from_end = text.chars().rev();
        match (from_end.next().is_some_and(is_break), from_end.next()) {
            (false, _) => self.joined("-", false),
            (true, Some(c)) if !is_break(c) => {}
            (true, _) => self.joined("+", false),
        }
        self.line_break('\n');
        self.only_indented = true;
        self.at_space = true;
        let mut starts = true;
        for c in text.chars() {
            self.invocation.go_on(1)?;
            if is_break(c) {
                self.line_break(c);
                self.only_indented = true;
                starts = true;
                continue;
            }
            if starts {
                self.line(indent);
            }
            self.push(c);
            self.only_indented = false;
            starts = false;
        }
        Ok(())
    }

    /// Writes a text in double quotes. Lines that are too long are folded at a space; a space that follows is
    /// escaped, which keeps it from being taken for indentation.
    fn double_quoted(&mut self, text: &str, indent: usize, may_fold: bool) -> Written {
        self.spaced("\"", false);
        let mut after_space = false;
        let mut chars = text.chars().peekable();
        let mut first = true;
        // As in the reference, a byte order mark at the start makes all that follows unprintable.
        let has_mark = text.starts_with(MARK);
        while let Some(c) = chars.next() {
            self.invocation.go_on(1)?;
            if c == ' ' && !has_mark {
                let fold = may_fold && !after_space && self.column > WIDTH && !first;
                match chars.peek() {
                    Some(&next) if fold => {
                        self.line(indent);
                        if next == ' ' {
                            self.push('\\');
                        }
                    }
                    _ => self.push(' '),
                }
                after_space = true;
            } else {
                if is_printable(c) && !matches!(c, '"' | '\\') && !is_break(c) && !has_mark {
                    self.push(c);
                } else {
                    self.escape(c);
                }
                after_space = false;
            }
            first = false;
        }
        self.joined("\"", false);
        Ok(())
    }

    /// Writes a character as an escape, the shortest that the emitter knows.
    fn escape(&mut self, c: char) {
        let short = match c {
            '\0' => "\\0",
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\u{b}' => "\\v",
            '\u{c}' => "\\f",
            '\r' => "\\r",
            '\u{1b}' => "\\e",
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{85}' => "\\N",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            _ => "",
        };
        let before = self.out.len();
        // Writing to a String cannot fail.
        let _ = match (short, u32::from(c)) {
            ("", code @ ..=0xff) => write!(self.out, "\\x{code:02X}"),
            ("", code @ ..=0xffff) => write!(self.out, "\\u{code:04X}"),
            ("", code) => write!(self.out, "\\U{code:08X}"),
            (short, _) => self.out.write_str(short),
        };
        self.column += self.out.len() - before;
    }
}

/// Returns whether a character is written as it is: no control character, no byte order mark, nothing beyond 16 bits.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}
