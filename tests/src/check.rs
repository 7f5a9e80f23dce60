//! Runs a case: works out what its expectations ought to be.
//!
//! Checking and updating share one path. For every fence that carries expectations the text it ought to
//! have is computed; checking compares it with what is there, updating writes it. An input fence (`hcl`,
//! `template`) carries expectations in trailing comments, `# = value` and `# error COLUMNS: Title`; the
//! fences that follow it (`value`, `diagnostics`, `body`, `tokens`) are about it. Decoding is in
//! [`decoded`](crate::decoded).

use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::value::Value;
use hcl_syntax::ast::{Attribute, Body, Expression, Label, functions};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::lexer;
use hcl_syntax::parser::{File, ParseLimits, parse_file, parse_template};
use hcl_syntax::source::{Grammar, Pos, Range, Source, Span};
use hcl_syntax::token::TokenKind;

use crate::decoded::Decoding;
use crate::document::{Case, Fence, Replacement};
use crate::module;
use crate::notation::notation;
use crate::universal::{diagnostics_are_sound, tokens_tile};
use crate::world::world;

/// The fences of a case whose text is not what it ought to be.
///
/// # Errors
/// Something is wrong with the case itself, or a check that holds for every input fails.
pub fn replacements(case: &Case) -> Result<Vec<Replacement>, String> {
    let mut variables = Variables::default();
    for text in &case.outer_variables {
        variables.define(text)?;
    }
    let mut inputs: Vec<(String, Input)> = Vec::new();
    let mut decoding = Decoding::default();
    let mut found = Vec::new();
    for fence in &case.fences {
        let text = match fence.word.as_str() {
            "vars" => {
                variables.define(&fence.text)?;
                continue;
            }
            _ if decoding.take(fence) => continue,
            "decoded" => decoding.expectation(&variables.scope(USUAL_DIALECT)?)?,
            "hcl" | "module" | "template" => {
                inputs = read_inputs(fence, &variables)?;
                agreed(&inputs, |input| Ok(input.annotated.clone()))?
            }
            word if inputs.is_empty() => return Err(format!("no input comes before this `{word}` fence")),
            word => agreed(&inputs, |input| input.expectation(word))?,
        };
        if text != fence.text {
            found.push(Replacement { fence: fence.clone(), text });
        }
    }
    Ok(found)
}

/// The input of a fence in each of its dialects.
fn read_inputs(fence: &Fence, variables: &Variables) -> Result<Vec<(String, Input)>, String> {
    let usual = [USUAL_DIALECT.to_owned()];
    let dialects = if fence.dialects.is_empty() { &usual[..] } else { &fence.dialects };
    let read = |name: &String| {
        let input =
            Input::read(fence, &variables.scope(name)?).map_err(|problem| format!("{name}: {problem}"))?;
        Ok((name.clone(), input))
    };
    dialects.iter().map(read).collect()
}

/// What `tell` says of an input, which must be the same in all of its dialects.
fn agreed(
    inputs: &[(String, Input)],
    tell: impl Fn(&Input) -> Result<String, String>,
) -> Result<String, String> {
    let mut told: Option<(&str, String)> = None;
    for (dialect, input) in inputs {
        let text = tell(input)?;
        match &told {
            None => told = Some((dialect, text)),
            Some((first, expected)) if *expected != text => {
                let differing = expected.lines().zip(text.lines()).find(|(a, b)| a != b);
                let (a, b) = differing.unwrap_or((expected, &text));
                return Err(format!("the dialects differ:\n  {first}: {a}\n  {dialect}: {b}"));
            }
            Some(_) => {}
        }
    }
    Ok(told.map(|(_, text)| text).unwrap_or_default())
}

/// The names of the functions that the expressions of an input call.
pub fn calls(fence: &Fence) -> Vec<String> {
    let source = Source::new("main.hcl", fence.text.as_str()).map(Arc::new);
    let Some(source) = source.ok().filter(|_| fence.word == "hcl") else { return Vec::new() };
    let (file, _) = parse_file(source, &ParseLimits::default());
    let attributes = all_attributes(file.body());
    let called = attributes.iter().flat_map(|attribute| functions(attribute.expression()));
    called.map(|call| call.name().to_owned()).collect()
}

