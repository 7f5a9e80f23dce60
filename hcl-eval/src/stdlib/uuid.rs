//! `uuidv5`: identifiers made from names.

use sha1::{Digest, Sha1};
use uuid::{Builder, Uuid};

use super::support::{fail, function, shown, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::types::Type;
use crate::value::Value;
use crate::value::string::STRETCH;

/// `uuidv5(namespace, name)`
pub(crate) fn uuidv5() -> Function {
    function("uuidv5", "Makes a UUID of version 5 from a namespace and a name.")
        .parameter(
            Parameter::new("namespace", Type::String)
                .described("The namespace: dns, url, oid, x500 or a UUID."),
        )
        .parameter(
            Parameter::new("name", Type::String)
                .described("The name in the namespace; equal names give equal identifiers."),
        )
        .returns(Type::String)
        .implementation(|invocation, args| {
            let name = text(args, 1).as_bytes();
            invocation.charge_steps(name.len() as u64 / 16)?;
            match namespace(text(args, 0)) {
                Ok(namespace) => {
                    let uuid = of_name(invocation, &namespace, name)?;
                    Ok(Value::string(uuid.hyphenated().to_string()))
                }
                Err(problem) => fail(format!(
                    "{:?} is no namespace ({problem}): use dns, url, oid, x500 or a UUID",
                    shown(text(args, 0))
                )),
            }
        })
}

/// The first bytes of a digest, made with looks at the limits, marked as version 5.
fn of_name(invocation: &mut Invocation<'_>, namespace: &Uuid, name: &[u8]) -> Result<Uuid, FunctionError> {
    let mut digest = Sha1::new_with_prefix(namespace);
    for stretch in name.chunks(STRETCH) {
        invocation.go_on(stretch.len() / BYTES_PER_PART)?;
        digest.update(stretch);
    }
    let digest: [u8; 20] = digest.finalize().into();
    let [first @ .., _, _, _, _] = digest;
    Ok(Builder::from_sha1_bytes(first).into_uuid())
}

/// A namespace by name, or a UUID: bare, with 32 digits, behind `urn:uuid:`, or between any two characters.
fn namespace(text: &str) -> Result<Uuid, &'static str> {
    const URN: &str = "urn:uuid:";
    let digits = match text {
        "dns" => return Ok(Uuid::NAMESPACE_DNS),
        "url" => return Ok(Uuid::NAMESPACE_URL),
        "oid" => return Ok(Uuid::NAMESPACE_OID),
        "x500" => return Ok(Uuid::NAMESPACE_X500),
        _ if text.len() == 45 => match text.split_at_checked(URN.len()) {
            Some((urn, rest)) if urn.eq_ignore_ascii_case(URN) => rest,
            _ => return Err("not in the form of a UUID"),
        },
        _ if text.len() == 38 => text.get(1..37).ok_or("not in the form of a UUID")?,
        _ if matches!(text.len(), 32 | 36) => text,
        _ => return Err("it has not the length of a UUID"),
    };
    // Thirty-two digits have no dashes, thirty-six characters have.
    match Uuid::try_parse(digits) {
        Ok(uuid) if digits.len() == 36 || text.len() == 32 => Ok(uuid),
        _ => Err("not in the form of a UUID"),
    }
}
