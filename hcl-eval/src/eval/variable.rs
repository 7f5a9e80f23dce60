//! Variables: finding what a name means, and following the steps after it.

use hcl_syntax::ast::{Call, Expression, ExpressionKind, Literal, Step, StepKind, Steps, Traversal};
use hcl_syntax::diagnostic::{Diagnostic, suggest};
use hcl_syntax::memory;
use hcl_syntax::source::Source;

use super::condition::View;
use super::error::{self, Problem};
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::literal::{is_long_literal, literal_value};
use super::locals::{self, Local};
use super::report::{Place, Told};
use super::resolver::LookupError;
use crate::function::{FunctionTable, Name, Scope};
use crate::program::{Base, CodeStep, Node, OpId, Path};
use crate::value::string::STRETCH;
use crate::value::{Repr, Value, ValueErrorKind, index};

impl<'e> View<'e> {
    /// The value of an operation that leads straight to it: constants, and variables with steps through plain values.
    /// Names that are not found here are looked for by the general rules.
    // By calls of this, of `Evaluator::eval` and of `eval_owned`, `for_group_1000` takes 22 % more instructions.
    #[inline(always)]
    pub(super) fn direct(self, node: &Node) -> Option<&'e Value> {
        let Node::Direct { base, index, path } = *node else { return None };
        let value = match base {
            Base::Slot => self.slot(index)?,
            Base::Constant | Base::Root => self.readable.code.values.get(index as usize)?,
            Base::Element if index == 0 => self.locals?.part(base),
            _ => return self.direct_outward(base, index, path),
        };
        let code = self.readable.code;
        match path.len {
            0 => Some(value),
            1 => follow_one(value, code.steps.get(path.first as usize)?),
            _ => follow_several(value, code.path(path)?),
        }
    }

    /// The value behind a name that is bound farther out, a key or an item.
    fn direct_outward(self, base: Base, index: u32, path: Path) -> Option<&'e Value> {
        follow(self.bound(base, index)?, self.readable.code.path(path)?)
    }

    /// The value that is bound to a name, or is the item of the innermost splat.
    fn bound(self, base: Base, hops: u32) -> Option<&'e Value> {
        match base {
            Base::Item => locals::item(self.locals),
            _ => self.locals?.outward(hops).map(|local| local.part(base)),
        }
    }

    fn slot(self, slot: u32) -> Option<&'e Value> {
        self.readable.slots.get(slot as usize)?.as_ref()
    }
}

impl<'e> Env<'e> {
    /// Looks a root name up in the scopes.
    fn look_up(self, traversal: Traversal<'_>) -> Option<(&'e Value, usize)> {
        let name = self.given().scope?.name(traversal.root())?;
        if let Some((slot, skip)) = slot_of(name, traversal.steps()) {
            if let Some(value) = self.view().slot(slot) {
                return Some((value, skip));
            }
            if skip > 0 {
                return None;
            }
        }
        name.constant.as_ref().map(|value| (value, 0))
    }
}

