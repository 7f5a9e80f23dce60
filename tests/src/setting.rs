//! The surroundings of a case's inputs: variables, what the scope leaves out, limits.

use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::limits::Limits;
use hcl_eval::value::Value;
use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

use crate::document::Case;
use crate::fake_host::fake_host;

/// The dialect of inputs that name none.
const USUAL_DIALECT: &str = "hcl-test";

/// The surroundings of a case's inputs.
#[derive(Clone, Default)]
pub(crate) struct Setting {
    /// Whose functions there are; by default those of the test dialect.
    dialect: Option<String>,
    variables: Vec<(String, Value)>,
    /// Names that are declared and have no value.
    declared: Vec<String>,
    leaves_out: LeavesOut,
    no_host: bool,
    limits: Limits,
    pub(crate) parse_limits: ParseLimits,
}

/// The parts that a scope lacks.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum LeavesOut {
    #[default]
    Nothing,
    Variables,
    Functions,
    Both,
}

impl Setting {
    /// The setting that a case begins with.
    pub(crate) fn of(case: &Case) -> Result<Self, String> {
        let mut setting = Self::default();
        for text in &case.outer_variables {
            setting.define(text)?;
        }
        Ok(setting)
    }

    /// The setting that a case has at its end.
    pub(crate) fn of_fences(case: &Case) -> Result<Self, String> {
        let mut setting = Self::of(case)?;
        for fence in &case.fences {
            match fence.word.as_str() {
                "vars" => setting.define(&fence.text)?,
                "scope" => setting.limit(&fence.text)?,
                _ => {}
            }
        }
        Ok(setting)
    }

    /// Returns a setting with the functions of each of the dialects that a fence names.
    pub(crate) fn in_dialects(&self, names: &[String]) -> Result<Vec<(String, Self)>, String> {
        let usual = [USUAL_DIALECT.to_owned()];
        let names = if names.is_empty() { &usual[..] } else { names };
        let known = |name: &String| match dialect::by_name(name) {
            Some(_) => Ok((name.clone(), Self { dialect: Some(name.clone()), ..self.clone() })),
            None => Err(format!("there is no dialect {name:?}")),
        };
        names.iter().map(known).collect()
    }

    /// The scope of an input. A function of the dialect hides a maker of its name.
    pub(crate) fn scope(&self) -> Option<Arc<Scope>> {
        let makers = Scope::builder().functions(dialect::makers()).build();
        let table = dialect::by_name(self.dialect.as_deref().unwrap_or(USUAL_DIALECT));
        let table = table.unwrap_or_else(dialect::hcl_test);
        let library = || Scope::builder().parent(makers).functions(table);
        let mut builder = match self.leaves_out {
            LeavesOut::Nothing => library().variables_allowed(),
            LeavesOut::Variables => return Some(library().build()),
            LeavesOut::Functions => Scope::builder().variables_allowed(),
            LeavesOut::Both => return None,
        };
        for (name, value) in &self.variables {
            builder = builder.variable(name, value.clone());
        }
        for name in &self.declared {
            builder.slot(name);
        }
        Some(builder.build())
    }

    /// Evaluates an expression of an input.
    pub(crate) fn evaluate(&self, expression: Expression<'_>) -> (Value, Diagnostics) {
        self.evaluate_in(self.scope().as_deref(), expression)
    }

    /// Evaluates in a scope that is not this setting's own.
    pub(crate) fn evaluate_in(
        &self,
        scope: Option<&Scope>,
        expression: Expression<'_>,
    ) -> (Value, Diagnostics) {
        let host = fake_host();
        let options = EvalOptions {
            limits: self.limits.clone(),
            host: (!self.no_host).then_some(&host),
            ..EvalOptions::default()
        };
        evaluate(expression, scope, &options)
    }

    /// Adds the attributes of a `vars` fence; each sees those before it.
    pub(crate) fn define(&mut self, text: &str) -> Result<(), String> {
        let source = Source::new("vars", text).map_err(|error| error.to_string())?;
        let (file, diagnostics) = parse_file(source, &ParseLimits::default());
        refuse(&diagnostics)?;
        for attribute in file.body().attributes() {
            let (value, diagnostics) = self.evaluate(attribute.expression());
            refuse(&diagnostics)?;
            self.variables.push((attribute.name().to_owned(), value));
        }
        Ok(())
    }

    /// Reads a `scope` fence: a line for each thing that is otherwise than usual.
    pub(crate) fn limit(&mut self, text: &str) -> Result<(), String> {
        for line in text.lines() {
            let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{line:?}: {error}"));
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["no", "variables"] => self.leaves_out = LeavesOut::Variables,
                ["no", "functions"] => self.leaves_out = LeavesOut::Functions,
                ["no", "variables", "and", "functions"] => self.leaves_out = LeavesOut::Both,
                ["no", "outside", "world"] => self.no_host = true,
                ["without", "value:", names @ ..] => {
                    self.declared.extend(names.iter().map(|name| (*name).to_owned()));
                }
                ["depth", depth] => self.parse_limits.max_depth = number(depth)?,
                ["problems", problems] => self.parse_limits.max_diagnostics = number(problems)?,
                ["steps", steps] => self.limits.max_steps = u64::from(number(steps)?),
                ["elements", elements] => self.limits.max_elements = u64::from(number(elements)?),
                ["memory", bytes] => self.limits.max_memory = u64::from(number(bytes)?),
                ["output", bytes] => self.limits.max_output_bytes = u64::from(number(bytes)?),
                ["evaluation", "depth", depth] => self.limits.max_depth = number(depth)?,
                _ => return Err(format!("{line:?} says nothing of a scope")),
            }
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
