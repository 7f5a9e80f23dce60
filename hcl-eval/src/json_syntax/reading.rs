//! How products read the arguments of their blocks in JSON syntax.
//!
//! Most arguments are expressions, and their strings templates. Some are read without being evaluated: an address, a
//! type or a list of references is a string with the expression in it. Others are evaluated where there are no names,
//! and there a string means itself, whatever is in it.

use super::Reader;

/// How an argument is read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Reading {
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

/// The kind of a body.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Something that no product treats in a way of its own.
    Anything,
    /// `dynamic "rule" { … }`
    Dynamic,
    /// A file of a module of Terraform.
    Module,
    /// A file of a module of OpenTofu, which knows names in more places.
    ModuleWithEarlyNames,
    /// A file of values for variables, or something in which there are no names at all.
    Literals,
    Settings {
        has_names: bool,
    },
    RequiredProviders,
    Variable,
    /// A file of a template of Packer.
    Template,
    TemplateVariable,
    /// A file with a job of Nomad.
    Job,
    JobVariable,
    JobValidation,
    Output,
    ModuleCall {
        has_names: bool,
    },
    Provider,
    Resource,
    Lifecycle,
    ActionTrigger,
    Provisioner,
    Move,
    Removal,
    Import,
    Check,
}

impl Place {
    /// A file for a reader.
    pub(super) fn file(reader: Reader) -> Self {
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
    pub(super) fn argument(self, name: &str) -> Reading {
        match (self, name) {
            (Self::Literals, _) | (Self::Settings { .. }, "required_version") => Reading::Literal,
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
            (Self::Resource | Self::Import, "provider") => Reading::Reference,
            (Self::Output | Self::ModuleCall { .. } | Self::Resource, "depends_on") => Reading::References,
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

    /// The body of a block in the body.
    pub(super) fn block(self, block_type: &str, n_labels: usize) -> Self {
        match (self, block_type) {
            (Self::Module, _) => Self::of_module(block_type, false),
            (Self::ModuleWithEarlyNames, _) => Self::of_module(block_type, true),
            (Self::Literals, _) => Self::Literals,
            (Self::Template, "variable") => Self::TemplateVariable,
            (Self::Job, "variable") => Self::JobVariable,
            (Self::Job, "variables") => Self::Literals,
            (Self::JobVariable, "validation") => Self::JobValidation,
            (Self::Settings { .. }, "required_providers") => Self::RequiredProviders,
            (Self::Settings { has_names: false }, "backend" | "cloud") => Self::Literals,
            (Self::Resource | Self::Removal, "lifecycle") => Self::Lifecycle,
            (Self::Resource | Self::Removal, "provisioner") => Self::Provisioner,
            (Self::Lifecycle, "action_trigger") => Self::ActionTrigger,
            (Self::Check, "data") => Self::Resource,
            (_, "dynamic") if n_labels == 1 => Self::Dynamic,
            _ => Self::Anything,
        }
    }

    fn of_module(block_type: &str, has_names: bool) -> Self {
        match block_type {
            "terraform" => Self::Settings { has_names },
            "variable" => Self::Variable,
            "output" => Self::Output,
            "module" => Self::ModuleCall { has_names },
            "provider" => Self::Provider,
            "resource" | "data" | "ephemeral" | "action" => Self::Resource,
            "moved" => Self::Move,
            "removed" => Self::Removal,
            "import" => Self::Import,
            "check" => Self::Check,
            _ => Self::Anything,
        }
    }

    /// Returns true if the order of blocks of a type means something although their labels differ.
    pub(super) fn is_ordered(self, block_type: &str) -> bool {
        matches!(self, Self::Resource | Self::Removal) && block_type == "provisioner"
    }
}
