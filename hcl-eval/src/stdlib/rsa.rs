//! `rsadecrypt`: what was encrypted with an RSA key and PKCS #1 v1.5 padding.

use num_bigint::BigUint;
use pkcs8::PrivateKeyInfo;

use super::encoding::decode_base64;
use super::support::{Outcome, fail, function, refuse, text};
use crate::function::{Function, Invocation, Parameter};
use crate::limits::{BYTES_PER_PART, LimitReached};
use crate::types::Type;
use crate::value::Value;
use crate::value::string::stretches;

/// Which files of private keys are understood.
#[derive(Copy, Clone, PartialEq, Eq)]
enum KeyFormats {
    /// PKCS #1, PKCS #8 and OpenSSH.
    All,
    /// PKCS #1 only.
    Pkcs1,
}

impl KeyFormats {
    /// An error that blames an argument. Products that know PKCS #1 only do not say which one it is.
    fn refuse(self, argument: usize, problem: impl Into<String>) -> Outcome {
        match self {
            Self::All => refuse(argument, problem),
            Self::Pkcs1 => fail(problem),
        }
    }
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

/// Decrypts a base64 text. The plain text need not be UTF-8; what is not becomes replacement characters.
fn decrypt(invocation: &mut Invocation<'_>, encrypted: &str, pem: &str, formats: KeyFormats) -> Outcome {
    invocation.charge_bytes(encrypted.len())?;
    let Some(encrypted) = decode_base64(invocation, encrypted)? else {
        return formats.refuse(0, "the encrypted text must be base64");
    };
    invocation.charge_bytes(pem.len())?;
    let block = first_block(invocation, pem)?;
    // Arithmetic takes time in proportion to the cube of the key's length.
    let length = block.len() as u64;
    invocation.charge_steps(length * length * length / 4096)?;
    let key = match read_key(block, formats) {
        Ok(key) => key,
        Err(problem) => return formats.refuse(1, format!("invalid private key: {problem}")),
    };
    match key.decrypt(&encrypted) {
        Some(plain) => Ok(Value::string(String::from_utf8_lossy(&plain))),
        None => fail("failed to decrypt: the text was not encrypted for this key"),
    }
}

/// The numbers of a key.
struct Key {
    modulus: BigUint,
    public: BigUint,
    private: BigUint,
    primes: [BigUint; 2],
}

/// No larger keys are in use, and arithmetic takes its time.
const MAX_BITS: u64 = 8192;

impl Key {
    /// A key of modulus, public exponent, private exponent and primes; nothing if they do not belong together, or if
    /// a size is out of range.
    fn new(parts: [&[u8]; 5]) -> Option<Key> {
        let [modulus, public, private, p, q] = parts.map(BigUint::from_bytes_be);
        let one = BigUint::from(1_u8);
        let sound = (2..=MAX_BITS).contains(&modulus.bits())
            && public < modulus
            && (2..=33).contains(&public.bits())
            && public.bit(0)
            && [&p, &q].iter().all(|prime| prime.bit(0) && **prime > one)
            && &p * &q == modulus
            && [&p, &q].iter().all(|prime| (&public * &private) % (*prime - &one) == one);
        sound.then_some(Key { modulus, public, private, primes: [p, q] })
    }

