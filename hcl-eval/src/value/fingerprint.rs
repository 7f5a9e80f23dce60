//! A number for what a value is, the same on every machine.

use super::string::STRETCH;
use super::{Repr, Value};
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, go_on};
use crate::stack;

/// FNV-1a: fixed for good, unlike the hashes of the standard library.
struct Fingerprint<'m> {
    number: u64,
    pace: Option<&'m mut Meter>,
}

impl Fingerprint<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.number = (self.number ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Bytes with their length, so that neighbours do not run into each other.
    fn text(&mut self, kind: u8, text: &str) -> Result<(), LimitReached> {
        self.bytes(&[kind]);
        self.bytes(&(text.len() as u64).to_le_bytes());
        go_on(&mut self.pace, 1)?;
        for stretch in text.as_bytes().chunks(STRETCH) {
            go_on(&mut self.pace, stretch.len() / BYTES_PER_PART)?;
            self.bytes(stretch);
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Result<(), LimitReached> {
        go_on(&mut self.pace, 1)?;
        for mark in value.marks().iter() {
            self.text(b'm', mark.name())?;
        }
        match &value.unmarked().0 {
            Repr::Null(_) => self.bytes(b"0"),
            Repr::Unknown(_) => self.bytes(b"?"),
            Repr::Bool(truth) => self.bytes(if *truth { b"t" } else { b"f" }),
            // Zeros of either sign are equal.
            Repr::Number(number) if number.is_zero() => self.text(b'n', "0")?,
            Repr::Number(number) => self.text(b'n', &number.hash_text())?,
            Repr::String(text) => self.text(b's', text)?,
            Repr::Capsule(capsule) => self.text(b'c', capsule.ty().name())?,
            _ => stack::grow(value.depth(), || self.container(value.unmarked()))?,
        }
        Ok(())
    }

    fn container(&mut self, value: &Value) -> Result<(), LimitReached> {
        self.bytes(&[b'[', value.kind() as u8]);
        self.bytes(&(value.len().unwrap_or_default() as u64).to_le_bytes());
        for name in value.shape().into_iter().flat_map(|shape| shape.names()) {
            self.text(b'k', name)?;
        }
        for part in value.parts().unwrap_or_default() {
            self.value(part)?;
        }
        Ok(())
    }
}

impl Value {
    /// A number that is the same for values that are [the same](Value::raw_equals), whatever the machine.
    ///
    /// ```
    /// use hcl_eval::Value;
    ///
    /// let numbers = || Value::tuple(vec![Value::int(1), Value::string("1")]);
    /// assert_eq!(numbers().fingerprint(), numbers().fingerprint());
    /// assert_ne!(numbers().fingerprint(), Value::tuple(vec![Value::int(1), Value::int(1)]).fingerprint());
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint_on(None).unwrap_or_default()
    }

    /// [`Value::fingerprint`] with looks at the limits of a meter, to which the work has been charged.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn fingerprint_within(&self, meter: &mut Meter) -> Result<u64, LimitReached> {
        self.fingerprint_on(Some(meter))
    }

    fn fingerprint_on(&self, pace: Option<&mut Meter>) -> Result<u64, LimitReached> {
        let mut fingerprint = Fingerprint { number: 0xcbf2_9ce4_8422_2325, pace };
        fingerprint.value(self)?;
        Ok(fingerprint.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;
    use crate::value::{Mark, Marks, Number};

    #[test]
    fn values_that_differ_have_fingerprints_that_do() {
        let names = |a: &str, b: &str| Value::object(vec![(a.into(), Value::TRUE), (b.into(), Value::TRUE)]);
        let different = [
            Value::TRUE,
            Value::FALSE,
            Value::int(0),
            Value::int(1),
            Value::string(""),
            Value::string("1"),
            Value::string("a"),
            Value::null(Type::Bool),
            Value::unknown(Type::Bool),
            Value::TRUE.with_marks(&Marks::one(Mark::sensitive())),
            Value::tuple(vec![]),
            Value::tuple(vec![Value::tuple(vec![])]),
            Value::tuple(vec![Value::string("a"), Value::string("bc")]),
            Value::tuple(vec![Value::string("ab"), Value::string("c")]),
            Value::list(Type::String, vec![Value::string("a")]),
            Value::object(vec![]),
            names("a", "bc"),
            names("ab", "c"),
        ];
        for (at, a) in different.iter().enumerate() {
            for b in &different[..at] {
                assert_ne!(a.fingerprint(), b.fingerprint(), "{a:?} and {b:?}");
            }
            assert_eq!(a.fingerprint(), a.clone().fingerprint());
        }
        assert_eq!(
            Value::int(0).fingerprint(),
            Value::number(Number::from_f64(-0.0).expect("a number")).fingerprint()
        );
    }
}
