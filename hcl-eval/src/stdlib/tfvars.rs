//! The functions of Terraform's built-in provider: values as source text and back.
//!
//! Both writers put the source together with few blanks and have the formatter lay it out, so that it looks as `hcl
//! fmt` would leave it.

use std::iter;

use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::escape::write_escaped;
use hcl_syntax::format::{FormatError, FormatStyle, format_with};
use hcl_syntax::lexer::is_identifier;
use hcl_syntax::parser::parse_file;
use hcl_syntax::source::Source;

use super::support::{
    Outcome, embedded, fail, function, goes_on, long_text, parse_limits, places, shown, text, unknown,
    unless_stopped,
};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::stack;
use crate::types::Type;
use crate::value::string::{STRETCH, stretches};
use crate::value::{Kind, Value};

/// How messages name the text of variables.
const TEXT_NAME: &str = "<decode_tfvars argument>";

/// How many bytes a byte of a text takes at most in a quoted template.
const MOST_ESCAPED: usize = 6;

/// `provider::terraform::encode_expr(value)`
pub(crate) fn encode_expr() -> Function {
    const NAME: &str = "value = ";
    function("encode_expr", "Writes a value as an expression that gives it again.")
        .parameter(whole_value("The value."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let Some(value) = known(args) else { return Ok(unknown(Type::String)) };
            let mut source = Writer::new(invocation, NAME);
            source.value(value)?;
            let laid_out = source.laid_out()?;
            // Blanks are laid out by the line, so it is made the line of an argument.
            long_text(invocation, laid_out.strip_prefix(NAME).unwrap_or(&laid_out).trim_end())
        })
}

/// `provider::terraform::encode_tfvars(value)`
pub(crate) fn encode_tfvars() -> Function {
    function("encode_tfvars", "Writes the attributes of an object as a file of variables.")
        .parameter(whole_value("An object or a map; its keys become names of variables."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let Some(value) = known(args) else { return Ok(unknown(Type::String)) };
            let Some(entries) = value.entries() else {
                return fail("the value must be an object or a map, whose keys become names of variables");
            };
            let mut source = Writer::new(invocation, "");
            for (name, value) in entries {
                if !is_identifier(name) {
                    return fail(format!(
                        "{:?} is no name for a variable: it must start with a letter or an underscore, and letters, \
                         digits, underscores and dashes may follow",
                        shown(name)
                    ));
                }
                source.argument(name, value)?;
            }
            let laid_out = source.laid_out()?;
            long_text(invocation, &laid_out)
        })
}

/// `provider::terraform::decode_tfvars(src)`
pub(crate) fn decode_tfvars() -> Function {
    Function::new("decode_tfvars", "Reads a file of variables into an object.")
        .parameter(Parameter::new("src", Type::String).described("The text of the file.").allow_marked())
        .implementation(|invocation, args| {
            let Some(src) = args.first() else { return fail("a text is required") };
            let told = if src.is_marked() { places } else { embedded };
            Ok(decode(invocation, text(args, 0), told)?.with_marks(src.marks()))
        })
}

/// Reads a file of attributes without blocks. Their expressions are evaluated without a scope: neither variables nor
/// functions. `told` words the errors in the text.
fn decode(invocation: &mut Invocation<'_>, src: &str, told: fn(&Diagnostics) -> String) -> Outcome {
    invocation.charge_steps(src.len() as u64)?;
    invocation.meter().hold_reading(src)?;
    let source = Source::new(TEXT_NAME, src).map_err(|error| FunctionError::new(error.to_string()))?;
    // Parsing finds them without a look at memory.
    invocation.meter().find_lines(&source)?;
    let (file, diagnostics) = parse_file(source, &parse_limits(invocation));
    goes_on(invocation, &diagnostics)?;
    if has_errors(&diagnostics) {
        return fail(format!("the text is no file of variables: {}", told(&diagnostics)));
    }
    if let Some(block) = file.body().blocks().next() {
        let place = file.source().range(block.definition_span());
        return fail(format!("a file of variables has no blocks, but there is one at {place}"));
    }
    let written = file.body().attributes();
    invocation.charge_elements(written.len())?;
    let mut attributes: Vec<(Str, Value)> = invocation.room(written.len())?;
    for attribute in written {
        let (value, diagnostics) = invocation.evaluate(attribute.expression(), None);
        goes_on(invocation, &diagnostics)?;
        if has_errors(&diagnostics) {
            return fail(format!("a value is not valid: {}", told(&diagnostics)));
        }
        if attribute.name().len() > STRETCH {
            invocation.meter().hold_copy(attribute.name().len())?;
        }
        attributes.push((attribute.name().into(), value));
    }
    Ok(Value::object_on(attributes, &mut Some(invocation.meter()))?)
}

/// A parameter for values that may be unknown, whatever their type.
fn whole_value(description: &'static str) -> Parameter {
    Parameter::new("value", Type::Dynamic).described(description).allow_unknown().allow_dynamic()
}

/// The argument, if all of it is known.
fn known(args: &[Value]) -> Option<&Value> {
    args.first().filter(|value| value.is_wholly_known())
}

