//! Compressed texts: `base64gzip` and `base64gunzip`.

use hcl_syntax::stack;

use super::encoding::{decode_base64, encode_base64};
use super::gzip;
use super::support::{Outcome, fail, function, long_text, text};
use crate::function::{Function, Invocation, Parameter};
use crate::limits::{BYTES_PER_PART, LimitReached};
use crate::types::Type;

/// Unpacked text is charged in pieces of this size, before there is more of it.
const PIECE: usize = 1 << 16;

/// Stack for unpacking: its state lies there and takes 50 KiB in the optimised build.
const STACK_NEEDED: usize = 96 * 1024;
/// The piece of stack that is added when less than that is left.
const STACK_ADDED: usize = 1024 * 1024;

/// `base64gzip(str)`
pub(crate) fn base64gzip() -> Function {
    function("base64gzip", "Compresses the text with gzip and encodes the result in base64.")
        .parameter(Parameter::new("str", Type::String).described("The text; its UTF-8 bytes are compressed."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let plain = text(args, 0).as_bytes();
            // Twice what comes out, and what packing takes for itself.
            invocation.meter().hold(plain.len().saturating_add(2 << 20))?;
            invocation.charge_steps(plain.len() as u64 / 4)?;
            let mut packer = gzip::Packer::new(plain).ok_or(LimitReached::OutOfMemory)?;
            while packer.advance() {
                // Where much is alike, packing takes longer than other work on texts.
                invocation.go_on(4 * gzip::PIECE / BYTES_PER_PART)?;
            }
            let packed = packer.finish();
            invocation.charge_bytes(packed.len().saturating_mul(2))?;
            let encoded = encode_base64(invocation, &packed)?;
            long_text(invocation, &encoded)
        })
}

/// `base64gunzip(str)`
pub(crate) fn base64gunzip() -> Function {
    function("base64gunzip", "Decodes base64 and unpacks what was compressed with gzip.")
        .parameter(
            Parameter::new("str", Type::String)
                .described("Base64 of what gzip wrote; the text in it must be UTF-8.")
                .allow_marked(),
        )
        .returns(Type::String)
        .implementation(|invocation, args| {
            let Some(encoded) = args.first() else { return fail("a text is required") };
            invocation.charge_bytes(text(args, 0).len())?;
            let Some(packed) = decode_base64(invocation, text(args, 0))? else {
                return fail(format!("failed to decode base64 data {}", super::support::quoted(encoded)));
            };
            let plain = stack::ensure(STACK_NEEDED, STACK_ADDED, || unpack(invocation, &packed))?;
            Ok(plain.with_marks(encoded.marks()))
        })
}

/// Unpacks all members of gzip data. Bytes that are no UTF-8 become replacement characters.
fn unpack(invocation: &mut Invocation<'_>, packed: &[u8]) -> Outcome {
    let mut plain = Vec::new();
    let mut rest = packed;
    let mut piece = vec![0; PIECE];
    loop {
        let Some(mut unpacker) = gzip::Unpacker::new(rest) else { return broken("it has no header of gzip") };
        rest = loop {
            match unpacker.next(&mut piece) {
                gzip::Step::Text(n) => {
                    invocation.charge_bytes(n)?;
                    invocation.charge_steps(n as u64 / 16)?;
                    plain.extend_from_slice(&piece[..n]);
                }
                gzip::Step::End(rest) => break rest,
                gzip::Step::Broken(problem) => return broken(problem),
            }
        };
        if rest.is_empty() {
            let plain = String::from_utf8(plain)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            return long_text(invocation, &plain);
        }
    }
}

/// The error about data that cannot be unpacked.
fn broken(problem: &str) -> Outcome {
    fail(format!("failed to unpack what should be gzip data: {problem}"))
}
