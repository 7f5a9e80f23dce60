//! A contender in a process of its own, asked line by line: the reference, which is written in Go.
//!
//! The program is built when measuring starts; without Go there is no such contender. What it is asked and
//! answers stands in `benches/go/peer/main.go`.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use crate::clock::Work;
use crate::context;

/// Go's processor time moves with its collector; longer samples have it in them.
const STRETCH: f64 = 5.0;

/// The process, shared by all pieces of work in it.
#[derive(Clone, Debug)]
pub(crate) struct Peer(Rc<RefCell<Line>>);

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
    /// Builds and starts the reference, if there is Go.
    pub(crate) fn start() -> Option<Self> {
        let program = build("peer")?;
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let questions = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        let peer = Self(Rc::new(RefCell::new(Line { child, questions, answers })));
        let variables = tempfile::NamedTempFile::new().ok()?;
        std::fs::write(variables.path(), context::variables_of_reference().to_string()).ok()?;
        peer.ask(&format!("make\tvariables\t@{}", variables.path().display())).ok().map(|_| peer)
    }

    fn ask(&self, question: &str) -> Result<String, String> {
        let mut line = self.0.borrow_mut();
        let mut answer = String::new();
        let sent = writeln!(line.questions, "{question}").and_then(|()| line.answers.read_line(&mut answer));
        sent.map_err(|problem| problem.to_string())?;
        let answer = answer.trim_end();
        match answer.strip_prefix("error ") {
            Some(problem) => Err(problem.to_owned()),
            None if answer.is_empty() => Err("the reference has ended".into()),
            None => Ok(answer.to_owned()),
        }
    }

    /// A piece of work.
    ///
    /// # Panics
    /// The reference refuses what all others accept.
    pub(crate) fn work(&self, kind: &str, argument: &str) -> Work<'static> {
        let piece = match self.ask(&format!("make\t{kind}\t{argument}")) {
            Ok(piece) => piece,
            Err(problem) => panic!("the reference on {kind} {argument}: {problem}"),
        };
        let peer = self.clone();
        let run = move |times: u32| {
            let answer = peer.ask(&format!("run\t{piece}\t{times}"));
            answer
                .ok()
                .and_then(|nanos| nanos.parse().ok())
                .expect("work that went well once goes well again")
        };
        Work::elsewhere(run, STRETCH)
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