/// Source text under way. Blanks are laid out at the end; indentation is there before, so that they don't become many more.
struct Writer<'i, 'a> {
    invocation: &'i mut Invocation<'a>,
    out: String,
    /// How many records are open.
    level: usize,
}

impl<'i, 'a> Writer<'i, 'a> {
    fn new(invocation: &'i mut Invocation<'a>, start: &str) -> Self {
        Self { invocation, out: start.to_owned(), level: 0 }
    }

    /// A line that gives something a name.
    fn argument(&mut self, name: &str, value: &Value) -> Result<(), FunctionError> {
        self.room(name.len())?;
        self.out.push_str(name);
        self.out.push_str(" = ");
        self.value(value)?;
        self.out.push('\n');
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Result<(), FunctionError> {
        let before = self.out.len();
        match value.kind() {
            Kind::List | Kind::Set | Kind::Tuple => return self.sequence(value),
            Kind::Map | Kind::Object => return self.record(value),
            Kind::Null => self.out.push_str("null"),
            Kind::String => return self.text(value.as_str().unwrap_or_default()),
            Kind::Bool if value.as_bool() == Some(true) => self.out.push_str("true"),
            Kind::Bool => self.out.push_str("false"),
            Kind::Number => {
                if let Some(number) = value.as_number() {
                    let bound = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
                    self.invocation.meter().hold(bound)?;
                    number.write_text_within(&mut self.out, &mut Some(self.invocation.meter()))?;
                }
            }
            Kind::Capsule | Kind::Unknown => {
                return fail("the value has parts that cannot be written as source");
            }
        }
        self.invocation.charge_bytes(self.out.len() - before)
    }

    /// Makes room for `more` bytes, which the limits are asked for.
    #[expect(clippy::disallowed_methods, reason = "the limits have been asked")]
    fn room(&mut self, more: usize) -> Result<(), FunctionError> {
        let capacity = self.out.capacity();
        if more > capacity - self.out.len() {
            self.invocation.meter().hold(more.max(capacity))?;
            self.out.reserve(more);
        }
        Ok(())
    }

    /// A text, charged for stretch by stretch.
    fn text(&mut self, text: &str) -> Result<(), FunctionError> {
        self.out.push('"');
        let mut rest = stretches(text).peekable();
        while let Some(stretch) = rest.next() {
            // Asked for only where the text grows, and charged for when its length is known.
            self.room(MOST_ESCAPED * stretch.len())?;
            let before = self.out.len();
            let next = rest.peek().and_then(|stretch| stretch.chars().next());
            write_escaped(stretch, next, &mut self.out);
            self.invocation.charge_bytes(self.out.len() - before)?;
        }
        self.out.push('"');
        self.invocation.charge_bytes(2)
    }

    /// Writes a list, set or tuple in one line; what it was of these is lost.
    fn sequence(&mut self, value: &Value) -> Result<(), FunctionError> {
        self.out.push('[');
        let elements = value.elements().unwrap_or_default();
        for (position, element) in elements.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.nested(element)?;
        }
        self.out.push(']');
        Ok(())
    }

    /// Writes a map or an object, a line for each entry. Keys that are no identifiers are quoted.
    fn record(&mut self, value: &Value) -> Result<(), FunctionError> {
        if value.len() == Some(0) {
            self.out.push_str("{}");
            return Ok(());
        }
        self.out.push_str("{\n");
        self.level += 1;
        for (name, value) in value.entries().into_iter().flatten() {
            self.indent()?;
            match is_identifier(name) {
                true => {
                    self.room(name.len())?;
                    self.out.push_str(name);
                }
                false => self.text(name)?,
            }
            self.out.push_str(" = ");
            self.nested(value)?;
            self.out.push('\n');
        }
        self.level -= 1;
        self.indent()?;
        self.out.push('}');
        Ok(())
    }

    /// Indents a line by two blanks for each open record.
    fn indent(&mut self) -> Result<(), FunctionError> {
        self.invocation.charge_bytes(2 * self.level)?;
        self.out.extend(iter::repeat_n("  ", self.level));
        Ok(())
    }

    /// Writes a value inside another, which may be nested deeper than the stack.
    fn nested(&mut self, value: &Value) -> Result<(), FunctionError> {
        self.invocation.charge_elements(1)?;
        stack::grow(value.depth(), || self.value(value))
    }

    /// Ends the source, formatted.
    fn laid_out(self) -> Result<String, FunctionError> {
        self.invocation.meter().hold_reading(&self.out)?;
        // The text that is read, what it is laid out as, and a copy of that.
        self.invocation.meter().hold_parts(self.out.len(), 3)?;
        let limits = parse_limits(self.invocation);
        let laid_out = format_with(TEXT_NAME, self.out.as_bytes(), FormatStyle::Hcl, &limits);
        let stopped = match laid_out {
            Err(FormatError::Stopped(stopped)) => Some(stopped),
            _ => None,
        };
        unless_stopped(self.invocation, stopped)?;
        let laid_out = laid_out.map_err(|error| FunctionError::new(error.to_string()))?;
        self.invocation.charge_bytes(laid_out.len())?;
        String::from_utf8(laid_out).map_err(|error| FunctionError::new(error.to_string()))
    }
}
