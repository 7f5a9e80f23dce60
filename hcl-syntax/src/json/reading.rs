//! How products read the arguments of their blocks in JSON syntax: the one table that conversions of both directions
//! use.
//!
//! Most arguments are expressions, and their strings templates. Some are read without being evaluated: an address, a
//! type or a list of references is a string with the expression in it. Others are evaluated where there are no names,
//! and there a string means itself, whatever is in it.

use crate::ast::{Expression, ExpressionKind, StepKind, variable_expressions};

/// The reader of a configuration in JSON syntax.
///
/// ```
/// use hcl_syntax::json::{JsonFile, reading::Reader, to_native_for};
///
/// let file = JsonFile::parse("a.tf.json", r#"{"variable": {"a": {"type": "list(string)"}}}"#)?;
/// let (text, _) = to_native_for(&file, None, Reader::Terraform);
/// assert!(text.contains("type = list(string)"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reader {
    /// A program that evaluates all arguments.
    #[default]
    Anybody,
    /// Terraform, which reads addresses, types and lists of references without evaluating them, and some arguments,
    /// such as the defaults of variables, where there are no names.
    Terraform,
    /// `OpenTofu`, which reads a module as Terraform does, but for names in more places.
    OpenTofu,
    /// Packer, which reads types of variables, and where there are no names their descriptions, in ways of their own.
    Packer,
    /// Nomad, which reads types of variables without evaluating them, and their defaults where there are no names.
    Nomad,
    /// A product that reads the values of variables, such as a file `*.tfvars`: no string is a template.
    Values,
}

/// The way in which an argument is read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// An expression, in which strings are templates.
    Expression,
    /// An expression without names, in which strings mean themselves.
    Literal,
    /// A name, a reference or an address: `terraform_data.a[0]`.
    Reference,
    /// Several of these: `[terraform_data.a, var.b]`; or a single name: `all`.
    References,
    /// A type: `list(string)`.
    Type,
    /// References by references: `{ aws.east = aws }`.
    Mapping,
    /// Requirements of a provider: literals, but for its `configuration_aliases`.
    Requirement,
}

/// How what a table does not know is told apart in JSON syntax without a schema.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Others {
    /// All of it is arguments.
    Arguments,
    /// The shape of each value decides.
    ByShape,
}

/// The kind of a body.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// Something that no product treats in a way of its own.
    Anything,
    /// `dynamic "rule" { … }`
    Dynamic,
    /// A file of a module of Terraform.
    Module,
    /// A file of a module of `OpenTofu`, which knows names in more places.
    ModuleWithEarlyNames,
    /// A file of values for variables.
    Literals,
    /// `terraform { … }`
    Settings {
        /// True if there are names in it.
        has_names: bool,
    },
    /// `required_providers { … }`
    RequiredProviders,
    /// `backend "local" { … }` and `cloud { … }`
    Backend {
        /// True if there are names in it.
        has_names: bool,
    },
    /// `variable "a" { … }`
    Variable,
    /// `output "a" { … }`
    Output,
    /// `locals { … }`, and other blocks of arguments only.
    Locals,
    /// `module "a" { … }`
    ModuleCall {
        /// True if there are names in its source.
        has_names: bool,
    },
    /// `provider "a" { … }`
    Provider,
    /// `resource "a" "b" { … }`, `data` and their like.
    Resource,
    /// A resource of the provider that the product has built in: it has no blocks of its own.
    OwnResource,
    /// `lifecycle { … }`
    Lifecycle,
    /// `action_trigger { … }`
    ActionTrigger,
    /// `provisioner "a" { … }`
    Provisioner,
    /// `moved { … }`
    Move,
    /// `removed { … }`
    Removal,
    /// `import { … }`
    Import,
    /// `check "a" { … }`
    Check,
    /// A file of a template of Packer.
    Template,
    /// `variable "a" { … }` of Packer.
    TemplateVariable,
    /// A file with a job of Nomad.
    Job,
    /// `variable "a" { … }` of Nomad.
    JobVariable,
    /// `validation { … }` in a variable of Nomad.
    JobValidation,
}

impl Place {
    /// A file for a reader.
    pub fn file(reader: Reader) -> Self {
        match reader {
            Reader::Anybody => Self::Anything,
            Reader::Terraform => Self::Module,
            Reader::OpenTofu => Self::ModuleWithEarlyNames,
            Reader::Packer => Self::Template,
            Reader::Nomad => Self::Job,
            Reader::Values => Self::Literals,
        }
    }

