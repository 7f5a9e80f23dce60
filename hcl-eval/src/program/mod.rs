//! Programs: expressions prepared for being evaluated again and again.
//!
//! Every evaluation lowers its expression to code (`code`) and runs that; a program keeps the code, and has more of it done
//! ahead of time (`lower`). It is bound to a scope and shared by threads; the values of slots are none of it, but in the
//! [`Frame`] of each evaluation.

pub(crate) mod code;
mod lower;
mod way;

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
use way::{Start, Way};

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
    way: Way,
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
        let lower::Compiled { code, needs, diagnostics } = compiled;
        let way = Way::of(&code, tree.expression(expression));
        let program = Self { root: expression, scope, code, way, needs, tree };
        (program, diagnostics)
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
        match self.way {
            Way::Attributes(start) => self.evaluate_attributes(frame, said, start),
            Way::Names(_) => self.evaluate_names(frame, said),
            Way::AtOnce => self.evaluate_at_once(frame, said),
            Way::ByEvaluator => self.evaluate_by_evaluator(frame, said),
        }
    }

    /// [`Way::Attributes`], as long as each is in the place where it was found last.
    #[inline(never)] // Inlined, it makes `const_arith` take 3 % more instructions.
    fn evaluate_attributes(&self, frame: &mut Frame, said: &mut Diagnostics, start: Start) -> Value {
        if !frame.meter.restart_with(start.cost.into()) {
            return self.evaluate_at_once(frame, said);
        }
        let follow = |value, step: &CodeStep| Value::find_attribute_again(value, &step.probe);
        match start.follow(&self.code.steps, &frame.slots, follow) {
            Some(value) => value.clone(),
            None => self.evaluate_names(frame, said),
        }
    }

    /// [`Way::Names`], as long as each is in the place where it was found last. An argument for the start would cost the way of
    /// attributes 4 instructions.
    fn evaluate_names(&self, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        if let Way::Attributes(start) | Way::Names(start) = self.way
            && frame.meter.restart_with(start.cost.into())
        {
            let follow = |value, step: &CodeStep| {
                Value::find_attribute_again(value, &step.probe).or_else(|| step.find_short_again(value))
            };
            if let Some(value) = start.follow(&self.code.steps, &frame.slots, follow) {
                return value.clone();
            }
        }
        self.evaluate_at_once(frame, said)
    }

    /// [`Way::AtOnce`], as long as all that is read is plain.
    #[inline(never)] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
    fn evaluate_at_once(&self, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        frame.meter.restart();
        self.run(&self.code, frame, said)
    }

    /// [`Way::ByEvaluator`].
    #[inline(never)] // Inlined, it makes each evaluation take four instructions more: `traversal` 2.6 %.
    fn evaluate_by_evaluator(&self, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        frame.meter.restart();
        self.run_by_evaluator(&self.code, frame, said)
    }

    /// Runs code of the expression, charged to the frame as it is.
    #[inline(always)] // By a call an evaluation of a condition takes 8 instructions more.
    pub(crate) fn run(&self, code: &Code, frame: &mut Frame, said: &mut Diagnostics) -> Value {
        let (readable, meter) = (Readable { code, slots: &frame.slots }, &mut frame.meter);
        let view = readable.view();
        // Each kind of result is written to where it stays: one for all kinds would be put together elsewhere and copied.
        match code.ops.last() {
            Some(op @ Op { node: Node::Direct { .. }, .. }) => {
                if let Some(value) = view.reach(op, meter) {
                    return value.clone();
                }
            }
            Some(op @ Op { node: Node::Binary { operator, .. }, .. }) if !operator.is_arithmetic() => {
                if let Some(answer) = view.direct_answer(op, meter) {
                    return Value::bool(answer);
                }
            }
            Some(op @ Op { node: Node::Record { .. }, .. }) => {
                if let Some(object) = view.record(op, meter) {
                    return object;
                }
            }
            Some(op) => {
                if let Some(result) = view.direct_result(op, meter) {
                    return result;
                }
            }
            None => {}
        }
        self.run_by_evaluator(code, frame, said)
    }

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
