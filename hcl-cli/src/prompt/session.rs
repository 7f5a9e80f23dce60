//! A session: what has been loaded, and what an input means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_eval::eval::{Scope, evaluate};
use hcl_eval::host::{Host, SystemHost};
use hcl_eval::value::Value;
use hcl_module::{Declared, DeclaredKind};
use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{ParsedExpression, parse_expression};

use super::incomplete::line;
use super::interrupt;
use crate::args::{ConsoleArguments, GivenArgument, LimitArguments, Product, ScopeArguments};
use crate::console::{console_form, type_form};
use crate::explain::explain;
use crate::names::{Names, has_module};
use crate::output::Failure;
use crate::{host, notes, scope};

/// The commands, with what they take and do.
pub(super) const COMMANDS: [(&str, &str, &str); 6] = [
    (":help", "", "this list"),
    (":type", " EXPR", "the type of a value"),
    (":explain", " EXPR", "how a value comes about"),
    (":vars", "", "the variables and their values; in a module those and its locals"),
    (":load", " FILE", "define variables from a file, as --var-file does"),
    (":quit", "", "leave; so does Ctrl-D"),
];

/// The console's reply to an input.
pub(super) enum Reply {
    /// A value, and notes about it.
    Value(String, Vec<String>),
    /// Text that is no value, such as the list of commands.
    Text(String),
    /// Errors, and notes about them.
    Complaints(Diagnostics, Vec<String>),
    Exit,
}

/// The state of the console.
pub(super) struct Session {
    /// The command line, which `:load` adds files to.
    arguments: ScopeArguments,
    limits: LimitArguments,
    /// The outside world, as far as it is allowed.
    host: SystemHost,
    /// The names, and the module that they are from.
    names: Names,
    /// True if something is wrong with the module, which was told at the beginning.
    has_errors: bool,
    /// The names that can be completed.
    scope: Arc<Scope>,
}

impl Session {
    /// A session with the variables that the command line asks for.
    pub(super) fn new(arguments: &ConsoleArguments) -> Result<(Self, Diagnostics), Failure> {
        let host = host::allowing(&arguments.scope.allow)?;
        let (mut scope_arguments, limits) = (arguments.scope.clone(), arguments.limits.clone());
        let is_module = matches!(scope_arguments.dialect.product(), Product::Terraform | Product::Opentofu);
        if is_module && scope_arguments.modules.is_empty() && has_module(Path::new(".")) {
            scope_arguments.modules.push(PathBuf::from("."));
        }
        let (names, mut diagnostics) = scope::names_for_console(&scope_arguments, &limits, &host)?;
        let options = scope::evaluation_options(&limits, &host);
        let (scope, more) = names.scope(&options);
        diagnostics.extend(more);
        let has_errors = has_errors(&diagnostics);
        Ok((Self { arguments: scope_arguments, limits, host, names, has_errors, scope }, diagnostics))
    }

    /// True if expressions can be answered in a module that has errors: one that can't be loaded answers none.
    pub(super) fn can_answer(&self) -> bool {
        !self.arguments.modules.is_empty() && self.names.can_answer()
    }

    /// The names that expressions may use.
    pub(super) fn scope(&self) -> &Arc<Scope> {
        &self.scope
    }

    /// Does what an input asks for.
    ///
    /// # Errors
    /// Something that ends the console: there is nothing of the kind yet but a text too long to be a source.
    pub(super) fn answer(&mut self, input: &str) -> Result<Reply, Failure> {
        let input = input.trim();
        if input == "exit" || input == "quit" {
            return Ok(Reply::Exit);
        }
        let Some(command) = input.strip_prefix(':') else {
            return self.evaluated(input, |value, expression, session| {
                let text = expression.tree().source().text();
                let Self { names, arguments, has_errors, .. } = session;
                let notes = notes::on_unknown(names, (text, value), arguments, *has_errors);
                Reply::Value(session.form(value), notes)
            });
        };
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match (name, rest.trim()) {
            ("help", _) => Ok(Reply::Text(help())),
            ("quit" | "exit", _) => Ok(Reply::Exit),
            ("vars", _) => Ok(self.variables()),
            ("type", expression) if !expression.is_empty() => {
                self.evaluated(expression, |value, _, _| Reply::Text(type_form(value)))
            }
            ("explain", expression) if !expression.is_empty() => self
                .evaluated(expression, |_, expression, session| Reply::Text(session.explained(expression))),
            ("load", path) if !path.is_empty() => Ok(self.load(path)),
            ("type" | "explain" | "load", _) => {
                Ok(Reply::Text(format!(":{name} needs something to work on.\n{}", help())))
            }
            _ => Ok(Reply::Text(format!("There is no command :{name}.\n{}", help()))),
        }
    }