impl Evaluator<'_> {
    /// The value of a variable and the steps after it. The first error ends it.
    pub(super) fn variable<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let expression = env.source(at);
        let ExpressionKind::Traversal(traversal) = expression.kind() else { return Flow::dynamic() };
        let found = match env.op(at).node {
            Node::Direct { base: base @ (Base::Key | Base::Element), index, .. } => {
                env.view().bound(base, index).map(|value| (value, 0))
            }
            _ => self.by_name(traversal, env),
        };
        self.traversal_from(found, expression, traversal, env)
    }

    /// The value of a variable that no operation is of.
    pub(super) fn traversal_by_name<'e>(
        &mut self,
        expression: Expression<'_>,
        traversal: Traversal<'_>,
        env: Env<'e>,
    ) -> Flow<'e> {
        let found = self.by_name(traversal, env);
        self.traversal_from(found, expression, traversal, env)
    }

    /// Evaluates a traversal whose root has been looked up.
    fn traversal_from<'e>(
        &mut self,
        found: Option<(&'e Value, usize)>,
        expression: Expression<'_>,
        traversal: Traversal<'_>,
        env: Env<'e>,
    ) -> Flow<'e> {
        let (root, skip) = match found {
            Some(found) => found,
            None => match self.elsewhere(expression, traversal, env) {
                Ok(found) => found,
                Err(instead) => return instead.into(),
            },
        };
        let steps = traversal.steps();
        if steps.is_empty() {
            return Flow::Borrowed(root);
        }
        self.steps(Flow::Borrowed(root), steps, skip, expression, env)
    }

    /// Returns the value of the root, and how many steps that includes already.
    fn by_name<'e>(&self, traversal: Traversal<'_>, env: Env<'e>) -> Option<(&'e Value, usize)> {
        match self.deep_names.lookup(env.locals, traversal.root()) {
            Some(value) => Some((value, 0)),
            None => env.look_up(traversal),
        }
    }

    /// Returns the value of a root that has none here, or the value of the whole reference.
    fn elsewhere<'e>(
        &mut self,
        expression: Expression<'_>,
        traversal: Traversal<'_>,
        env: Env<'e>,
    ) -> Result<(&'e Value, usize), Value> {
        match self.reference_left_as_text(expression, traversal, env) {
            Some(text) => Err(text),
            None => self.asked_for(expression, traversal, env).ok_or_else(Value::dynamic),
        }
    }

    /// Asks the resolver for an empty slot. Complains when there is none, or it does not know.
    fn asked_for<'e>(
        &mut self,
        expression: Expression<'_>,
        traversal: Traversal<'_>,
        env: Env<'e>,
    ) -> Option<(&'e Value, usize)> {
        let given = env.given();
        let slot = given
            .scope
            .and_then(|scope| Some((scope, slot_of(scope.name(traversal.root())?, traversal.steps())?)));
        let (Some(lookups), Some((scope, (slot, skip)))) = (given.lookups, slot) else {
            self.report_unknown(expression, traversal, env);
            return None;
        };
        match lookups.value(slot, scope, self.meter.limits(), given.user) {
            // The answer may have taken long.
            Ok(_) if self.meter.look().is_err() => self.stopped_by(expression),
            Ok(value) => return Some((value, skip)),
            Err(LookupError::Absent) => self.report_unknown(expression, traversal, env),
            Err(LookupError::Stop(limit)) => {
                self.meter.stop(limit);
                self.stopped_by(expression);
            }
            Err(LookupError::Diagnosed(said)) => {
                let place = Place::at(traversal.root_span());
                if self.report_diagnosed(said, place, expression) == Told::Elsewhere {
                    let name = scope.slot_name(slot as usize).unwrap_or_default();
                    self.report(error::lookup_diagnosed(&name), place, expression, env.with(None));
                }
            }
            Err(LookupError::Failed(why)) => {
                let name = scope.slot_name(slot as usize).unwrap_or_default();
                let place = Place::at(traversal.root_span());
                self.report(error::lookup_failed(&name, &why), place, expression, env.with(None));
            }
        }
        None
    }

    fn report_unknown(&mut self, expression: Expression<'_>, traversal: Traversal<'_>, env: Env<'_>) {
        let locally = env.locals.into_iter().flat_map(Local::chain);
        let in_for = locally.into_iter().any(|local| local.names().is_some());
        let problem = problem_of_name(env.given().scope, traversal, in_for, locals::names(env.locals));
        self.report(problem, Place::at(traversal.root_span()), expression, env.with(None));
    }

    /// The item of the innermost splat, and the steps after it.
    pub(super) fn item<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let expression = env.source(at);
        let item = locals::item(env.locals).map_or_else(Flow::dynamic, Flow::Borrowed);
        let ExpressionKind::RelativeTraversal { source, steps } = expression.kind() else { return item };
        let before = self.diagnostics.len();
        self.open(source);
        self.close(&item, before);
        self.steps(item, steps, 0, expression, env)
    }

    /// Follows `steps` but the first `skip` of them.
    pub(super) fn steps<'e>(
        &mut self,
        value: Flow<'e>,
        steps: Steps<'_>,
        skip: usize,
        expression: Expression<'_>,
        env: Env<'e>,
    ) -> Flow<'e> {
        let (reached, taken) = match value {
            Flow::Borrowed(value) => {
                let (reached, taken) = self.plain_steps(value, steps, skip);
                (Flow::Borrowed(reached), taken)
            }
            Flow::Owned(value) => {
                let (reached, taken) = self.plain_steps(&value, steps, skip);
                (Flow::Owned(reached.clone()), taken)
            }
        };
        if taken == steps.len() {
            return reached;
        }
        self.general_steps(reached, steps, taken, expression, env)
    }

    /// Follows steps as long as everything is plain; tells how many have been taken.
    fn plain_steps<'v>(&mut self, mut value: &'v Value, steps: Steps<'_>, skip: usize) -> (&'v Value, usize) {
        let mut taken = skip;
        for step in steps.after(skip).iter() {
            let part = match step.kind {
                StepKind::Attribute(name) if name.len() <= STRETCH => plain_attribute(value, name),
                StepKind::Index(key) if !is_long_literal(key) => plain_element(value, &literal_of(key)),
                // Long names are normalised with looks at the limits.
                StepKind::Attribute(_) | StepKind::Index(_) => None,
                StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => None,
            };
            match part {
                Some(part) if self.meter.step().is_ok() => value = part,
                _ => break,
            }
            taken += 1;
        }
        (value, taken)
    }

    fn general_steps<'e>(
        &mut self,
        mut value: Flow<'e>,
        steps: Steps<'_>,
        skip: usize,
        expression: Expression<'_>,
        env: Env<'e>,
    ) -> Flow<'e> {
        for step in steps.after(skip).iter() {
            if self.meter.step().is_err() {
                self.stopped_by(expression);
                return Flow::dynamic();
            }
            value = match self.step(&value, step, expression, env) {
                Some(value) => value,
                None => return Flow::dynamic(),
            };
        }
        value
    }

    fn step<'e>(
        &mut self,
        value: &Flow<'e>,
        step: Step<'_>,
        expression: Expression<'_>,
        env: Env<'e>,
    ) -> Option<Flow<'e>> {
        let result = match step.kind {
            StepKind::Attribute(name) => {
                if name.len() <= STRETCH
                    && let Some(part) = part(value, |value| plain_attribute(value, name))
                {
                    return Some(part);
                }
                // Attribute names are normalised, as all text.
                let name = self.normal_text(name)?;
                index::attribute(value, &name)
            }
            StepKind::Index(key) => {
                let key = match key.literal() {
                    Some(Literal::Text(text)) => Value::string_nfc(self.normal_text(text)?),
                    _ => literal_of(key),
                };
                index::index_on(value, &key, &mut Some(self.meter))
            }
            StepKind::LegacyIndex(digits) => index::index(value, &Value::of_digits(digits)),
            StepKind::InvalidLegacyIndex => index::index(value, &Value::dynamic()),
        };
        match result {
            Ok(value) => Some(value.into()),
            Err(error) if let ValueErrorKind::Limit(_) = error.kind => {
                self.stopped_by(expression);
                None
            }
            Err(error) => {
                self.report(Problem::from(&error), Place::at(step.span), expression, env);
                None
            }
        }
    }
}

