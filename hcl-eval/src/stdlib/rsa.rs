//! `rsadecrypt`: what was encrypted with an RSA key and PKCS #1 v1.5 padding.

use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::{BigUint, Pkcs1v15Encrypt, RsaPrivateKey};
use ssh_key::PrivateKey;

use super::encoding::from_base64;
use super::support::{Outcome, fail, function, refuse, text};
use crate::function::{Function, Invocation, Parameter};
use crate::types::Type;
use crate::value::Value;

/// Which files of private keys are understood.
#[derive(Copy, Clone, PartialEq, Eq)]
enum KeyFormats {
    /// PKCS #1, PKCS #8 and OpenSSH.
    All,
    Pkcs1,
}

/// `rsadecrypt(ciphertext, privatekey)`
pub(crate) fn rsadecrypt() -> Function {
    rsadecrypt_with(KeyFormats::All)
}

/// `rsadecrypt(ciphertext, privatekey)` for keys in the form of PKCS #1.
pub(crate) fn rsadecrypt_pkcs1() -> Function {
    rsadecrypt_with(KeyFormats::Pkcs1)
}

fn rsadecrypt_with(formats: KeyFormats) -> Function {
    function("rsadecrypt", "Decrypts a base64 text with an RSA key in PEM form.")
        .parameter(
            Parameter::new("ciphertext", Type::String)
                .described("What was encrypted with the public key (PKCS #1 version 1.5), in base64."),
        )
        .parameter(
            Parameter::new("privatekey", Type::String)
                .described("The private key in PEM form, without a passphrase."),
        )
        .returns(Type::String)
        .implementation(move |invocation, args| decrypt(invocation, text(args, 0), text(args, 1), formats))
}

fn decrypt(invocation: &mut Invocation<'_>, encrypted: &str, pem: &str, formats: KeyFormats) -> Outcome {
    invocation.charge_bytes(encrypted.len())?;
    let Some(encrypted) = from_base64(encrypted) else {
        return refuse(0, "the encrypted text must be base64");
    };
    // Arithmetic takes time in proportion to the cube of the key's length.
    let length = pem.len() as u64;
    invocation.charge_steps(length.saturating_mul(length).saturating_mul(length) / 4096)?;
    let key = match read_key(pem, formats) {
        Ok(key) => key,
        Err(problem) => return refuse(1, format!("invalid private key: {problem}")),
    };
    match key.decrypt(Pkcs1v15Encrypt, &encrypted) {
        Ok(plain) => Ok(Value::string(String::from_utf8_lossy(&plain))),
        Err(_) => fail("failed to decrypt: the text was not encrypted for this key"),
    }
}

fn read_key(text: &str, formats: KeyFormats) -> Result<RsaPrivateKey, String> {
    let no_key = "there is no PEM block of a private key".to_owned();
    let block = pem::parse(text).map_err(|_| no_key)?;
    if block.headers().get("Proc-Type").is_some_and(|kind| kind.contains("ENCRYPTED")) {
        return Err("it is protected by a passphrase, and must not be".to_owned());
    }
    let broken = || "the key is damaged".to_owned();
    match (block.tag(), formats) {
        ("RSA PRIVATE KEY", _) | (_, KeyFormats::Pkcs1) => {
            RsaPrivateKey::from_pkcs1_der(block.contents()).map_err(|_| broken())
        }
        ("PRIVATE KEY", KeyFormats::All) => RsaPrivateKey::from_pkcs8_der(block.contents())
            .map_err(|_| "it is no RSA key, or damaged".to_owned()),
        ("OPENSSH PRIVATE KEY", KeyFormats::All) => from_openssh(block.contents()),
        (other, KeyFormats::All) => Err(format!("a key of type {other:?} is not supported")),
    }
}

fn from_openssh(bytes: &[u8]) -> Result<RsaPrivateKey, String> {
    let damaged = "the OpenSSH key is damaged";
    let key = PrivateKey::from_bytes(bytes).map_err(|_| damaged.to_owned())?;
    if key.is_encrypted() {
        return Err("it is protected by a passphrase, and must not be".to_owned());
    }
    let Some(pair) = key.key_data().rsa() else { return Err("it is no RSA key".to_owned()) };
    let number = |part: &ssh_key::Mpint| part.as_positive_bytes().map(BigUint::from_bytes_be);
    let parts = [&pair.public.n, &pair.public.e, &pair.private.d, &pair.private.p, &pair.private.q];
    match parts.map(number) {
        [Some(n), Some(e), Some(d), Some(p), Some(q)] => {
            RsaPrivateKey::from_components(n, e, d, vec![p, q]).map_err(|_| damaged.to_owned())
        }
        _ => Err(damaged.to_owned()),
    }
}