    /// How an argument of the body is read.
    pub fn argument(self, name: &str) -> Reading {
        match (self, name) {
            (Self::Literals | Self::Backend { has_names: false }, _)
            | (Self::Settings { .. }, "required_version") => Reading::Literal,
            (Self::Settings { .. }, "experiments") => Reading::References,
            (Self::Settings { .. }, "language") => Reading::Reference,
            (Self::RequiredProviders, _) => Reading::Requirement,
            (Self::Variable | Self::TemplateVariable | Self::JobVariable | Self::Output, "type") => {
                Reading::Type
            }
            (Self::Variable | Self::JobVariable, _) => Reading::Literal,
            (Self::TemplateVariable, "description" | "sensitive") => Reading::Literal,
            (Self::JobValidation, "error_message") => Reading::Literal,
            (Self::Output, "description" | "sensitive" | "ephemeral" | "deprecated") => Reading::Literal,
            (Self::ModuleCall { has_names: false }, "source" | "version") => Reading::Literal,
            (Self::ModuleCall { .. }, "providers") => Reading::Mapping,
            (Self::Provider, "alias" | "version") => Reading::Literal,
            (Self::Resource | Self::OwnResource | Self::Import, "provider") => Reading::Reference,
            (Self::Output | Self::ModuleCall { .. } | Self::Resource | Self::OwnResource, "depends_on") => {
                Reading::References
            }
            (Self::Lifecycle, "ignore_changes" | "replace_triggered_by")
            | (Self::ActionTrigger, "events" | "actions") => Reading::References,
            (Self::Lifecycle, "create_before_destroy" | "prevent_destroy" | "destroy") => Reading::Literal,
            (Self::Provisioner, "when" | "on_failure")
            | (Self::Move, "from" | "to")
            | (Self::Removal, "from")
            | (Self::Import, "to")
            | (Self::Dynamic, "iterator") => Reading::Reference,
            _ => Reading::Expression,
        }
    }

    /// The body of a block in the body. `labels` are all labels of the block.
    #[must_use]
    pub fn block(self, block_type: &str, labels: &[&str]) -> Self {
        match (self, block_type) {
            (Self::Module, _) => Self::of_module(block_type, labels, false),
            (Self::ModuleWithEarlyNames, _) => Self::of_module(block_type, labels, true),
            (Self::Literals, _) => Self::Literals,
            (Self::Template, "variable") => Self::TemplateVariable,
            (Self::Template, "variables" | "locals") | (Self::Job, "locals") => Self::Locals,
            (Self::Job, "variable") => Self::JobVariable,
            (Self::Job, "variables") => Self::Literals,
            (Self::JobVariable, "validation") => Self::JobValidation,
            (Self::Backend { .. }, _) => self,
            (Self::Settings { .. }, "required_providers") => Self::RequiredProviders,
            (Self::Settings { has_names }, "backend" | "cloud") => Self::Backend { has_names },
            (Self::Resource | Self::OwnResource | Self::Removal, "lifecycle") => Self::Lifecycle,
            (Self::Resource | Self::OwnResource | Self::Removal, "provisioner") => Self::Provisioner,
            (Self::Lifecycle, "action_trigger") => Self::ActionTrigger,
            (Self::Check, "data") => Self::resource(labels),
            // Arguments that are called as those that every block of the type has.
            (Self::ModuleCall { .. } | Self::Provisioner | Self::OwnResource, "_") => Self::Locals,
            (_, "dynamic") if labels.len() == 1 => Self::Dynamic,
            _ => Self::Anything,
        }
    }

    fn of_module(block_type: &str, labels: &[&str], has_names: bool) -> Self {
        match block_type {
            "terraform" => Self::Settings { has_names },
            "variable" => Self::Variable,
            "output" => Self::Output,
            "locals" => Self::Locals,
            "module" => Self::ModuleCall { has_names },
            "provider" => Self::Provider,
            "resource" | "data" | "ephemeral" | "action" => Self::resource(labels),
            "moved" => Self::Move,
            "removed" => Self::Removal,
            "import" => Self::Import,
            "check" => Self::Check,
            _ => Self::Anything,
        }
    }

    fn resource(labels: &[&str]) -> Self {
        match labels.first() {
            Some(&("terraform_data" | "terraform_remote_state")) => Self::OwnResource,
            _ => Self::Resource,
        }
    }

    /// The types of blocks that the body is known to have, with how many labels each has, and how anything else in it
    /// is told apart.
    pub fn blocks(self) -> (&'static [(&'static str, usize)], Others) {
        match self {
            Self::Anything => (&[], Others::ByShape),
            Self::Provider => (&[("_", 0)], Others::ByShape),
            Self::Module | Self::ModuleWithEarlyNames => (MODULE, Others::ByShape),
            Self::Settings { .. } => (SETTINGS, Others::ByShape),
            Self::Backend { .. } => (&[("workspaces", 0)], Others::ByShape),
            Self::Resource => (RESOURCE, Others::ByShape),
            Self::OwnResource => (RESOURCE, Others::Arguments),
            Self::Removal => (REMOVAL, Others::Arguments),
            Self::Lifecycle => (LIFECYCLE, Others::Arguments),
            Self::Check => (&[("data", 2), ("assert", 0)], Others::Arguments),
            Self::Provisioner => (&[("connection", 0), ("_", 0)], Others::Arguments),
            Self::Variable | Self::TemplateVariable | Self::JobVariable => {
                (&[("validation", 0)], Others::Arguments)
            }
            Self::Template => (TEMPLATE, Others::ByShape),
            Self::Job => (JOB, Others::ByShape),
            Self::Output => (&[("precondition", 0)], Others::Arguments),
            Self::ModuleCall { .. } => (&[("lifecycle", 0), ("_", 0)], Others::Arguments),
            Self::Dynamic => (&[("content", 0)], Others::Arguments),
            Self::Literals
            | Self::RequiredProviders
            | Self::Locals
            | Self::ActionTrigger
            | Self::Move
            | Self::Import
            | Self::JobValidation => (&[], Others::Arguments),
        }
    }

    /// Returns true if the order of blocks of a type means something although their labels differ.
    pub fn is_ordered(self, block_type: &str) -> bool {
        matches!(self, Self::Resource | Self::OwnResource | Self::Removal) && block_type == "provisioner"
    }
}

