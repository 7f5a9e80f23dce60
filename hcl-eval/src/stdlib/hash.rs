//! Digests of texts, in hexadecimal or base64.

use md5::Md5;
use sha1::Sha1;
use sha2::digest::Output;
use sha2::{Digest, Sha256, Sha512};

use super::encoding::to_base64;
use super::support::{function, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::types::Type;
use crate::value::Value;
use crate::value::string::STRETCH;

/// The digest of bytes that have been charged for, with looks at the limits.
pub(super) fn digest_of<D: Digest>(
    invocation: &mut Invocation<'_>,
    bytes: &[u8],
) -> Result<Output<D>, FunctionError> {
    let mut digest = D::new();
    for stretch in bytes.chunks(STRETCH) {
        invocation.go_on(stretch.len() / BYTES_PER_PART)?;
        digest.update(stretch);
    }
    Ok(digest.finalize())
}

/// A digest as a text.
pub(super) type Write = fn(&mut Invocation<'_>, &[u8]) -> Result<String, FunctionError>;

/// A function that digests a text.
fn digest(name: &'static str, description: &'static str, body: Write) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text; its UTF-8 bytes are digested."))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_steps(text(args, 0).len() as u64 / 16)?;
            Ok(Value::string(body(invocation, text(args, 0).as_bytes())?))
        })
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `md5(str)`
pub(crate) fn md5() -> Function {
    digest("md5", "Gives the MD5 digest of the text in hexadecimal.", |invocation, bytes| {
        Ok(hex(&digest_of::<Md5>(invocation, bytes)?))
    })
}

/// `sha1(str)`
pub(crate) fn sha1() -> Function {
    digest("sha1", "Gives the SHA-1 digest of the text in hexadecimal.", |invocation, bytes| {
        Ok(hex(&digest_of::<Sha1>(invocation, bytes)?))
    })
}

/// `sha256(str)`
pub(crate) fn sha256() -> Function {
    digest("sha256", "Gives the SHA-256 digest of the text in hexadecimal.", |invocation, bytes| {
        Ok(hex(&digest_of::<Sha256>(invocation, bytes)?))
    })
}

/// `sha512(str)`
pub(crate) fn sha512() -> Function {
    digest("sha512", "Gives the SHA-512 digest of the text in hexadecimal.", |invocation, bytes| {
        Ok(hex(&digest_of::<Sha512>(invocation, bytes)?))
    })
}

/// `base64sha256(str)`
pub(crate) fn base64sha256() -> Function {
    digest("base64sha256", "Gives the SHA-256 digest of the text in base64.", |invocation, bytes| {
        Ok(to_base64(&digest_of::<Sha256>(invocation, bytes)?))
    })
}

/// `base64sha512(str)`
pub(crate) fn base64sha512() -> Function {
    digest("base64sha512", "Gives the SHA-512 digest of the text in base64.", |invocation, bytes| {
        Ok(to_base64(&digest_of::<Sha512>(invocation, bytes)?))
    })
}
