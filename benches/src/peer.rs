//! Contenders in processes of their own, asked line by line: the reference, which is written in Go, and libhcl as it is
//! installed, behind its C interface.
//!
//! The programs are built when measuring starts; without Go, or without an installed library, there is no such contender.
//! Their questions and answers stand in `benches/go/peer/main.go` and `benches/c/contender.c`.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use tempfile::TempDir;

use crate::clock::Work;
use crate::context;
use crate::library;
use crate::linear::SPEC;

/// Go's processor time moves with its collector; longer samples have it in them.
const STRETCH_OF_GO: f64 = 5.0;

/// All that take part from outside this process, as far as they are there.
#[derive(Clone, Debug)]
pub(crate) struct Peers {
    /// libhcl as `benches/libraries` installs it.
    pub(crate) installed: Option<Peer>,
    /// The reference.
    pub(crate) go: Option<Peer>,
}

impl Peers {
    /// Builds and starts them.
    pub(crate) fn start() -> Self {
        Self { installed: Peer::installed(), go: Peer::reference() }
    }

    /// Work of libhcl on a file: of the installed library, or of this build where there is none.
    pub(crate) fn ours_on_file<'a>(&self, kind: &str, path: &Path, here: impl FnMut() + 'a) -> Work<'a> {
        self.installed.as_ref().map_or_else(|| Work::here(here), |peer| peer.work_on_file(kind, path))
    }

    /// Work of libhcl on an expression, likewise.
    pub(crate) fn ours<'a>(&self, kind: &str, text: &str, here: impl FnMut() + 'a) -> Work<'a> {
        self.installed.as_ref().map_or_else(|| Work::here(here), |peer| peer.work(kind, text))
    }
}

/// The process, shared by all pieces of work in it.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    line: Rc<RefCell<Line>>,
    name: &'static str,
    stretch: f64,
}

#[derive(Debug)]
struct Line {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Line {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Peer {
    fn reference() -> Option<Self> {
        let peer = Self::start(&build("peer")?, "the reference", STRETCH_OF_GO)?;
        let folder = TempDir::new().ok()?;
        let variables = context::variables_of_reference().to_string();
        peer.set("variables", &variables, &folder).then_some(peer)
    }

    fn installed() -> Option<Self> {
        let peer = Self::start(&library::build_contender()?, "the installed library", 1.0)?;
        let folder = TempDir::new().ok()?;
        let variables = context::variables_of_reference().to_string();
        (peer.set("variables", &variables, &folder) && peer.set("spec", SPEC, &folder)).then_some(peer)
    }

    fn start(program: &Path, name: &'static str, stretch: f64) -> Option<Self> {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let questions = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        Some(Self { line: Rc::new(RefCell::new(Line { child, questions, answers })), name, stretch })
    }

    /// Hands over what pieces of work have in common.
    fn set(&self, kind: &str, text: &str, folder: &TempDir) -> bool {
        let path = folder.path().join(kind);
        let is_written = std::fs::write(&path, text).is_ok();
        is_written && self.ask(&format!("make\t{kind}\t@{}", path.display())).is_ok()
    }

    fn ask(&self, question: &str) -> Result<String, String> {
        let mut line = self.line.borrow_mut();
        let mut answer = String::new();
        let sent = writeln!(line.questions, "{question}").and_then(|()| line.answers.read_line(&mut answer));
        sent.map_err(|problem| problem.to_string())?;
        let answer = answer.trim_end();
        match answer.strip_prefix("error ") {
            Some(problem) => Err(problem.to_owned()),
            None if answer.is_empty() => Err("it has ended".into()),
            None => Ok(answer.to_owned()),
        }
    }

    /// A piece of work.
    ///
    /// # Panics
    /// The contender refuses what all others accept.
    pub(crate) fn work(&self, kind: &str, argument: &str) -> Work<'static> {
        let piece = match self.ask(&format!("make\t{kind}\t{argument}")) {
            Ok(piece) => piece,
            Err(problem) => panic!("{} on {kind} {argument}: {problem}", self.name),
        };
        let peer = self.clone();
        let run = move |times: u32| {
            let answer = peer.ask(&format!("run\t{piece}\t{times}"));
            answer
                .ok()
                .and_then(|nanos| nanos.parse().ok())
                .expect("work that went well once goes well again")
        };
        Work::elsewhere(run, self.stretch)
    }

    /// A piece of work on a file.
    pub(crate) fn work_on_file(&self, kind: &str, path: &Path) -> Work<'static> {
        self.work(kind, &format!("@{}", path.display()))
    }

    /// The value of an expression, as JSON.
    pub(crate) fn value(&self, expression: &str) -> Option<serde_json::Value> {
        serde_json::from_str(&self.ask(&format!("value\t{expression}")).ok()?).ok()
    }
}

/// Builds a program of `benches/go`, beside this one.
pub(crate) fn build(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("go");
    let program = std::env::current_exe().ok()?.with_file_name(format!("hcl-bench-{name}"));
    let status = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .arg(format!("./{name}"))
        .current_dir(folder)
        .status();
    status.ok().filter(|status| status.success()).map(|_| program)
}
