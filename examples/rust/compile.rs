//! Compiles a condition once and evaluates it for many requests; a function of the host takes part.

use std::sync::Arc;

use hcl_eval::eval::{Frame, Scope};
use hcl_eval::function::{Function, FunctionError, Parameter};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

/// `is_private(ip)`: whether an address is of a private network.
fn is_private() -> Function {
    Function::new("is_private", "Whether an IPv4 address belongs to a private network.")
        .parameter(Parameter::new("ip", Type::String))
        .returns(Type::Bool)
        .implementation(|_, arguments| {
            let text = arguments[0].as_str().unwrap_or_default();
            let address: std::net::Ipv4Addr =
                text.parse().map_err(|_| FunctionError::argument(0, "must be an IPv4 address"))?;
            Ok(Value::bool(address.is_private()))
        })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = Scope::builder().function(is_private());
    let ip = builder.slot("request.ip");
    let path = builder.slot("request.path");
    let scope = builder.build();

    let source = Source::new("rule", r#"request.path == "/admin" && !is_private(request.ip)"#)?;
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (program, diagnostics) = Program::compile(
        parsed.tree().clone(),
        parsed.expression().id(),
        Arc::clone(&scope),
        &CompileOptions::default(),
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");

    let mut frame = Frame::new(&scope);
    for (from, to) in [("10.0.0.7", "/admin"), ("203.0.113.9", "/admin"), ("203.0.113.9", "/")] {
        frame.set(ip, Some(Value::string(from)));
        frame.set(path, Some(Value::string(to)));
        let (value, diagnostics) = program.evaluate(&mut frame);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let verdict = if value.as_bool() == Some(true) { "denied" } else { "allowed" };
        println!("{to} from {from}: {verdict}");
    }
    Ok(())
}
