//! Runs a case: works out what its expectations ought to be.
//!
//! Checking and updating share one path. For every fence that carries expectations the text it ought to
//! have is computed; checking compares it with what is there, updating writes it. An input fence (`hcl`,
//! `template`, `expression`, `traversal`, `type`) carries expectations in trailing comments, `# = value` and
//! `# error COLUMNS: Title`; the fences that follow it (`value`, `diagnostics`, `body`, `tokens` …) are about it.
//! JSON has no comments, so all expectations of a `json` fence stand in fences. Decoding is in
//! [`decoded`](crate::decoded), folders are in `folder`.

use hcl_eval::types::type_expr::{TypeMode, parse_type};
use hcl_eval::value::Value;
use hcl_syntax::ast::{Attribute, Body, Expression, Label, functions, variables};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::json::{parse_json, to_native};
use hcl_syntax::lexer;
use hcl_syntax::parser::{
    File, ParseLimits, Splats, TraversalStepKind, parse_expression, parse_file, parse_template,
    parse_traversal,
};
use hcl_syntax::source::{Grammar, Pos, Range, Source, Span};
use hcl_syntax::token::TokenKind;
use std::borrow::Cow;

use crate::decoded::Decoding;
use crate::document::{Case, Fence, Replacement};
use crate::folder::Folder;
use crate::module;
use crate::notation::notation;
use crate::setting::Setting;
use crate::universal::{diagnostics_are_sound, tokens_tile};

