//! The fake host that functions ask in cases and examples: always the same.
//!
//! Its files are those of `tests/fake_host`, below `/project`, which is the working directory. The clock stands still,
//! randomness follows from a number, and the remote stores hold one entry each.

use hcl_eval::Str;
use hcl_eval::host::{HostError, MemoryHost, Timestamp};
use hcl_eval::value::Value;

macro_rules! files {
    ($($path:literal)*) => { [$(($path, include_bytes!(concat!("../fake_host/", $path)).as_slice())),*] };
}

/// Paths from the working directory on, and contents.
const FILES: [(&str, &[u8]); 7] = files! {
    "greeting.tftpl" "hello.txt" "key.pem" "secret.b64" "site/img/dot.png" "site/img/logo.svg" "site/index.html"
};

/// 2024-05-06T07:08:09Z.
const NOW: Timestamp = Timestamp { seconds: 1_714_979_289, nanoseconds: 0 };

/// The host.
pub fn fake_host() -> MemoryHost {
    let host = MemoryHost::new()
        .with_working_directory("/project")
        .with_home_directory("/ada")
        .with_environment_variable("USER", "ada")
        .with_clock(NOW)
        .with_random_seed(1)
        .with_store(stored);
    FILES.into_iter().fold(host, |host, (path, content)| host.with_file(path, content))
}

/// The contents of the remote stores.
fn stored(function: &str, arguments: &[Value]) -> Result<Value, HostError> {
    let name = arguments.first().and_then(Value::as_str).unwrap_or_default();
    match (function, name) {
        ("vault", "secret/data/app") => {
            let password = Value::object(vec![(Str::new("password"), Value::string("open sesame"))]);
            Ok(Value::object(vec![(Str::new("data"), password)]))
        }
        ("consul_key", "app/port") => Ok(Value::string("8080")),
        ("aws_secretsmanager" | "aws_secretsmanager_raw", "app") => {
            Ok(Value::string(r#"{"user":"ada","password":"open sesame"}"#))
        }
        _ => Err(HostError::NotFound),
    }
}
