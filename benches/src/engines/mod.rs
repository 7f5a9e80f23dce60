//! The engines that evaluate expressions, each as its users would use it, with the same variables.
//!
//! Every engine answers with JSON too, so that all can be seen to compute the same.

mod cel;
mod hcl_rs;
mod hcl_rs_functions;
mod lua;
mod ours;

pub(crate) use cel::Cel;
pub(crate) use hcl_rs::HclRs;
pub(crate) use lua::Lua;
pub(crate) use ours::{Ours, value};

/// Returns whether two answers are the same but for how numbers are held, and for rounding.
pub(crate) fn agree(left: &serde_json::Value, right: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (left, right) {
        (Number(left), Number(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => (left - right).abs() <= left.abs() * 1e-12,
            _ => false,
        },
        (Array(left), Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| agree(left, right))
        }
        (Object(left), Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, left)| right.get(name).is_some_and(|right| agree(left, right)))
        }
        (left, right) => left == right,
    }
}