/// The value of a literal that is the key of a step.
fn literal_of(key: Expression<'_>) -> Value {
    literal_value(key).unwrap_or_else(Value::dynamic)
}

/// Follows the steps as long as every value is plain.
pub(super) fn follow<'v>(value: &'v Value, steps: &[CodeStep]) -> Option<&'v Value> {
    match steps {
        [step] => follow_one(value, step),
        steps => follow_several(value, steps),
    }
}

/// Follows a step from a plain value. Mostly there is one: a part of its callers, for 19 instructions less.
#[inline(always)]
fn follow_one<'v>(value: &'v Value, step: &CodeStep) -> Option<&'v Value> {
    match value.find_attribute_again(&step.probe) {
        Some(part) => Some(part),
        None => follow_short(value, std::slice::from_ref(step)),
    }
}

/// On its own because what finds names anew saves registers: 18 instructions for three steps.
#[inline(never)] // Inlined, it makes `splat_1000` take 13 % more instructions.
fn follow_several<'v>(mut value: &'v Value, mut steps: &[CodeStep]) -> Option<&'v Value> {
    while let Some((step, rest)) = steps.split_first()
        && let Some(part) = value.find_attribute_again(&step.probe)
    {
        value = part;
        steps = rest;
    }
    if steps.is_empty() { Some(value) } else { follow_short(value, steps) }
}

/// Follows steps whose keys are short and where they were found last: 22 instructions less than to find one of many anew.
fn follow_short<'v>(mut value: &'v Value, mut steps: &[CodeStep]) -> Option<&'v Value> {
    while let Some((step, rest)) = steps.split_first()
        && let Some(part) = step.find_short_again(value)
    {
        value = part;
        steps = rest;
    }
    if steps.is_empty() { Some(value) } else { follow_anew(value, steps) }
}

fn follow_anew<'v>(mut value: &'v Value, steps: &[CodeStep]) -> Option<&'v Value> {
    for step in steps {
        value = match step.key.as_ref()? {
            Value(Repr::String(name)) if name.is_long() => return None,
            Value(Repr::String(name)) => value.find_attribute(name, &step.probe)?,
            key => plain_element(value, key)?,
        };
    }
    Some(value)
}

