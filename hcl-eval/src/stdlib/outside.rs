//! The clock, random identifiers, environment variables and remote stores.
//!
//! None of these functions looks at the world itself: each asks the host for a [`Capability`], and a host that does
//! not have it makes the call fail or leaves the result unknown.

use std::slice;

use super::number::whole_digits;
use super::support::{Outcome, fail, function, long_text, shown, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::host::{Capability, HostError};
use crate::types::Type;
use crate::value::{Kind, Value};

#[cfg(feature = "datetime")]
mod clock {
    use super::{Capability, Function, HostError, Type, Value, function};
    use crate::host::{Host, Timestamp};
    use crate::stdlib::datetime::Moment;

    /// A function of no arguments that gives a time in UTC, to the second.
    fn moment(
        name: &'static str,
        description: &'static str,
        ask: fn(&dyn Host) -> Result<Timestamp, HostError>,
    ) -> Function {
        function(name, description).returns(Type::String).needs(Capability::Clock).implementation(
            move |invocation, _| {
                let now = invocation.ask(Capability::Clock, ask)?;
                Ok(Value::string(Moment::from_unix(now.seconds, 0).to_text()))
            },
        )
    }

    /// `timestamp()`
    pub(crate) fn timestamp() -> Function {
        moment("timestamp", "Gives the time in UTC.", |host| host.now())
    }

    /// `plantimestamp()`
    pub(crate) fn plantimestamp() -> Function {
        moment("plantimestamp", "Gives the time at which the run began, in UTC.", |host| host.start_time())
    }
}

#[cfg(feature = "datetime")]
pub(crate) use clock::{plantimestamp, timestamp};

/// A function that makes an identifier of random bytes, which `shape` may change. It is written in the groups of a
/// UUID, with small letters.
fn identifier(name: &'static str, description: &'static str, shape: fn(&mut [u8; 16])) -> Function {
    function(name, description).returns(Type::String).needs(Capability::Random).implementation(
        move |invocation, _| {
            let mut bytes = [0; 16];
            invocation.ask(Capability::Random, |host| host.random_bytes(&mut bytes))?;
            shape(&mut bytes);
            let mut text = String::new();
            for (position, byte) in bytes.iter().enumerate() {
                if matches!(position, 4 | 6 | 8 | 10) {
                    text.push('-');
                }
                text.push_str(&format!("{byte:02x}"));
            }
            Ok(Value::string(text))
        },
    )
}

/// `uuid()`, which has nothing but randomness in it.
pub(crate) fn uuid() -> Function {
    identifier("uuid", "Makes an identifier of 16 random bytes in the form of a UUID.", |_| {})
}

/// `uuidv4()`, with the bits that say so.
pub(crate) fn uuidv4() -> Function {
    identifier("uuidv4", "Makes a random UUID of version 4.", |bytes| {
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
    })
}

/// `env(name)`. A variable that is not set is an empty text, as one that is set to nothing.
pub(crate) fn env() -> Function {
    function("env", "Gives an environment variable, or an empty text if it is not set.")
        .parameter(Parameter::new("key", Type::String).described("The name of the variable."))
        .returns(Type::String)
        .needs(Capability::Environment)
        .implementation(|invocation, args| {
            let name = text(args, 0);
            let value = match invocation.ask(Capability::Environment, |host| host.environment_variable(name))
            {
                Ok(value) => value,
                Err(HostError::NotFound) => String::new(),
                Err(error) => return Err(error.into()),
            };
            invocation.charge_bytes(value.len())?;
            long_text(invocation, &value)
        })
}

/// A function of a remote store, which the host asks. Its parameters are texts.
fn of_store(name: &'static str, description: &'static str, parameters: &[(&str, &'static str)]) -> Function {
    let function = function(name, description).returns(Type::String).needs(Capability::Network);
    parameters.iter().fold(function, |function, (name, description)| {
        function.parameter(Parameter::new(name, Type::String).described(*description))
    })
}

/// Asks a store for the value of a name; `None` if it has none, or null. An unknown answer counts as one that is not
/// there yet, so that the result of the call is unknown. The size of the answer is charged.
fn ask(
    invocation: &mut Invocation<'_>,
    function: &str,
    name: Option<&Value>,
) -> Result<Option<Value>, FunctionError> {
    let name = name.map(slice::from_ref).unwrap_or_default();
    let answer = match invocation.ask(Capability::Network, |host| host.call(function, name)) {
        Ok(answer) => answer,
        Err(HostError::NotFound) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !answer.is_known() {
        return Err(HostError::NotKnownYet.into());
    }
    invocation.charge_steps(u64::from(answer.weight()))?;
    Ok(if answer.is_null() { None } else { Some(answer) })
}

/// `vault(path, key)`. A store with versions keeps the secret in `data`.
pub(crate) fn vault() -> Function {
    of_store(
        "vault",
        "Reads a key of a secret in a Vault.",
        &[("path", "The path of the secret."), ("key", "The key whose value is wanted.")],
    )
    .implementation(|invocation, args| {
        let (path, key) = (text(args, 0), text(args, 1));
        let Some(secret) = ask(invocation, "vault", args.first())? else {
            return fail(format!("there is no secret at {:?}", shown(path)));
        };
        let (plain, marks) = secret.unmark();
        // A secret with versions is an object whose `data` has the keys.
        let versioned = plain.get_attribute("data").filter(|data| data.entries().is_some()).cloned();
        let (data, more) = versioned.unwrap_or(plain).unmark();
        match data.get_attribute(key).map(Value::unmark) {
            Some((value, own)) if value.as_str().is_some() => {
                Ok(value.with_marks(&marks).with_marks(&more).with_marks(&own))
            }
            Some(_) => {
                fail(format!("the value of {:?} in the secret at {:?} is no text", shown(key), shown(path)))
            }
            None => fail(format!("the secret at {:?} has no key {:?}", shown(path), shown(key))),
        }
    })
}

/// `consul_key(key)`
pub(crate) fn consul_key() -> Function {
    of_store(
        "consul_key",
        "Reads a key of a Consul store.",
        &[("key", "The key; its value must not be empty.")],
    )
    .implementation(|invocation, args| {
        let key = text(args, 0);
        match ask(invocation, "consul_key", args.first())? {
            None => fail(format!("there is no key {:?} in the store", shown(key))),
            Some(value) if stored_text(&value)?.is_empty() => {
                fail(format!("the value of the key {:?} is empty", shown(key)))
            }
            Some(value) => Ok(value),
        }
    })
}

/// The text that a store answered with; anything but a text is an error.
fn stored_text(value: &Value) -> Result<&str, FunctionError> {
    value.as_str().ok_or_else(|| FunctionError::new("the store's answer is no text"))
}

/// A secret of the AWS Secrets Manager, which must be a text.
fn secret(invocation: &mut Invocation<'_>, function: &str, args: &[Value]) -> Outcome {
    match ask(invocation, function, args.first())? {
        Some(secret) => {
            stored_text(&secret)?;
            Ok(secret)
        }
        None => fail(format!("there is no secret {:?}", shown(text(args, 0)))),
    }
}

/// `aws_secretsmanager_raw(name)`
pub(crate) fn aws_secretsmanager_raw() -> Function {
    of_store(
        "aws_secretsmanager_raw",
        "Reads a secret of the AWS Secrets Manager.",
        &[("name", "The name of the secret.")],
    )
    .implementation(|invocation, args| secret(invocation, "aws_secretsmanager_raw", args))
}

/// `aws_secretsmanager(name, key)`
pub(crate) fn aws_secretsmanager() -> Function {
    of_store(
        "aws_secretsmanager",
        "Reads a key of a secret of the AWS Secrets Manager.",
        &[("name", "The name of the secret.")],
    )
    .parameter(
        Parameter::new("key", Type::String)
            .described(
                "The member of a secret that is a JSON object; null or an empty string for its only one.",
            )
            .allow_null(),
    )
    .implementation(|invocation, args| {
        let secret = secret(invocation, "aws_secretsmanager", args)?;
        let document = stored_text(&secret)?;
        invocation.charge_bytes(document.len())?;
        match Value::from_json_implied(document) {
            Ok(data) if data.kind() == Kind::Object => {
                Ok(member(&data, text(args, 1))?.with_marks(secret.marks()))
            }
            _ => Ok(secret),
        }
    })
}

/// A member of a secret: the only one, if no key is given.
fn member(data: &Value, key: &str) -> Outcome {
    let mut members = data.entries().into_iter().flatten();
    let found = match (key, members.next(), members.next()) {
        ("", None, _) => return fail("the secret has no members"),
        ("", Some((_, only)), None) => only,
        ("", ..) => return fail("the secret has several members, so the key of one must be given"),
        _ => match data.get_attribute(key) {
            Some(found) => found,
            None => return fail(format!("the secret has no member {:?}", shown(key))),
        },
    };
    match (found.as_str(), found.as_number()) {
        (Some(text), _) => Ok(Value::string(text)),
        // Without decimals, rounded as numbers are where they are printed with none.
        (None, Some(number)) => Ok(Value::string(whole_digits(number.to_f64()))),
        _ => fail("the member of the secret is neither a text nor a number"),
    }
}
