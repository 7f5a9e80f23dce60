//! Lua 5.4, through its C interface, with the equivalent programs of that language.
//!
//! A sample is one loop of calls inside Lua's state, so that nothing of the Rust bindings is timed: push the
//! function, call it protected, drop the result.

#![expect(unsafe_code, reason = "Lua's interface is C's; going through safe bindings would be timing those")]

use mlua::ffi;
use mlua::{Function, Table};

use crate::clock::cpu_nanos;
use crate::context::{self, Datum};

/// Name of the expression, and what it is here.
const PROGRAMS: [(&str, &str); 18] = [
    ("const_arith", "return 1 + 2 * 3"),
    ("traversal", "return var.a.b.c"),
    ("bool_cmp", r#"return var.env == "prod" and var.count > 3"#),
    ("conditional", r#"return var.env == "prod" and var.count * 2 or 1"#),
    (
        "template5",
        r#"return var.prefix .. "-" .. var.region .. "-" .. var.env .. "-" .. var.count .. "." .. var.a.b.c"#,
    ),
    (
        "for_upper_10",
        r#"local r = {} for _, s in ipairs(var.list10) do if s ~= "" then r[#r + 1] = string.upper(s) end end return r"#,
    ),
    (
        "for_upper_1000",
        r#"local r = {} for _, s in ipairs(var.list1000) do if s ~= "" then r[#r + 1] = string.upper(s) end end return r"#,
    ),
    (
        "for_nested_10x10",
        r#"local r = {} for i, a in ipairs(var.list10) do local q = {} for j, b in ipairs(var.list10) do q[j] = a .. "/" .. b end r[i] = q end return r"#,
    ),
    (
        "for_group_1000",
        "local r = {} for _, o in ipairs(var.objs1000) do local g = r[o.zone] if not g then g = {} r[o.zone] = g end g[#g + 1] = o.name end return r",
    ),
    (
        "for_filter_1000",
        "local r = {} for _, o in ipairs(var.objs1000) do if o.enabled and o.size > 100 then r[#r + 1] = o.size * 1.5 end end return r",
    ),
    ("splat_1000", "local r = {} for i, o in ipairs(var.objs1000) do r[i] = o.name end return r"),
    ("index_map1000", r#"return var.map1000["key500"]"#),
    ("join_1000", r#"return table.concat(var.list1000, ",")"#),
    ("format", r#"return string.format("%s-%04d", var.prefix, var.count)"#),
    (
        "merge",
        r#"local r = {} for k, v in pairs(var.tags) do r[k] = v end for k, v in pairs({ Name = "x", env = var.env }) do r[k] = v end return r"#,
    ),
    (
        "object_8",
        r#"return { name = var.prefix, env = var.env, region = var.region, n = var.count, a = 1, b = true, c = { 1, 2, 3 }, d = var.env .. "-x" }"#,
    ),
    (
        "directives_10",
        r#"local b = {} for _, o in ipairs(var.objs10) do b[#b + 1] = o.name .. "=" .. o.size .. ";" end b[#b + 1] = var.count > 3 and "yes" or "no" return table.concat(b)"#,
    ),
    (
        "num_20ops",
        "return ((var.count * 3.25 + 17) / 7 - 2) * (var.count % 3 + 1) + ((var.count - 1.5) * (var.count + 2.5) / 3 + 9) * 4 - (var.count * var.count + 0.1) / (var.count + 0.2) + 1 - 2 * 3",
    ),
];

/// A state with the variables.
#[derive(Debug)]
pub(crate) struct Lua(mlua::Lua);

impl Lua {
    pub(crate) fn new() -> Self {
        let lua = mlua::Lua::new();
        let value = value(Datum::Object(context::variables()), &lua).expect("memory suffices");
        lua.globals().set("var", value).expect("memory suffices");
        Self(lua)
    }

    /// The program that stands for an expression.
    pub(crate) fn text(name: &str) -> Option<&'static str> {
        PROGRAMS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// Text to program.
    pub(crate) fn compile(&self, text: &str) -> Function {
        self.0.load(text).into_function().expect("the programs above are valid")
    }

    /// Calls a program and returns the nanoseconds.
    pub(crate) fn time_calls(&self, program: &Function, times: u32) -> f64 {
        let start = cpu_nanos();
        let calls = |state| {
            for _ in 0..times {
                // SAFETY: the function is the only argument, at index 1, and the state has room for three more.
                unsafe { ffi::lua_pushvalue(state, 1) };
                // SAFETY: the function is on top and takes nothing.
                let status = unsafe { ffi::lua_pcall(state, 0, 1, 0) };
                assert!(status == ffi::LUA_OK, "the programs above do not fail");
                // SAFETY: one result, or one error, is on top.
                unsafe { ffi::lua_settop(state, 1) };
            }
        };
        // SAFETY: the closure leaves the stack as it found it.
        unsafe { self.0.exec_raw::<()>(program, calls) }.expect("the programs above do not fail");
        cpu_nanos() - start
    }

    /// The answer.
    pub(crate) fn value(&self, text: &str) -> Option<serde_json::Value> {
        json(self.compile(text).call(()).ok()?)
    }
}

fn value(datum: Datum, lua: &mlua::Lua) -> mlua::Result<mlua::Value> {
    Ok(match datum {
        Datum::Bool(bool) => mlua::Value::Boolean(bool),
        Datum::Int(int) => mlua::Value::Integer(int),
        Datum::Text(text) => mlua::Value::String(lua.create_string(text)?),
        Datum::List(elements) => {
            let elements: mlua::Result<Vec<_>> =
                elements.into_iter().map(|datum| value(datum, lua)).collect();
            mlua::Value::Table(lua.create_sequence_from(elements?)?)
        }
        Datum::Object(fields) => {
            let table: Table = lua.create_table()?;
            for (name, datum) in fields {
                table.set(name, value(datum, lua)?)?;
            }
            mlua::Value::Table(table)
        }
    })
}

fn json(value: mlua::Value) -> Option<serde_json::Value> {
    Some(match value {
        mlua::Value::Boolean(bool) => bool.into(),
        mlua::Value::Integer(int) => int.into(),
        mlua::Value::Number(number) => number.into(),
        mlua::Value::String(text) => text.to_str().ok()?.to_owned().into(),
        mlua::Value::Table(table) if table.raw_len() > 0 => {
            table.sequence_values().map(|element| json(element.ok()?)).collect::<Option<Vec<_>>>()?.into()
        }
        mlua::Value::Table(table) => {
            let pairs = table.pairs::<String, mlua::Value>().map(|pair| {
                let (name, value) = pair.ok()?;
                Some((name, json(value)?))
            });
            serde_json::Value::Object(pairs.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
