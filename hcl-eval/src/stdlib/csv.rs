//! `csvdecode`: comma-separated values with a header line.
//!
//! The reader is RFC 4180 as the reference reads it: lines end in LF or CR LF, empty
//! lines do not count, quotes stand only around whole fields, nothing is trimmed.

use super::support::{Outcome, fail, function, shown, text};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::sorting::sort_texts_on;
use crate::types::{ObjectAttribute, Type};
use crate::value::Value;

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
    let header: Vec<Str> = invocation.gather(header.into_iter().map(|name| name.as_str().into()))?;
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
        let fields = header.iter().cloned().zip(record.iter().map(Value::string));
        let fields = invocation.gather(fields)?;
        invocation.meter().hold_push(&rows)?;
        rows.push(Value::object_on(fields, &mut Some(invocation.meter()))?);
    }
    Ok(Value::list_within(ty, rows, invocation.meter())?)
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

/// A text of records on the way through it.
struct Reader<'a> {
    /// The text behind the line read last.
    rest: &'a str,
    /// The number of the line read last.
    line: usize,
}

impl<'a> Reader<'a> {
    /// The next line without its end, which is LF or CR LF; nothing after the last.
    fn next_line(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// The next record, which may take several lines.
    fn record(&mut self, invocation: &mut Invocation<'_>) -> Result<Option<Vec<String>>, FunctionError> {
        let mut line = loop {
            match self.next_line() {
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
                let (field, after) = match line.split_once(',') {
                    Some((field, after)) => (field, Some(after)),
                    None => (line, None),
                };
                if field.contains('"') {
                    return self.malformed("bare \" in non-quoted-field");
                }
                invocation.go_on(field.len() / BYTES_PER_PART)?;
                fields.push(field.to_owned());
                match after {
                    Some(after) => line = after,
                    None => return Ok(Some(fields)),
                }
                continue;
            };
            let (field, after) = self.quoted_field(invocation, quoted)?;
            fields.push(field);
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
            match line.find('"') {
                Some(quote) => {
                    invocation.go_on(1 + quote / BYTES_PER_PART)?;
                    field.push_str(&line[..quote]);
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
                    invocation.go_on(1 + line.len() / BYTES_PER_PART)?;
                    field.push_str(line);
                    field.push('\n');
                    line = match self.next_line() {
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