/// The blocks of a file of a module.
const MODULE: &[(&str, usize)] = &[
    ("terraform", 0),
    ("variable", 1),
    ("output", 1),
    ("locals", 0),
    ("module", 1),
    ("provider", 1),
    ("resource", 2),
    ("data", 2),
    ("ephemeral", 2),
    ("action", 2),
    ("moved", 0),
    ("removed", 0),
    ("import", 0),
    ("check", 1),
];

/// The blocks of a file of a template of Packer.
const TEMPLATE: &[(&str, usize)] = &[
    ("packer", 0),
    ("variable", 1),
    ("variables", 0),
    ("locals", 0),
    ("local", 1),
    ("data", 2),
    ("source", 2),
    ("build", 0),
];

/// The blocks of a file with a job of Nomad.
const JOB: &[(&str, usize)] = &[("variable", 1), ("variables", 0), ("locals", 0), ("job", 1)];

/// The blocks of the settings of a module.
const SETTINGS: &[(&str, usize)] =
    &[("required_providers", 0), ("backend", 1), ("cloud", 0), ("provider_meta", 1)];

/// The blocks that every resource may have.
const RESOURCE: &[(&str, usize)] =
    &[("lifecycle", 0), ("provisioner", 1), ("connection", 0), ("dynamic", 1), ("_", 0)];

/// The blocks of a removal.
const REMOVAL: &[(&str, usize)] = &[("lifecycle", 0), ("provisioner", 1), ("connection", 0)];

/// The blocks of the rules of a resource's life.
const LIFECYCLE: &[(&str, usize)] = &[("precondition", 0), ("postcondition", 0), ("action_trigger", 0)];

/// A reference as it is written where it stands alone, with every index in brackets; of what is in quotes the text; and
/// anything else as it stands.
pub fn reference_text(expression: Expression<'_>) -> String {
    if let ExpressionKind::Text(text) = expression.kind() {
        return text.to_owned();
    }
    let Some(traversal) = expression.as_static_traversal() else {
        return expression.source_text().to_owned();
    };
    let mut text = traversal.root.to_owned();
    for step in traversal.steps.iter() {
        match step.kind {
            StepKind::Attribute(name) => text.extend([".", name]),
            StepKind::Index(key) => text.extend(["[", key.source_text(), "]"]),
            StepKind::LegacyIndex(digits) => text.extend(["[", digits, "]"]),
            StepKind::InvalidLegacyIndex => return expression.source_text().to_owned(),
        }
    }
    text
}

/// The text that stands between `${` and `}` for an expression that is interpolated.
///
/// To Nomad a runtime reference right behind `${` and spaces is a text that begins there. What is behind it up to `}`
/// belongs to that, if it is blanks or a strip marker. To everybody else it is the expression alone.
pub fn interpolated_text(expression: Expression<'_>, reader: Reader) -> &str {
    if reader != Reader::Nomad || !begins_with_reference(expression) {
        return expression.source_text();
    }
    let (text, span) = (expression.tree().source().text(), expression.span());
    let before = text[..span.start as usize].trim_end_matches(' ');
    if !before.ends_with("${") {
        return expression.source_text();
    }
    let rest = &text[span.end as usize..];
    let behind = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let n_blanks = rest.len() - behind.len();
    let n_kept = match behind.as_bytes() {
        [b'}', ..] => n_blanks,
        [b'~', b'}', ..] if n_blanks == 0 => 1,
        _ => 0,
    };
    let end = span.end as usize + n_kept;
    &text[before.len()..end]
}

/// Returns true if the text of an expression begins with a name that Nomad may not know.
fn begins_with_reference(expression: Expression<'_>) -> bool {
    variable_expressions(expression).iter().any(|variable| {
        let is_known =
            variable.as_static_traversal().is_some_and(|name| matches!(name.root, "var" | "local"));
        variable.span().start == expression.span().start && !is_known
    })
}

/// Returns true for an expression that is a value as it stands, which is no reference and no type.
pub fn is_plain_value(expression: Expression<'_>) -> bool {
    matches!(
        expression.kind(),
        ExpressionKind::Null
            | ExpressionKind::Bool(_)
            | ExpressionKind::Number(_)
            | ExpressionKind::Tuple(_)
            | ExpressionKind::Object(_)
    )
}
