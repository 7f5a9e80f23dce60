//! Digests of texts, in hexadecimal or base64.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::encoding::to_base64;
use super::support::{function, text};
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;

fn digest(name: &'static str, description: &'static str, body: fn(&str) -> String) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text; its UTF-8 bytes are digested."))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_steps(text(args, 0).len() as u64 / 16)?;
            Ok(Value::string(body(text(args, 0))))
        })
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `md5(str)`
pub(crate) fn md5() -> Function {
    digest("md5", "Gives the MD5 digest of the text in hexadecimal.", |str| hex(&Md5::digest(str)))
}

/// `sha1(str)`
pub(crate) fn sha1() -> Function {
    digest("sha1", "Gives the SHA-1 digest of the text in hexadecimal.", |str| hex(&Sha1::digest(str)))
}

/// `sha256(str)`
pub(crate) fn sha256() -> Function {
    digest("sha256", "Gives the SHA-256 digest of the text in hexadecimal.", |str| hex(&Sha256::digest(str)))
}

/// `sha512(str)`
pub(crate) fn sha512() -> Function {
    digest("sha512", "Gives the SHA-512 digest of the text in hexadecimal.", |str| hex(&Sha512::digest(str)))
}

/// `base64sha256(str)`
pub(crate) fn base64sha256() -> Function {
    digest("base64sha256", "Gives the SHA-256 digest of the text in base64.", |str| {
        to_base64(&Sha256::digest(str))
    })
}

/// `base64sha512(str)`
pub(crate) fn base64sha512() -> Function {
    digest("base64sha512", "Gives the SHA-512 digest of the text in base64.", |str| {
        to_base64(&Sha512::digest(str))
    })
}
