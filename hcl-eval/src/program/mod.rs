//! Programs: expressions prepared for being evaluated again and again.
//!
//! Every evaluation lowers its expression to code (`code`) and runs that; a program keeps the code, and has more of it done
//! ahead of time (`lower`). It is bound to a scope and shared by threads; the values of slots are none of it, but in the
//! [`Frame`] of each evaluation.

pub(crate) mod code;
mod lower;

use std::sync::Arc;

use hcl_syntax::ast::{ExprId, Expression, SharedTree};
use hcl_syntax::diagnostic::Diagnostics;

use crate::eval::{Evaluator, Frame, Readable, Run, Scope};
use crate::limits::Limits;
use crate::value::Value;

pub(crate) use code::{Base, Code, CodeStep, ForParts, List, Node, Op, OpId, Path};
#[cfg(feature = "columns")]
pub(crate) use code::{NONE, index};
pub(crate) use lower::lower_once;

/// The options of compiling a program.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::Scope;
/// use hcl_eval::limits::Limits;
/// use hcl_eval::program::{CompileOptions, Program};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "length(range(100))".parse()?;
/// let id = parsed.expression().id();
/// let scope = Scope::builder().functions(dialect::terraform()).build();
/// // Too few elements for the list, which each evaluation makes then.
/// let options = CompileOptions { limits: Limits { max_elements: 10, ..Limits::default() } };
/// let (program, _) = Program::compile(parsed.tree().clone(), id, scope.clone(), &options);
/// assert!(program.constant().is_none());
/// let (program, _) = Program::compile(parsed.into_tree(), id, scope, &CompileOptions::default());
/// assert_eq!(program.constant().map(ToString::to_string).as_deref(), Some("100"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// Bounds on what is evaluated ahead of time, all expressions together. They are narrow by default, so
    /// that compiling is quick whatever there is to compile: constant parts that take more are left to
    /// each evaluation.
    pub limits: Limits,
}

impl Default for CompileOptions {
    fn default() -> Self {
        let limits = Limits {
            max_steps: 250_000,
            max_elements: 100_000,
            max_output_bytes: 1 << 20,
            ..Limits::default()
        };
        Self { limits }
    }
}

/// An expression whose names have been resolved in a scope. Immutable; shared by threads.
///
/// ```
/// # use std::sync::Arc;
/// use hcl_eval::Value;
/// use hcl_eval::eval::{Frame, Scope};
/// use hcl_eval::program::Program;
/// use hcl_syntax::{parser, source::Source};
///
/// let mut scope = Scope::builder();
/// let name = scope.slot("user.name");
/// let scope = scope.build();
///
/// let source = Source::new("example", "\"Hello, ${user.name}!\"")?;
/// let (parsed, _) = parser::parse_expression(source, &Default::default());
/// let id = parsed.expression().id();
/// let (program, problems) =
///     Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &Default::default());
/// assert!(problems.is_empty());
///
/// let mut frame = Frame::new(&scope);
/// for someone in ["Ann", "Bob"] {
///     frame.set(name, Some(Value::string(someone)));
///     let (value, _) = program.evaluate(&mut frame);
///     assert_eq!(value.as_str(), Some(format!("Hello, {someone}!").as_str()));
/// }
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
#[derive(Debug)]
pub struct Program {
    tree: SharedTree,
    root: ExprId,
    scope: Arc<Scope>,
    code: Code,
    needs: lower::Needs,
}

impl Program {
    /// Prepares an expression. Names and functions that mean nothing are reported now, and again by each
    /// evaluation that meets them; those in arguments of functions like `try` only then.
    pub fn compile(
        tree: SharedTree,
        expression: ExprId,
        scope: Arc<Scope>,
        options: &CompileOptions,
    ) -> (Self, Diagnostics) {
        let compiled = lower::compile(tree.expression(expression), &scope, options);
        let program = Self { root: expression, scope, code: compiled.code, needs: compiled.needs, tree };
        (program, compiled.diagnostics)
    }

    /// Evaluates with the values of `frame`, which must be one of the program's scope.
    pub fn evaluate(&self, frame: &mut Frame) -> (Value, Diagnostics) {
        let mut said = Diagnostics::new();
        (self.evaluate_into(frame, &mut said), said)
    }

    /// [`Program::evaluate`], with the diagnostics appended to a list.
    ///
    /// ```
    /// use hcl_eval::eval::{Frame, Scope};
    /// use hcl_eval::program::Program;
    /// use hcl_syntax::parser::ParsedExpression;
    ///
    /// let parsed: ParsedExpression = "1 + true + false".parse()?;
    /// let (id, scope) = (parsed.expression().id(), Scope::builder().build());
    /// let (program, mut said) = Program::compile(parsed.into_tree(), id, scope.clone(), &Default::default());
    /// assert!(said.is_empty());
    /// let value = program.evaluate_into(&mut Frame::new(&scope), &mut said);
    /// assert!(!value.is_known() && said.len() == 2);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn evaluate_into(&self, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        frame.meter.restart();
        self.run(&self.code, frame, said)
    }

    /// Runs code of the expression, charged to the frame as it is.
    #[inline(always)] // By a call an evaluation from C takes some 25 instructions more.
    pub(crate) fn run(&self, code: &Code, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        let readable = Readable { code, slots: &frame.slots };
        match readable.at_once(&mut frame.meter) {
            Some(value) => value,
            None => self.run_by_evaluator(code, frame, said),
        }
    }

    #[inline(never)]
    fn run_by_evaluator(&self, code: &Code, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        let (given, meter) = frame.surroundings(&self.scope);
        meter.empty_rooms();
        let value = Evaluator::new(meter).run(&Run::new(code, &self.tree, given), said);
        meter.leave_rooms();
        value
    }

    /// The slots that evaluation may read, in ascending order.
    pub fn needs(&self) -> &[usize] {
        &self.needs
    }

    /// The code.
    #[cfg(feature = "columns")]
    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// The value, if it does not depend on anything and has been found ahead of time.
    pub fn constant(&self) -> Option<&Value> {
        self.code.constant(self.code.root())
    }

    /// The scope that names were resolved in.
    pub fn scope(&self) -> &Arc<Scope> {
        &self.scope
    }

    /// The tree the expression is in.
    pub fn tree(&self) -> &SharedTree {
        &self.tree
    }

    /// The expression.
    pub fn expression(&self) -> Expression<'_> {
        self.tree.expression(self.root)
    }
}

const _: () = {
    const fn shared_by_threads<T: Send + Sync>() {}
    shared_by_threads::<Program>();
    shared_by_threads::<Scope>();
};
