//! Decides about a request by rules in HCL, whose functions know the request:
//! `cargo run -p hcl-examples --bin policy -- examples/go/policy/rules.hcl GET /teams/red/plan X-Team=red`

use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{Frame, Scope, User};
use hcl_eval::function::{Function, FunctionError, Invocation, Parameter};
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::IntoResult;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

/// The request that the rules decide about. It reaches the functions as the user data of the evaluation.
struct Request {
    method: String,
    path: String,
    from: Ipv4Addr,
    headers: Vec<(String, String)>,
}

fn request<'a>(invocation: &Invocation<'a>) -> Result<&'a Request, FunctionError> {
    let request = invocation.user().and_then(|user| user.get::<Request>());
    request.ok_or_else(|| FunctionError::new("there is no request"))
}

/// `header(name)`: a header of the request; empty if it has none of that name.
fn header() -> Function {
    Function::new("header", "A header of the request.")
        .parameter(Parameter::new("name", Type::String))
        .returns(Type::String)
        .pure(false)
        .implementation(|invocation, arguments| {
            let name = arguments[0].as_str().unwrap_or_default();
            let found =
                request(invocation)?.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            Ok(Value::string(found.map_or("", |(_, value)| value)))
        })
}

/// `comes_from(network)`: whether the request comes from a network such as `10.0.0.0/8`.
fn comes_from() -> Function {
    Function::new("comes_from", "Whether the request comes from an IPv4 network.")
        .parameter(Parameter::new("network", Type::String))
        .returns(Type::Bool)
        .pure(false)
        .implementation(|invocation, arguments| {
            let wrong = || FunctionError::argument(0, "must be an IPv4 network such as 10.0.0.0/8");
            let (address, length) =
                arguments[0].as_str().and_then(|text| text.split_once('/')).ok_or_else(wrong)?;
            let network: Ipv4Addr = address.parse().map_err(|_| wrong())?;
            let length = length.parse().ok().filter(|length: &u32| *length <= 32).ok_or_else(wrong)?;
            let mask = u32::MAX.checked_shl(32 - length).unwrap_or(0);
            let from = request(invocation)?.from;
            Ok(Value::bool(u32::from(from) & mask == u32::from(network) & mask))
        })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(rules), Some(method), Some(path)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: policy RULES METHOD PATH [HEADER=VALUE …]".into());
    };
    let headers =
        arguments.filter_map(|text| text.split_once('=').map(|(name, value)| (name.into(), value.into())));
    let request = Request { method, path, from: Ipv4Addr::LOCALHOST, headers: headers.collect() };

    let mut builder =
        Scope::builder().functions(dialect::terraform()).function(header()).function(comes_from());
    let (method, path) = (builder.slot("method"), builder.slot("path"));
    let scope = builder.build();
    let mut frame = Frame::new(&scope);
    frame.set(method, Some(Value::from(&request.method)));
    frame.set(path, Some(Value::from(&request.path)));
    frame.set_user(Some(User::new(request)));

    let source = Source::new(&rules, std::fs::read(&rules)?)?;
    let file = parse_file(source, &ParseLimits::default()).into_result()?;
    println!("{}", decision(&file, &mut frame, &scope)?);
    Ok(())
}

/// The action of the first rule that holds; rules are tried in order.
fn decision(
    file: &hcl_syntax::parser::File,
    frame: &mut Frame,
    scope: &Arc<Scope>,
) -> Result<String, Box<dyn Error>> {
    for rule in file.body().blocks() {
        let mut evaluate = |name: &str| match rule.body().attribute(name) {
            Some(attribute) => Ok(frame.evaluate(attribute.expression(), scope).into_result()?),
            None => Err(Box::<dyn Error>::from(format!("{}: {name} is missing", rule.block_type()))),
        };
        if bool::try_from(&evaluate("when")?)? {
            return Ok(String::try_from(&evaluate("action")?)?);
        }
    }
    Ok("deny".to_owned())
}
