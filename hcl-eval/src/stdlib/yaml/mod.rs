//! YAML: `yamlencode` and `yamldecode`.
//!
//! Reading follows YAML 1.1 as the reference reads it, with the scalars of `scalar`. Writing gives the text of the
//! reference's emitter, to the byte.

mod cursor;
mod decode;
mod encode;
mod parser;
mod scalar;
mod scan_scalar;
mod scan_tag;
mod scanner;
mod timestamp;

use super::support::{fail, long_text, text};
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;
use decode::Rules;

/// `yamlencode(value)`
pub(crate) fn yamlencode() -> Function {
    Function::new("yamlencode", "Writes the value as YAML.")
        .parameter(
            Parameter::new("value", Type::Dynamic)
                .described("Any value; sets become sequences.")
                .allow_null()
                .allow_dynamic(),
        )
        .returns(Type::String)
        .implementation(|invocation, args| match args.first() {
            Some(value) if value.is_wholly_known() => {
                let encoded = encode::encode(invocation, value)?;
                long_text(invocation, &encoded)
            }
            Some(_) => Ok(Value::unknown(Type::String)),
            None => fail("a value is required"),
        })
}

/// `yamldecode(src)`
pub(crate) fn yamldecode() -> Function {
    yamldecode_with(Rules { old_numbers: false, merge_sequences: true })
}

/// `yamldecode(src)`, where `<<` takes one mapping, not several.
pub(crate) fn yamldecode_merging_one() -> Function {
    yamldecode_with(Rules { old_numbers: false, merge_sequences: false })
}

/// `yamldecode(src)`, where besides numbers may have underscores and be binary.
pub(crate) fn yamldecode_with_old_numbers() -> Function {
    yamldecode_with(Rules { old_numbers: true, merge_sequences: false })
}

fn yamldecode_with(rules: Rules) -> Function {
    Function::new("yamldecode", "Reads a YAML document.")
        .parameter(Parameter::new("src", Type::String).described("Exactly one YAML document."))
        .returns(Type::Dynamic)
        .implementation(move |invocation, args| {
            let src = text(args, 0);
            invocation.charge_bytes(src.len())?;
            decode::decode(invocation, src, rules)
        })
}
