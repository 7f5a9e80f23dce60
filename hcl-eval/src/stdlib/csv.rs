//! `csvdecode`: comma-separated values with a header line.
//!
//! The reader is RFC 4180 as the reference reads it: lines end in LF or CR LF, empty
//! lines do not count, quotes stand only around whole fields, nothing is trimmed.

use std::borrow::Cow;

use super::support::{Outcome, fail, function, make_room, shown, text};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::LimitReached;
use crate::sorting::sort_texts_on;
use crate::types::{ObjectAttribute, Type};
use crate::value::Value;
use crate::value::string::{STRETCH, append_on, find_char_on, normalize_within};

/// `csvdecode(str)`
pub(crate) fn csvdecode() -> Function {
    function("csvdecode", "Reads comma-separated values: a list of objects with the names of the header.")
        .parameter(Parameter::new("str", Type::String).described("Records as RFC 4180 has them; the first one holds the names, all have the same number of fields."))
        .returns(Type::Dynamic)
        .implementation(|invocation, args| decode(invocation, text(args, 0)))
}

/// Reads records into objects of texts. Names may be empty; a name that occurs twice is an error.
fn decode(invocation: &mut Invocation<'_>, csv: &str) -> Outcome {
    invocation.charge_bytes(csv.len())?;
    let mut reader = Reader { rest: csv, line: 0 };
    let Some(header) = reader.record(invocation)? else { return fail("missing header line") };
    let header = texts(invocation, &header)?;
    if let Some(twice) = duplicate(invocation, &header)? {
        return fail(format!("duplicate column name {:?}", shown(twice)));
    }
    let names = header.iter().map(|name| ObjectAttribute::new(name.clone(), Type::String));
    let attributes = invocation.gather(names)?;
    let ty = Type::object_on(attributes, &mut Some(invocation.meter()))?;
    let mut rows = Vec::new();
    while let Some(record) = reader.record(invocation)? {
        if record.len() != header.len() {
            return fail(format!("CSV parse error on line {}: wrong number of fields", reader.line));
        }
        invocation.charge_elements(1 + record.len())?;
        let mut fields = invocation.room(record.len())?;
        for (name, field) in header.iter().zip(&record) {
            let field = normalize_within(field, &mut Some(invocation.meter()))?;
            fields.push((name.clone(), Value::string_nfc(field)));
        }
        invocation.meter().hold_push(&rows)?;
        rows.push(Value::object_on(fields, &mut Some(invocation.meter()))?);
    }
    Ok(Value::list_within(ty, rows, invocation.meter())?)
}

/// Fields as texts of values.
fn texts(invocation: &mut Invocation<'_>, fields: &[Cow<'_, str>]) -> Result<Vec<Str>, FunctionError> {
    let mut texts = invocation.room(fields.len())?;
    for field in fields {
        invocation.go_on(1)?;
        texts.push(normalize_within(field, &mut Some(invocation.meter()))?);
    }
    Ok(texts)
}

/// A name that occurs twice.
fn duplicate<'n>(
    invocation: &mut Invocation<'_>,
    names: &'n [Str],
) -> Result<Option<&'n Str>, FunctionError> {
    let mut sorted: Vec<&Str> = invocation.gather(names)?;
    sort_texts_on(&mut sorted, |name| name.len(), |a, b| a.cmp(b), |n| invocation.go_on(n))?;
    Ok(sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]))
}

/// Splits a text at the first of some character: the part before it, and the part behind it if there is one.
fn split_at<'t>(
    invocation: &mut Invocation<'_>,
    text: &'t str,
    separator: char,
) -> Result<(&'t str, Option<&'t str>), LimitReached> {
    Ok(match find_char_on(text, separator, &mut Some(invocation.meter()))? {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    })
}

/// Appends a part of a field, with looks at the limits if it is long.
fn push(invocation: &mut Invocation<'_>, part: &str, field: &mut String) -> Result<(), FunctionError> {
    if part.len() <= STRETCH {
        field.push_str(part);
        return Ok(());
    }
    make_room(invocation, part, field)?;
    Ok(append_on(part, field, &mut Some(invocation.meter()))?)
}

/// A text of records on the way through it.
struct Reader<'a> {
    /// The text behind the line read last.
    rest: &'a str,
    /// The number of the line read last.
    line: usize,
}

impl<'a> Reader<'a> {
    /// The next line without its end, which is LF or CR LF; nothing after the last.
    fn next_line(&mut self, invocation: &mut Invocation<'_>) -> Result<Option<&'a str>, LimitReached> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let (line, rest) = split_at(invocation, self.rest, '\n')?;
        self.rest = rest.unwrap_or("");
        Ok(Some(line.strip_suffix('\r').unwrap_or(line)))
    }

    /// The next record, which may take several lines.
    fn record(
        &mut self,
        invocation: &mut Invocation<'_>,
    ) -> Result<Option<Vec<Cow<'a, str>>>, FunctionError> {
        let mut line = loop {
            match self.next_line(invocation)? {
                None => return Ok(None),
                Some("") => invocation.go_on(1)?,
                Some(line) => break line,
            }
        };
        let mut fields = Vec::new();
        loop {
            invocation.go_on(1)?;
            invocation.meter().hold_push(&fields)?;
            let Some(quoted) = line.strip_prefix('"') else {
                let (field, after) = split_at(invocation, line, ',')?;
                if find_char_on(field, '"', &mut Some(invocation.meter()))?.is_some() {
                    return self.malformed("bare \" in non-quoted-field");
                }
                fields.push(field.into());
                match after {
                    Some(after) => line = after,
                    None => return Ok(Some(fields)),
                }
                continue;
            };
            let (field, after) = self.quoted_field(invocation, quoted)?;
            fields.push(field.into());
            match after.strip_prefix(',') {
                Some(after) => line = after,
                None if after.is_empty() => return Ok(Some(fields)),
                None => return self.malformed("extraneous or missing \" in quoted-field"),
            }
        }
    }

    /// A field from behind its opening quote, and what follows its closing one.
    fn quoted_field(
        &mut self,
        invocation: &mut Invocation<'_>,
        mut line: &'a str,
    ) -> Result<(String, &'a str), FunctionError> {
        let mut field = String::new();
        loop {
            invocation.go_on(1)?;
            match find_char_on(line, '"', &mut Some(invocation.meter()))? {
                Some(quote) => {
                    push(invocation, &line[..quote], &mut field)?;
                    let after = &line[quote + 1..];
                    match after.strip_prefix('"') {
                        Some(after) => {
                            field.push('"');
                            line = after;
                        }
                        None => return Ok((field, after)),
                    }
                }
                None => {
                    push(invocation, line, &mut field)?;
                    field.push('\n');
                    line = match self.next_line(invocation)? {
                        Some(next) => next,
                        None => return self.malformed("extraneous or missing \" in quoted-field"),
                    };
                }
            }
        }
    }

    /// An error in the line read last.
    fn malformed<T>(&self, problem: &str) -> Result<T, FunctionError> {
        fail(format!("CSV parse error on line {}: {problem}", self.line))
    }
}