/// The fences of a case whose text is not what it ought to be.
///
/// # Errors
/// Something is wrong with the case itself, or a check that holds for every input fails.
pub fn replacements(case: &Case) -> Result<Vec<Replacement>, String> {
    let mut setting = Setting::of(case)?;
    let mut inputs: Vec<(String, Input)> = Vec::new();
    let mut decoding = Decoding::default();
    let mut folder = Folder::default();
    let mut found = Vec::new();
    for fence in &case.fences {
        let text = match fence.word.as_str() {
            "vars" => {
                setting.define(&fence.text)?;
                continue;
            }
            "scope" => {
                setting.limit(&fence.text)?;
                continue;
            }
            _ if decoding.take(fence) || folder.take(fence)? => continue,
            "ask" | "problems" => folder.expectation(fence)?,
            "decoded" => decoding.expectation(&setting.scope().ok_or("decoding needs a scope")?)?,
            word if INPUTS.contains(&word) => {
                inputs = read_inputs(fence, &setting)?;
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

/// The attributes and complaints of a case that no expectation tells, a line each: those of inputs without comments and fences.
///
/// # Errors
/// As [`replacements`].
pub fn untold(case: &Case) -> Result<Vec<String>, String> {
    let mut setting = Setting::of(case)?;
    let mut silent: Vec<Vec<String>> = Vec::new();
    for fence in &case.fences {
        match fence.word.as_str() {
            "vars" => setting.define(&fence.text)?,
            "scope" => setting.limit(&fence.text)?,
            word if INPUTS.contains(&word) => {
                let (_, input) = read_inputs(fence, &setting)?.swap_remove(0);
                silent.push(input.untold(fence.first_line));
            }
            // An expectation tells everything of the input before it.
            _ => silent.last_mut().into_iter().for_each(Vec::clear),
        }
    }
    Ok(silent.concat())
}

/// Everything that is to be said of the inputs of a case: expectations in comments, values, diagnostics, the
/// body, the tokens.
///
/// # Errors
/// As [`replacements`].
pub fn transcript(case: &Case) -> Result<String, String> {
    let mut out = format!("{}\n", case.name);
    for input in inputs(case)? {
        out.push_str(&input.annotated);
        for word in ["value", "diagnostics", "body", "tokens"] {
            out.push_str(&input.expectation(word)?);
        }
    }
    Ok(out)
}

/// A diagnostic without its places.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Complaint {
    /// The code.
    pub code: Cow<'static, str>,
    /// The summary.
    pub summary: String,
    /// The detail.
    pub detail: String,
}

impl Complaint {
    /// The words of a diagnostic.
    pub fn of(found: &Diagnostic) -> Self {
        Self { code: found.code.clone(), summary: found.summary.to_string(), detail: found.detail.clone() }
    }
}

/// All diagnostics that the inputs of a case lead to.
///
/// # Errors
/// As [`replacements`].
pub fn complaints(case: &Case) -> Result<Vec<Complaint>, String> {
    let mut found: Vec<_> = inputs(case)?.into_iter().flat_map(|input| input.complaints).collect();
    let mut decoding = Decoding::default();
    let fences = case.fences.iter();
    if fences.filter(|fence| decoding.take(fence)).count() > 0 {
        let scope = Setting::of_fences(case)?.scope().ok_or("decoding needs a scope")?;
        let (_, diagnostics) = decoding.outcome(&scope)?;
        found.extend(diagnostics.iter().map(Complaint::of));
    }
    Ok(found)
}

/// All inputs of a case, read.
fn inputs(case: &Case) -> Result<Vec<Input>, String> {
    let mut setting = Setting::of(case)?;
    let mut found = Vec::new();
    for fence in &case.fences {
        match fence.word.as_str() {
            "vars" => setting.define(&fence.text)?,
            "scope" => setting.limit(&fence.text)?,
            word if INPUTS.contains(&word) => {
                found.extend(read_inputs(fence, &setting)?.into_iter().map(|(_, input)| input));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The words of fences that are inputs.
const INPUTS: [&str; 7] = ["hcl", "json", "module", "template", "expression", "traversal", "type"];

/// The input of a fence in each of its dialects.
fn read_inputs(fence: &Fence, setting: &Setting) -> Result<Vec<(String, Input)>, String> {
    let read = |(name, setting): (String, Setting)| {
        let input = Input::read(fence, &setting).map_err(|problem| format!("{name}: {problem}"))?;
        Ok((name, input))
    };
    setting.in_dialects(&fence.dialects)?.into_iter().map(read).collect()
}

/// Asks all dialects of an input, and returns the answer that they agree on.
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
    let source = Source::new("main.hcl", fence.text.as_str());
    let Some(source) = source.ok().filter(|_| fence.word == "hcl") else { return Vec::new() };
    let (file, _) = parse_file(source, &ParseLimits::default());
    let attributes = all_attributes(file.body());
    let called = attributes.iter().flat_map(|attribute| functions(attribute.expression()));
    called.map(|call| call.name().to_owned()).collect()
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
    source: Source,
    /// The text with its comments as they ought to be.
    annotated: String,
    /// The outcomes of attributes without a comment.
    outcomes: Vec<Outcome>,
    /// The parser's complaints that no comment tells.
    diagnostics: Diagnostics,
    /// Each diagnostic, of parsing and of evaluation.
    complaints: Vec<Complaint>,
    outline: String,
}

impl Input {
    fn read(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let mut input = match fence.word.as_str() {
            "template" => Self::template(fence, setting),
            "json" => Self::json(fence, setting),
            "expression" => Self::expression(fence, setting),
            "traversal" => Self::traversal(fence, setting),
            "type" => Self::type_expression(fence, setting),
            _ => Self::file(fence, setting),
        }?;
        let found = input.diagnostics.iter().chain(input.outcomes.iter().flat_map(|o| &o.diagnostics));
        input.complaints = found.map(Complaint::of).collect();
        if fence.word != "json" {
            tokens_tile(&input.source)?;
        }
        diagnostics_are_sound(&input.source, &input.diagnostics)?;
        if matches!(fence.word.as_str(), "hcl" | "module") {
            input.annotate();
        }
        Ok(input)
    }

    fn new(source: Source, fence: &Fence, diagnostics: Diagnostics) -> Self {
        let annotated = fence.text.clone();
        let (outcomes, complaints, outline) = (Vec::new(), Vec::new(), String::new());
        Self { source, annotated, outcomes, diagnostics, complaints, outline }
    }

    fn template(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let source = Source::with_grammar("main.tmpl", line_of(fence), Grammar::Template, Pos::START)
            .map_err(|error| error.to_string())?;
        let (parsed, diagnostics) = parse_template(source.clone(), &setting.parse_limits);
        let mut input = Self::new(source, fence, diagnostics);
        if !has_errors(&input.diagnostics) {
            input.outcomes.push(Outcome::of("template", parsed.expression(), setting));
        }
        Ok(input)
    }

    /// A file of JSON syntax: each property of its root is an attribute; its outline is native syntax.
    fn json(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let source = Source::json("main.json", fence.text.as_str()).map_err(|error| error.to_string())?;
        let (file, diagnostics) = parse_json(source.clone(), &setting.parse_limits);
        let mut input = Self::new(source, fence, diagnostics);
        if !has_errors(&input.diagnostics) {
            let (attributes, problems) = ConfigBody::from(&file).just_attributes();
            input.diagnostics.extend(problems);
            for attribute in attributes {
                let syntax = attribute.expression().syntax();
                input.outcomes.push(Outcome::of(attribute.name(), syntax.expression(), setting));
            }
            input.outline = to_native(&file, None).0;
        }
        Ok(input)
    }

    fn expression(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let source = source_of("expression", line_of(fence))?;
        let (parsed, diagnostics) = parse_expression(source.clone(), &setting.parse_limits);
        let expression = parsed.expression();
        let mut input = Self::new(source, fence, diagnostics);
        for variable in variables(expression) {
            input.outline.push_str(&format!("variable {}\n", variable.to_text()));
        }
        for call in functions(expression) {
            input.outline.push_str(&format!("function {}\n", call.name()));
        }
        if !has_errors(&input.diagnostics) {
            input.outcomes.push(Outcome::of("expression", expression, setting));
        }
        Ok(input)
    }

    fn traversal(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let source = source_of("traversal", line_of(fence))?;
        let (parsed, diagnostics) = parse_traversal(source.clone(), Splats::Refused, &setting.parse_limits);
        let mut input = Self::new(source, fence, diagnostics);
        input.outline.extend(parsed.root().map(|root| format!("variable {root}\n")));
        for step in parsed.steps() {
            input.outline.push_str(&match step.kind {
                TraversalStepKind::Attribute(name) => format!("attribute {name}\n"),
                TraversalStepKind::Index(key) => format!("index {}\n", key.source_text()),
                TraversalStepKind::Splat => "splat\n".to_owned(),
            });
        }
        Ok(input)
    }

    fn type_expression(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let source = source_of("type", line_of(fence))?;
        let (parsed, diagnostics) = parse_expression(source.clone(), &setting.parse_limits);
        let mut input = Self::new(source, fence, diagnostics);
        if !has_errors(&input.diagnostics) {
            let (ty, defaults, found) = parse_type(parsed.expression(), TypeMode::ConstraintWithDefaults);
            input.diagnostics = found;
            input.outline = format!("{}\n", ty.to_type_text());
            for (name, value) in defaults.iter().flat_map(|defaults| defaults.values()) {
                input.outline.push_str(&format!("{name} = {}\n", notation(value)));
            }
        }
        Ok(input)
    }

    fn file(fence: &Fence, setting: &Setting) -> Result<Self, String> {
        let source = source_of("main.hcl", &fence.text)?;
        let (file, diagnostics) = parse_file(source.clone(), &setting.parse_limits);
        let mut input = Self::new(source, fence, diagnostics);
        if fence.word == "module" {
            let is_of = |product: &str| fence.dialects.iter().any(|dialect| dialect == product);
            let (outcomes, more) = if is_of("packer") {
                module::outcomes_of_template(&file, setting)
            } else if is_of("nomad") {
                module::outcomes_of_job(&file, setting)
            } else {
                module::outcomes(&file, setting)
            };
            input.outcomes = outcomes;
            input.diagnostics.extend(more);
        } else {
            let one =
                |attribute: Attribute<'_>| Outcome::of(attribute.name(), attribute.expression(), setting);
            input.outcomes.extend(all_attributes(file.body()).into_iter().map(one));
        }
        write_outline(&file, file.body(), 0, &mut input.outline);
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

    /// The values and complaints that no comment tells, a line each.
    fn untold(self, line: usize) -> Vec<String> {
        let values = self.outcomes.into_iter().map(|outcome| format!("the value of {}", outcome.name));
        let complaints = self.diagnostics.into_iter().map(|complaint| format!("\"{}\"", complaint.summary));
        values.chain(complaints).map(|what| format!("line {line}: nothing tells {what}")).collect()
    }

    /// The text that an expectation fence ought to have.
    fn expectation(&self, word: &str) -> Result<String, String> {
        match word {
            "value" => Ok(self.outcomes.iter().map(Outcome::line).collect()),
            "diagnostics" => Ok(self.all_diagnostics().map(diagnostic_text).collect()),
            "body" | "native" | "uses" | "steps" | "meaning" => Ok(self.outline.clone()),
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
    fn of(name: &str, expression: Expression<'_>, setting: &Setting) -> Self {
        let (value, diagnostics) = setting.evaluate(expression);
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

    /// Adds what was found wrong on the way.
    pub(crate) fn with_diagnostics(self, diagnostics: Diagnostics) -> Self {
        Self { diagnostics, ..self }
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

/// The text of a fence without the newline that ends it.
fn line_of(fence: &Fence) -> &str {
    fence.text.strip_suffix('\n').unwrap_or_default()
}

fn source_of(name: &str, text: &str) -> Result<Source, String> {
    Source::new(name, text).map_err(|error| error.to_string())
}

/// The comments that tell an outcome: where they stand, without the newline, and on which line.
fn expectation_comments(source: &Source) -> Vec<(Span, u32)> {
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

fn tokens_text(source: &Source) -> String {
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