/// Everything that is to be said of the inputs of a case: expectations in comments, values, diagnostics, the
/// body, the tokens.
///
/// # Errors
/// As [`replacements`].
pub fn transcript(case: &Case) -> Result<String, String> {
    let mut variables = Variables::default();
    for text in &case.outer_variables {
        variables.define(text)?;
    }
    let mut out = format!("{}\n", case.name);
    for fence in &case.fences {
        match fence.word.as_str() {
            "vars" => variables.define(&fence.text)?,
            "hcl" | "template" => {
                for (_, input) in read_inputs(fence, &variables)? {
                    out.push_str(&input.annotated);
                    for word in ["value", "diagnostics", "body", "tokens"] {
                        out.push_str(&input.expectation(word)?);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(out)
}

/// Says how the text of a fence differs from what it ought to be.
pub fn difference(replacement: &Replacement) -> String {
    let (old, new): (Vec<_>, Vec<_>) =
        (replacement.fence.text.lines().collect(), replacement.text.lines().collect());
    let mut out = format!("line {}, fence `{}`:\n", replacement.fence.first_line + 1, replacement.fence.word);
    for position in 0..old.len().max(new.len()) {
        let (old, new) = (old.get(position), new.get(position));
        if old != new {
            out.extend(old.map(|line| format!("  expected: {line}\n")));
            out.extend(new.map(|line| format!("  got:      {line}\n")));
        }
    }
    out
}

/// The dialect of inputs that name none.
const USUAL_DIALECT: &str = "hcl-test";

/// Variables in scope of a case.
#[derive(Default)]
struct Variables(Vec<(String, Value)>);

impl Variables {
    /// The scope of an input in a dialect. A function of the dialect hides a maker of its name.
    fn scope(&self, dialect: &str) -> Result<Arc<Scope>, String> {
        let table = dialect::by_name(dialect).ok_or_else(|| format!("there is no dialect {dialect:?}"))?;
        let makers = Scope::builder().functions(dialect::makers()).build();
        let mut builder = Scope::builder().parent(makers).functions(table).variables_allowed();
        for (name, value) in &self.0 {
            builder = builder.variable(name, value.clone());
        }
        Ok(builder.build())
    }

    /// Adds the attributes of a `vars` fence; each sees those before it.
    fn define(&mut self, text: &str) -> Result<(), String> {
        let source = Arc::new(Source::new("vars", text).map_err(|error| error.to_string())?);
        let (file, diagnostics) = parse_file(source, &ParseLimits::default());
        refuse(&diagnostics)?;
        for attribute in file.body().attributes() {
            let scope = self.scope(USUAL_DIALECT)?;
            let (value, diagnostics) =
                evaluate(attribute.expression(), Some(&scope), &EvalOptions::default());
            refuse(&diagnostics)?;
            self.0.push((attribute.name().to_owned(), value));
        }
        Ok(())
    }
}

fn refuse(diagnostics: &[Diagnostic]) -> Result<(), String> {
    match diagnostics.first() {
        Some(first) if has_errors(diagnostics) => Err(first.to_string()),
        _ => Ok(()),
    }
}

/// An expression's value, or what is wrong with it.
pub(crate) struct Outcome {
    name: String,
    /// The lines it stands on.
    lines: (u32, u32),
    value: Value,
    diagnostics: Diagnostics,
}

/// An input with all that is to be known of it.
struct Input {
    source: Arc<Source>,
    /// The text with its comments as they ought to be.
    annotated: String,
    /// What no comment tells: outcomes of attributes without one.
    outcomes: Vec<Outcome>,
    /// The parser's complaints that no comment tells.
    diagnostics: Diagnostics,
    outline: String,
}

impl Input {
    fn read(fence: &Fence, scope: &Arc<Scope>) -> Result<Self, String> {
        let input =
            if fence.word == "template" { Self::template(fence, scope) } else { Self::file(fence, scope) }?;
        tokens_tile(&input.source)?;
        diagnostics_are_sound(&input.source, &input.diagnostics)?;
        Ok(input)
    }

    fn template(fence: &Fence, scope: &Arc<Scope>) -> Result<Self, String> {
        let text = fence.text.strip_suffix('\n').unwrap_or_default();
        let source = Source::with_grammar("main.tmpl", text, Grammar::Template, Pos::START)
            .map_err(|error| error.to_string())?;
        let source = Arc::new(source);
        let (parsed, diagnostics) = parse_template(Arc::clone(&source), &ParseLimits::default());
        let outcome = Outcome::of("template", parsed.expression(), scope);
        let outcomes = if has_errors(&diagnostics) { Vec::new() } else { vec![outcome] };
        Ok(Self { source, annotated: fence.text.clone(), outcomes, diagnostics, outline: String::new() })
    }

    fn file(fence: &Fence, scope: &Arc<Scope>) -> Result<Self, String> {
        let source =
            Arc::new(Source::new("main.hcl", fence.text.as_str()).map_err(|error| error.to_string())?);
        let (file, diagnostics) = parse_file(Arc::clone(&source), &ParseLimits::default());
        diagnostics_are_sound(&source, &diagnostics)?;
        let (outcomes, more) = if fence.word == "module" {
            module::outcomes(&file, scope)
        } else {
            let one = |attribute: Attribute<'_>| Outcome::of(attribute.name(), attribute.expression(), scope);
            (all_attributes(file.body()).into_iter().map(one).collect(), Diagnostics::new())
        };
        let diagnostics = [diagnostics, more].concat();
        let mut outline = String::new();
        write_outline(&file, file.body(), 0, &mut outline);
        let annotated = fence.text.clone();
        let mut input = Self { source, annotated, outcomes, diagnostics, outline };
        input.annotate();
        Ok(input)
    }

    /// Rewrites the comments that tell an outcome, and drops what they tell from the rest.
    fn annotate(&mut self) {
        let mut edits: Vec<(Span, String)> = Vec::new();
        for (span, line) in expectation_comments(&self.source) {
            let attribute = self.outcomes.iter().position(|outcome| outcome.lines.1 == line);
            let outcome = attribute.map(|position| self.outcomes.remove(position));
            let first_line = outcome.as_ref().map_or(line, |outcome| outcome.lines.0);
            let here = |diagnostic: &Diagnostic| {
                diagnostic.subject.as_ref().is_some_and(|at| (first_line..=line).contains(&at.start.line))
            };
            let (told, rest) = std::mem::take(&mut self.diagnostics).into_iter().partition(here);
            self.diagnostics = rest;
            let told: Diagnostics = told;
            edits.push((
                span,
                match outcome {
                    _ if !told.is_empty() => errors_comment(&told, line),
                    Some(outcome) => outcome.comment(line),
                    None => "# = nothing".to_owned(),
                },
            ));
        }
        for (span, comment) in edits.into_iter().rev() {
            self.annotated.replace_range(span.start as usize..span.end as usize, &comment);
        }
    }

    /// The text that an expectation fence ought to have.
    fn expectation(&self, word: &str) -> Result<String, String> {
        match word {
            "value" => Ok(self.outcomes.iter().map(Outcome::line).collect()),
            "diagnostics" => Ok(self.all_diagnostics().map(diagnostic_text).collect()),
            "body" => Ok(self.outline.clone()),
            "tokens" => Ok(tokens_text(&self.source)),
            _ => Err(format!("a fence with the word `{word}` means nothing here")),
        }
    }

    /// The parser's complaints; those of the evaluation if the parser has none.
    fn all_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let evaluated: &[Outcome] = if self.diagnostics.is_empty() { &self.outcomes } else { &[] };
        self.diagnostics.iter().chain(evaluated.iter().flat_map(|outcome| &outcome.diagnostics))
    }
}

impl Outcome {
    pub(crate) fn of(name: &str, expression: Expression<'_>, scope: &Arc<Scope>) -> Self {
        let world = world();
        let options = EvalOptions { host: Some(&world), ..EvalOptions::default() };
        let (value, diagnostics) = evaluate(expression, Some(scope), &options);
        Self { diagnostics, ..Self::known(name, expression, value) }
    }

    /// The outcome of an expression whose value is known already.
    pub(crate) fn known(name: &str, expression: Expression<'_>, value: Value) -> Self {
        let range = expression.tree().source().range(expression.span());
        // A heredoc's range ends where the line after its marker begins, or with the marker.
        let last = if range.end.column == 1 { range.end.line.saturating_sub(1) } else { range.end.line };
        let lines = (range.start.line, last);
        Self { name: name.to_owned(), lines, value, diagnostics: Diagnostics::new() }
    }

    fn comment(&self, line: u32) -> String {
        if has_errors(&self.diagnostics) {
            errors_comment(&self.diagnostics, line)
        } else {
            format!("# = {}", notation(&self.value))
        }
    }

    fn line(&self) -> String {
        if has_errors(&self.diagnostics) {
            let summaries: Vec<_> = self.diagnostics.iter().map(|d| d.summary.as_ref()).collect();
            format!("{}: {}\n", self.name, summaries.join("; "))
        } else {
            format!("{} = {}\n", self.name, notation(&self.value))
        }
    }
}

/// The comments that tell an outcome: where they stand, without the newline, and on which line.
fn expectation_comments(source: &Arc<Source>) -> Vec<(Span, u32)> {
    let mut found = Vec::new();
    for token in lexer::tokens(source) {
        let text = source.slice(token.span).trim_end();
        if token.kind == TokenKind::Comment && (text.starts_with("# =") || text.starts_with("# error")) {
            let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
            found.push((
                Span::new(token.span.start, token.span.start + len),
                source.position(token.span.start).line,
            ));
        }
    }
    found
}

/// `# error 5-9: Title; error 11-12: Title`
fn errors_comment(diagnostics: &[Diagnostic], line: u32) -> String {
    let told = diagnostics.iter().map(|diagnostic| {
        let at = diagnostic.subject.as_ref().map(|range| columns(range, line)).unwrap_or_default();
        format!("{}{at}: {}", diagnostic.severity.as_str(), diagnostic.summary)
    });
    format!("# {}", told.collect::<Vec<_>>().join("; "))
}

/// Where a range stands, as briefly as can be said beside the line it is about.
fn columns(range: &Range, line: u32) -> String {
    let (start, end) = (range.start, range.end);
    if start.line == line && end.line == line {
        format!(" {}-{}", start.column, end.column)
    } else {
        format!(" {},{}-{},{}", start.line, start.column, end.line, end.column)
    }
}

fn diagnostic_text(diagnostic: &Diagnostic) -> String {
    let mut out = format!("{}: {}\n", diagnostic.severity.as_str(), diagnostic.summary);
    out.extend(diagnostic.subject.as_ref().map(|range| format!("  {range}\n")));
    out.extend(diagnostic.detail.lines().map(|line| format!("  {line}\n")));
    out
}

fn tokens_text(source: &Arc<Source>) -> String {
    let line =
        |token: &hcl_syntax::token::Token| format!("{:?} {:?}\n", token.kind, source.display(token.span));
    lexer::tokens(source).iter().map(line).collect()
}

/// The attributes of a body and of the blocks in it.
fn all_attributes(body: Body<'_>) -> Vec<Attribute<'_>> {
    let mut found: Vec<_> = body.attributes().collect();
    for block in body.blocks() {
        found.extend(all_attributes(block.body()));
    }
    found
}

/// A line for each attribute and block, indented by nesting.
fn write_outline(file: &File, body: Body<'_>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for attribute in body.attributes() {
        let text = file.source().display(attribute.expression().span());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        out.push_str(&format!("{indent}{} = {text}\n", attribute.name()));
    }
    for block in body.blocks() {
        let labels: String = block.labels().map(Label::text).map(|label| format!(" {label:?}")).collect();
        out.push_str(&format!("{indent}{}{labels}\n", block.block_type()));
        write_outline(file, block.body(), depth + 1, out);
    }
}