/// A part of a value: borrowed from a borrowed one, cloned from one of our own.
pub(super) fn part<'e>(whole: &Flow<'e>, find: impl FnOnce(&Value) -> Option<&Value>) -> Option<Flow<'e>> {
    match whole {
        Flow::Borrowed(value) => find(value).map(Flow::Borrowed),
        Flow::Owned(value) => find(value).cloned().map(Flow::Owned),
    }
}

/// The attribute of a known object or map without marks, if it is there.
fn plain_attribute<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match &value.0 {
        Repr::Object(_) | Repr::Map(_) => value.get_attribute(name),
        _ => None,
    }
}

/// Elements of shorter lists are near to each other in the processor's memory.
const MANY_ELEMENTS: usize = 1 << 16;

/// The element of a known collection without marks, if the key is of the very type it takes. A long one is looked up elsewhere,
/// with looks at the limits.
pub(super) fn plain_element<'v>(value: &'v Value, key: &Value) -> Option<&'v Value> {
    match (&value.0, &key.0) {
        (Repr::List(_) | Repr::Tuple(_), Repr::Number(position)) => {
            let elements = value.elements()?;
            let element = elements.get(position.to_usize()?)?;
            if elements.len() >= MANY_ELEMENTS && element.address() != 0 {
                memory::count_taken(element.address());
            }
            Some(element)
        }
        (Repr::Object(_) | Repr::Map(_), Repr::String(key)) if !key.is_long() => value.get_attribute(key),
        _ => None,
    }
}

/// The slot that a traversal with these steps reads, and how many of the steps are part of the slot's path.
pub(crate) fn slot_of(name: &Name, steps: Steps<'_>) -> Option<(u32, usize)> {
    name.paths.slot_of(steps).or_else(|| name.slot.map(|slot| (slot, 0)))
}

/// Why a traversal's root has no value: what is unknown here, and what was perhaps meant.
pub(crate) fn problem_of_name<'c>(
    scope: Option<&'c Scope>,
    traversal: Traversal<'_>,
    in_for: bool,
    local_names: impl Iterator<Item = &'c str>,
) -> Problem {
    let root = traversal.root();
    if !in_for && !scope.is_some_and(Scope::has_variables) {
        return error::variables_not_allowed(root);
    }
    let Some(name) = scope.and_then(|scope| scope.name(root)) else {
        let known = local_names.chain(scope.into_iter().flat_map(Scope::variable_names));
        return error::unknown_variable(root, &known.take(suggest::MOST_CANDIDATES).collect::<Vec<_>>());
    };
    let slot_path = |slot: u32| scope.and_then(|scope| scope.slot_path(slot as usize));
    match slot_of(name, traversal.steps()) {
        Some((slot, _)) => error::unbound_slot(slot_path(slot).unwrap_or(root)),
        None => {
            // No more are looked at.
            let paths = name.paths.slots().take(suggest::MOST_CANDIDATES).filter_map(slot_path);
            error::only_paths(root, &as_path(traversal), &paths.collect::<Vec<_>>(), name.paths.len())
        }
    }
}

/// A variable with the attributes that follow it, as paths of slots are written.
fn as_path(traversal: Traversal<'_>) -> String {
    let mut path = traversal.root().to_owned();
    for step in traversal.steps().iter() {
        let StepKind::Attribute(name) = step.kind else { break };
        path.push('.');
        path.push_str(name);
    }
    path
}

/// The problem of a call, if only a later release of the dialect has its function: what evaluating the call reports.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::later_function_problem;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "convert(1, string)".parse()?;
/// let call = parsed.expression().as_static_call().unwrap();
/// let problem = later_function_problem(&dialect::terraform_1_11(), call, parsed.tree().source()).unwrap();
/// assert!(problem.detail.contains("1.15"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn later_function_problem(table: &FunctionTable, call: Call<'_>, source: &Source) -> Option<Diagnostic> {
    let problem = error::later_function(call.name(), table.later(call.name())?);
    Some(Diagnostic::error(problem.code, problem.summary, problem.detail).at(source, call.name_span()))
}

/// Why a called function is not there.
pub(crate) fn problem_of_function(scope: Option<&Scope>, name: &str) -> Problem {
    match scope.filter(|scope| scope.has_functions()) {
        None => error::functions_not_allowed(name),
        Some(scope) => match scope.later_function(name) {
            Some(reason) => error::later_function(name, reason),
            None => error::unknown_function(name, &scope.function_names().collect::<Vec<_>>()),
        },
    }
}