    /// Decrypts a text that was padded by version 1.5 of PKCS #1; `None` if it was not, or for another key.
    fn decrypt(&self, encrypted: &[u8]) -> Option<Vec<u8>> {
        let length = usize::try_from(self.modulus.bits().div_ceil(8)).ok()?;
        let encrypted = Some(encrypted).filter(|all| all.len() == length).map(BigUint::from_bytes_be)?;
        let [p, q] = &self.primes;
        // Modulo each prime, which takes a quarter of the time, and then together.
        let power = |prime: &BigUint| encrypted.modpow(&(&self.private % (prime - 1_u8)), prime);
        let (by_p, by_q) = (power(p), power(q));
        let apart = (&by_p + p - &by_q % p) * q.modinv(p)?;
        let padded = by_q + apart % p * q;
        if padded.modpow(&self.public, &self.modulus) != encrypted {
            return None;
        }
        // A zero byte and a two, at least eight that are not zero, a zero, the text.
        match padded.to_bytes_be().as_slice() {
            [2, rest @ ..] if rest.len() + 2 == length => {
                let end = rest.iter().position(|&byte| byte == 0).filter(|&end| end >= 8)?;
                Some(rest[end + 1..].to_vec())
            }
            _ => None,
        }
    }
}

/// More bytes than a PEM block of a key of [`MAX_BITS`] has, in any form and with headers.
const MAX_BLOCK: usize = 1 << 16;

/// A text from its first PEM block on, as far as a key reaches; empty if there is none. The search looks at the limits.
fn first_block<'a>(invocation: &mut Invocation<'_>, text: &'a str) -> Result<&'a str, LimitReached> {
    const BEGIN: &str = "-----BEGIN ";
    let mut start = 0;
    for stretch in stretches(text) {
        invocation.meter().go_on(stretch.len() / BYTES_PER_PART)?;
        // The mark may reach into the next stretch.
        let reach = (start + stretch.len() + BEGIN.len() - 1).min(text.len());
        if let Some(at) = text[start..text.ceil_char_boundary(reach)].find(BEGIN) {
            let block = &text[start + at..];
            return Ok(&block[..block.floor_char_boundary(MAX_BLOCK)]);
        }
        start += stretch.len();
    }
    Ok("")
}

/// Reads the first PEM block of a text. The error is part of a sentence.
fn read_key(text: &str, formats: KeyFormats) -> Result<Key, String> {
    let no_key = "there is no PEM block of a private key".to_owned();
    let block = pem::parse(text).map_err(|_| no_key)?;
    if block.headers().get("Proc-Type").is_some_and(|kind| kind.contains("ENCRYPTED")) {
        return Err("it is protected by a passphrase, and must not be".to_owned());
    }
    match (block.tag(), formats) {
        ("RSA PRIVATE KEY", _) | (_, KeyFormats::Pkcs1) => {
            from_pkcs1(block.contents()).ok_or_else(|| "the key is damaged".to_owned())
        }
        ("PRIVATE KEY", KeyFormats::All) => PrivateKeyInfo::try_from(block.contents())
            .ok()
            .filter(|info| info.algorithm.oid == pkcs1::ALGORITHM_OID)
            .and_then(|info| from_pkcs1(info.private_key))
            .ok_or_else(|| "it is no RSA key, or damaged".to_owned()),
        ("OPENSSH PRIVATE KEY", KeyFormats::All) => from_openssh(block.contents()),
        (other, KeyFormats::All) => Err(format!("a key of type {other:?} is not supported")),
    }
}

/// Reads a key in the form of PKCS #1.
fn from_pkcs1(bytes: &[u8]) -> Option<Key> {
    let key = pkcs1::RsaPrivateKey::try_from(bytes).ok()?;
    let parts = [key.modulus, key.public_exponent, key.private_exponent, key.prime1, key.prime2];
    Key::new(parts.each_ref().map(|part| part.as_bytes()))
}

/// Reads a key in the form of OpenSSH, in which numbers and texts have their length before them. The error is part of
/// a sentence.
fn from_openssh(bytes: &[u8]) -> Result<Key, String> {
    let damaged = || "the OpenSSH key is damaged".to_owned();
    let mut rest = bytes.strip_prefix(b"openssh-key-v1\0").ok_or_else(damaged)?;
    let [Some(cipher), Some(_), Some(_)] = [(); 3].map(|()| counted(&mut rest)) else {
        return Err(damaged());
    };
    if cipher != b"none" {
        return Err("it is protected by a passphrase, and must not be".to_owned());
    }
    // How many keys there are, which is one; its public part; what is private.
    let Some((&[0, 0, 0, 1], mut rest)) = rest.split_first_chunk() else { return Err(damaged()) };
    let [Some(_), Some(mut private)] = [(); 2].map(|()| counted(&mut rest)) else { return Err(damaged()) };
    // Two equal numbers show that it was deciphered.
    match private.split_at_checked(4) {
        Some((number, after)) if after.starts_with(number) => private = &after[4..],
        _ => return Err(damaged()),
    }
    match counted(&mut private) {
        Some(b"ssh-rsa") => {}
        Some(_) => return Err("it is no RSA key".to_owned()),
        None => return Err(damaged()),
    }
    match [(); 6].map(|()| counted(&mut private)) {
        [Some(n), Some(e), Some(d), Some(_), Some(p), Some(q)] => Key::new([n, e, d, p, q]),
        _ => None,
    }
    .ok_or_else(damaged)
}

/// Takes as many bytes as the four before them say; nothing if there are not so many.
fn counted<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk()?;
    let (counted, after) = after.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    *rest = after;
    Some(counted)
}
