//! Evaluates an expression with a variable: `cargo run -p hcl-examples --bin evaluate -- '"Hello, ${upper(name)}!"'`

use std::error::Error;

use hcl_eval::dialect;
use hcl_eval::eval::{Scope, evaluate_str};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| r#""Hello, ${upper(name)}!""#.to_owned());
    let scope = Scope::builder().functions(dialect::terraform()).variable("name", "world").build();
    println!("{}", evaluate_str(&text, Some(&scope))?);
    Ok(())
}
