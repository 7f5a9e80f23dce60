//! Expressions: `language` and `functions` (asked of Terraform), `head_eval` (asked of the library).

use std::sync::OnceLock;

use hcl_cli::batch;
use hcl_cli::batch::eval::Surroundings;
use hcl_eval::host::SystemHost;
use serde_json::{Map, Value as Json, json};

use super::Verdict;
use super::fixture::fixture;
use super::judge::{
    Closeness, ask, diagnostics_agree, fails, is_true, list, same, shown, string, value_agrees,
};

/// A case of the corpora that Terraform answered: the console's form, the type and the JSON agree; an
/// error agrees in its title and where it begins.
pub(super) fn judge_terraform(case: &Json) -> Verdict {
    // A case names the release that answers so, where releases differ.
    let dialect = case.get("dialect").and_then(Json::as_str).unwrap_or("terraform");
    let mut request = request(case, dialect);
    let in_context = string(case, "id").starts_with("fnctx/");
    if in_context && case.get("vars").is_none() {
        request.insert("vars".to_owned(), fixture()["vars"].clone());
    }
    if in_context || string(case, "expr").contains("file") {
        request.insert("files".to_owned(), fixture()["files"].clone());
    }
    let answer = ask(answer_in_the_world, request);
    Verdict::of(match case.get("error") {
        Some(wanted) => error_agrees(wanted, &answer),
        None => console_agrees(case, &answer),
    })
}

/// Answers with all that a function may ask for.
fn answer_in_the_world(line: &str) -> String {
    static WORLD: OnceLock<Option<SystemHost>> = OnceLock::new();
    let world = WORLD.get_or_init(|| {
        let host = SystemHost::new().and_then(SystemHost::allow_all_files).ok()?;
        Some(host.allow_environment().allow_clock().allow_random())
    });
    match world {
        Some(world) => batch::eval::answer_with(line, &Surroundings::of(world)),
        None => batch::eval::answer(line),
    }
}

fn request(case: &Json, dialect: &str) -> Map<String, Json> {
    let mut request = Map::new();
    request.insert("dialect".to_owned(), json!(dialect));
    for key in ["expr", "vars", "context", "outer_vars"] {
        if let Some(value) = case.get(key) {
            request.insert(key.to_owned(), value.clone());
        }
    }
    request
}

fn error_agrees(wanted: &Json, answer: &Json) -> Result<(), String> {
    let errors =
        list(answer, "diagnostics").iter().find(|diagnostic| string(diagnostic, "severity") == "error");
    let Some(got) = errors.filter(|_| !is_true(answer, "ok")) else {
        return Err(format!("accepted, wanted {:?}", string(wanted, "summary")));
    };
    if string(got, "summary") != string(wanted, "summary") {
        return Err(format!("title {:?} wanted {:?}", string(got, "summary"), string(wanted, "summary")));
    }
    let place = |diagnostic: &Json| {
        let start = &diagnostic["range"]["start"];
        format!("{}:{}", start["line"], start["column"])
    };
    if wanted.get("range").is_some() && place(got) != place(wanted) {
        return Err(format!("at {} wanted {}", place(got), place(wanted)));
    }
    Ok(())
}

fn console_agrees(case: &Json, answer: &Json) -> Result<(), String> {
    if !is_true(answer, "ok") {
        return Err(format!("refused: {}", shown(answer, "diagnostics")));
    }
    for key in ["console", "type"] {
        if case.get(key).is_some() && answer.get(key) != case.get(key) {
            return Err(format!("{key} {} wanted {}", shown(answer, key), shown(case, key)));
        }
    }
    let Some(wanted) = case.get("value").filter(|_| !is_true(case, "marked")) else { return Ok(()) };
    if answer.get("value").is_some_and(|got| same(got, wanted)) {
        return Ok(());
    }
    Err(format!("value {} wanted {wanted}", shown(answer, "value")))
}

/// A case of `head_eval`: all diagnostics agree, and the value where evaluation succeeds.
pub(super) fn judge_head(case: &Json) -> Verdict {
    let answer = ask(batch::eval::answer, request(case, "hcl-test"));
    let agreed = diagnostics_agree(case, &answer, Closeness::Starts).and_then(|()| {
        if fails(case) || is_true(case, "parse_error") { Ok(()) } else { value_agrees(case, &answer) }
    });
    Verdict::of(agreed).and_strictly(|| diagnostics_agree(case, &answer, Closeness::Ranges))
}