    /// Evaluates an input and has its value shown, or gives the complaints about it.
    fn evaluated(
        &self,
        input: &str,
        show: impl FnOnce(&Value, Expression<'_>, &Self) -> Reply,
    ) -> Result<Reply, Failure> {
        let source = scope::source("<input>", line(input).into_bytes())?;
        let (parsed, mut diagnostics) = parse_expression(source, &scope::parse_limits(&self.limits));
        if has_errors(&diagnostics) {
            return Ok(Reply::Complaints(diagnostics, Vec::new()));
        }
        let (value, more) = self.value(&parsed);
        diagnostics.extend(more);
        if has_errors(&diagnostics) {
            let notes = notes::on_names(&self.names, parsed.expression());
            return Ok(Reply::Complaints(self.names.shown_problems(diagnostics), notes));
        }
        Ok(show(&value, parsed.expression(), self))
    }

    /// The value as it is shown, or why it can't be.
    fn form(&self, value: &Value) -> String {
        let form = console_form(value, scope::output_limit(&self.limits));
        self.names.shown(form.unwrap_or_else(|error| format!("({}: {})", error.summary(), error.detail())))
    }

    /// The value of an expression, whose evaluation Ctrl-C ends.
    fn value(&self, expression: &ParsedExpression) -> (Value, Diagnostics) {
        let based = self.names.host(&self.host);
        let host: &dyn Host = based.as_ref().map_or(&self.host, |based| based);
        let mut options = scope::evaluation_options(&self.limits, host);
        options.limits.cancel = Some(interrupt::begin());
        match self.names.scope_for(expression, &options) {
            // Errors in the rest of a module were told at the beginning.
            (Some(scope), _) => evaluate(expression.expression(), Some(&scope), &options),
            (None, problems) => (Value::dynamic(), problems),
        }
    }

    /// The steps by which the value of an expression comes about.
    fn explained(&self, expression: Expression<'_>) -> String {
        let based = self.names.host(&self.host);
        let host: &dyn Host = based.as_ref().map_or(&self.host, |based| based);
        let mut options = scope::evaluation_options(&self.limits, host);
        options.limits.cancel = Some(interrupt::begin());
        self.names.shown(explain(expression, &self.scope, &options))
    }

    /// A line for each variable and its value, sorted.
    fn variables(&self) -> Reply {
        let names: Vec<String> = match &self.names {
            // Its scope has objects of them, whose values nobody has asked for yet.
            Names::Module(names) => {
                names.module.declared().into_iter().filter(is_value).map(|one| one.address).collect()
            }
            Names::Plain(_) | Names::Template(_) => self.scope.variable_names().map(str::to_owned).collect(),
        };
        let mut lines: Vec<String> =
            names.iter().filter_map(|name| Some(format!("{name} = {}", self.value_of(name)?))).collect();
        lines.sort();
        lines.dedup();
        if lines.is_empty() && matches!(self.names, Names::Module(_)) {
            Reply::Text("The module declares no variables and no locals.".to_owned())
        } else if lines.is_empty() {
            Reply::Text("There are no variables. Define some with --var, --var-file or :load.".to_owned())
        } else {
            Reply::Text(lines.join("\n"))
        }
    }

    /// The value of a variable as it is shown.
    fn value_of(&self, name: &str) -> Option<String> {
        let source = scope::source("<variable>", name.as_bytes().to_vec()).ok()?;
        let (parsed, _) = parse_expression(source, &scope::parse_limits(&self.limits));
        let (value, problems) = self.value(&parsed);
        // Its name alone as an input tells them.
        Some(if has_errors(&problems) { "(in error)".to_owned() } else { self.form(&value) })
    }

    /// Defines the variables of a file, or none of them if something is wrong with it.
    fn load(&mut self, path: &str) -> Reply {
        let before = self.scope.variable_names().count();
        self.arguments.given.0.push(GivenArgument::File(PathBuf::from(path)));
        let options = scope::evaluation_options(&self.limits, &self.host);
        let complaint = match scope::names_for_console(&self.arguments, &self.limits, &self.host) {
            Ok((names, diagnostics)) if !has_errors(&diagnostics) => {
                let (scope, problems) = names.scope(&options);
                self.has_errors = has_errors(&problems);
                let more = scope.variable_names().count().saturating_sub(before);
                (self.names, self.scope) = (names, scope);
                let s = if more == 1 { "" } else { "s" };
                return Reply::Text(format!("{more} new variable{s} from {path}"));
            }
            Ok((_, diagnostics)) => Reply::Complaints(diagnostics, Vec::new()),
            Err(failure) => Reply::Text(failure.to_string()),
        };
        self.arguments.given.0.pop();
        complaint
    }
}

/// True of what has a value of its own that the module's files or its caller write.
fn is_value(declared: &Declared) -> bool {
    matches!(declared.kind, DeclaredKind::Variable | DeclaredKind::Local)
}

fn help() -> String {
    let commands = COMMANDS.map(|(name, takes, does)| format!("  {:<16}{does}", format!("{name}{takes}")));
    format!(
        "An expression is evaluated and its value shown. Brackets that are open go on in the next line.\n\
         Tab completes names, the arrows bring back earlier inputs, Ctrl-C drops a line or stops an evaluation.\n{}",
        commands.join("\n")
    )
}
