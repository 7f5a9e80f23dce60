//! The wording of what is wrong with the blocks of a module. Titles are those of Terraform.

use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostic, Severity};
use hcl_syntax::source::{Range, Source, Span};

/// Where something is written.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) source: Source,
    pub(super) span: Span,
}

impl Place {
    pub(super) fn of(expression: &ConfigExpression) -> Self {
        Self { source: expression.source().clone(), span: expression.span() }
    }

    pub(super) fn range(&self) -> Range {
        self.source.range(self.span)
    }
}

fn error(code: &'static str, summary: &'static str, detail: String, at: &Place) -> Diagnostic {
    Diagnostic::error(code, summary, detail).at(&at.source, at.span)
}

/// Two `variable` blocks of one name.
pub(super) fn declared_twice(name: &str, first: &Range, at: &Place) -> Diagnostic {
    let detail =
        format!("The variable \"{name}\" is declared at {first} already. Rename or remove one of them.");
    error("variables.duplicate", "Duplicate variable declaration", detail, at)
}

/// `sensitive = "perhaps"`
pub(super) fn no_flag(name: &str, problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("The argument \"{name}\" takes true or false: {problem}.");
    error("variables.flag", "Unsuitable value type", detail, at)
}

/// `default = null` with `nullable = false`
pub(super) fn null_default(name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The default of var.{name} is null, but the variable is declared with nullable = false. Write another default, \
         or remove one of the two arguments."
    );
    error("variables.unsuitable", "Invalid default value for variable", detail, at)
}

/// A value that does not fit the type. `name` is that of the variable, or of a part of it.
pub(super) fn unsuitable(name: &str, problem: &str, summary: &'static str, at: &Place) -> Diagnostic {
    let detail = format!("The value of var.{name} does not fit: {problem}.");
    error("variables.unsuitable", summary, detail, at)
}

/// A variable that has neither a value nor a default.
pub(super) fn without_value(name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The variable \"{name}\" has no default, so it needs a value: --var '{name}=…', or a line in a file for --var-file."
    );
    error("variables.required", "No value for required variable", detail, at)
}

/// A value for a variable that is not declared: a warning, since files of values are often shared.
pub(super) fn undeclared(name: &str) -> Diagnostic {
    let detail =
        format!("A value is given for \"{name}\", but the module declares no variable of that name.");
    let diagnostic = Diagnostic::error("variables.undeclared", "Value for undeclared variable", detail);
    Diagnostic { severity: Severity::Warning, ..diagnostic }
}

/// `condition = "perhaps"`
pub(super) fn condition_is_no_bool(problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("A condition gives true or false: {problem}.");
    error("variables.condition_type", "Invalid variable validation result", detail, at)
}

/// A value that a condition refuses. The detail is what the module itself says.
pub(super) fn condition_fails(detail: String, at: &Place) -> Diagnostic {
    error("variables.validation", "Invalid value for variable", detail, at)
}
