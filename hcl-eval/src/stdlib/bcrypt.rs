//! `bcrypt`: slow digests of passwords.
//!
//! The cipher is a crate's; the rounds are here, so that their work is charged and can be cut short.

use base64::Engine;
use base64::alphabet::BCRYPT;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::NO_PAD;
use blowfish::Blowfish;

use super::support::{WHOLE_NUMBER, fail, function, number, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::host::Capability;
use crate::types::Type;
use crate::value::Value;

/// The cost in place of one below the least.
const DEFAULT_COST: u32 = 10;
/// The costs that the algorithm has.
const COSTS: std::ops::RangeInclusive<i64> = 4..=31;
/// Longer passwords would be cut off silently.
const LONGEST_PASSWORD: usize = 72;
/// The charge for one of the `2^cost` rounds, in steps.
const STEPS_PER_ROUND: u64 = 4096;
/// The base64 of bcrypt, which has an alphabet of its own and no padding.
const ALPHABET: GeneralPurpose = GeneralPurpose::new(&BCRYPT, NO_PAD);

/// `bcrypt(str[, cost])`
pub(crate) fn bcrypt() -> Function {
    function("bcrypt", "Makes a digest of a password with the Blowfish cipher and a random salt.")
        .parameter(Parameter::new("str", Type::String).described("The password, at most 72 bytes."))
        .variadic(Parameter::new("cost", Type::Number).described("The cost, from 4 to 31, 10 if it is left out: every step doubles the work. Lower numbers count as 10; no more than one."))
        .returns(Type::String)
        .needs(Capability::Random)
        .implementation(|invocation, args| {
            if args.len() > 2 {
                return fail(format!("bcrypt() takes no more than two arguments, got {}", args.len()));
            }
            let cost = match args.get(1).map(|_| number(args, 1).to_i64()) {
                None => DEFAULT_COST,
                Some(None) => return fail(WHOLE_NUMBER),
                Some(Some(cost)) if cost < *COSTS.start() => DEFAULT_COST,
                Some(Some(cost)) if COSTS.contains(&cost) => u32::try_from(cost).unwrap_or(DEFAULT_COST),
                Some(Some(cost)) => return fail(format!("the cost {cost} is too high: 31 is the most")),
            };
            let password = text(args, 0);
            if password.len() > LONGEST_PASSWORD {
                let length = password.len();
                return fail(format!("the password has {length} bytes, and {LONGEST_PASSWORD} are the most"));
            }
            let mut salt = [0; 16];
            invocation.ask(Capability::Random, |host| host.random_bytes(&mut salt))?;
            let digest = digest(invocation, password, &salt, cost)?;
            // The last byte is left out, as ever.
            let (salt, digest) = (ALPHABET.encode(salt), ALPHABET.encode(&digest[..23]));
            Ok(Value::string(format!("$2a${cost:02}${salt}{digest}")))
        })
}

/// The digest of a password. The key of the cipher is the password with a zero byte behind it.
fn digest(
    invocation: &mut Invocation<'_>,
    password: &str,
    salt: &[u8; 16],
    cost: u32,
) -> Result<[u8; 24], FunctionError> {
    let key: Vec<u8> = password.bytes().chain([0]).collect();
    let mut cipher = Blowfish::bc_init_state();
    cipher.salted_expand_key(salt, &key);
    for _ in 0..1_u64 << cost {
        invocation.charge_steps(STEPS_PER_ROUND)?;
        cipher.bc_expand_key(&key);
        cipher.bc_expand_key(salt);
    }
    let mut digest = *b"OrpheanBeholderScryDoubt";
    for block in digest.chunks_exact_mut(8) {
        let (left, right) = block.split_at(4);
        let mut halves =
            [left, right].map(|half| half.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)));
        for _ in 0..64 {
            halves = cipher.bc_encrypt(halves);
        }
        for (byte, new) in block.iter_mut().zip(halves.into_iter().flat_map(u32::to_be_bytes)) {
            *byte = new;
        }
    }
    Ok(digest)
}
