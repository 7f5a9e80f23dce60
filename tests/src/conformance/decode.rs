//! The command `hcldec` on whole files: `decode`.

use std::io;

use hcl_cli::hcldec::{Files, Terminal, run};
use serde_json::Value as Json;

use super::Verdict;
use super::judge::{Closeness, diagnostics_agree, is_true, list, string};

/// Exit status, standard output and diagnostics agree.
pub(super) fn judge(case: &Json) -> Verdict {
    let inputs = Inputs::of(case);
    let answer = run(&inputs.arguments(case), &inputs, Terminal::default());
    let diagnostics: Json = serde_json::from_str(&answer.stderr).unwrap_or_default();
    let agreed = (|| {
        if Some(u64::from(answer.status)) != case["exit"].as_u64() {
            return Err(format!("exit status {} wanted {}", answer.status, case["exit"]));
        }
        if case.get("stderr").is_some_and(|wanted| *wanted != answer.stderr) {
            return Err(format!("standard error {:?} wanted {}", answer.stderr, case["stderr"]));
        }
        diagnostics_agree(case, &diagnostics, Closeness::Starts)?;
        stdout_agrees(case, &answer.stdout)
    })();
    Verdict::of(agreed).and_strictly(|| diagnostics_agree(case, &diagnostics, Closeness::Ranges))
}

fn stdout_agrees(case: &Json, got: &str) -> Result<(), String> {
    let wanted = string(case, "stdout");
    let sorted = |text: &str| {
        let list: Vec<Json> = serde_json::from_str(text).unwrap_or_default();
        let mut list: Vec<String> = list.iter().map(Json::to_string).collect();
        list.sort();
        list
    };
    if got == wanted || (is_true(case, "stdout_any_order") && sorted(got) == sorted(wanted)) {
        return Ok(());
    }
    Err(format!("standard output {got:?} wanted {wanted:?}"))
}

/// The files of a case.
struct Inputs<'c> {
    spec: &'c str,
    inputs: Vec<(&'c str, &'c str)>,
}

impl<'c> Inputs<'c> {
    fn of(case: &'c Json) -> Self {
        let mut inputs: Vec<_> = list(case, "inputs")
            .iter()
            .map(|input| (string(input, "name"), string(input, "source")))
            .collect();
        if inputs.is_empty() {
            let name = if is_true(case, "input_json") { "input.json" } else { "input.hcl" };
            inputs.push((name, string(case, "input")));
        }
        Self { spec: string(case, "spec"), inputs }
    }

    fn arguments(&self, case: &Json) -> Vec<String> {
        let flags: Vec<&str> = list(case, "flags").iter().filter_map(Json::as_str).collect();
        let mut arguments = vec!["--spec=spec.hcldec".to_owned()];
        if !flags.iter().any(|flag| flag.starts_with("--diags")) {
            arguments.push("--diags=json".to_owned());
        }
        arguments.extend(flags.iter().map(|&flag| flag.to_owned()));
        let variables = case["vars"].as_array().cloned().unwrap_or_else(|| vec![case["vars"].clone()]);
        arguments.extend(variables.iter().filter_map(Json::as_str).map(|vars| format!("--vars={vars}")));
        arguments.extend(self.inputs.iter().map(|&(name, _)| name.to_owned()));
        arguments
    }
}

impl Files for Inputs<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let source = match path {
            "spec.hcldec" => Some(self.spec),
            _ => self.inputs.iter().find(|(name, _)| *name == path).map(|&(_, source)| source),
        };
        source.map(|source| source.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn read_input(&self) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}
