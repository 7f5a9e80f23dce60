//! A folder with a file, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A file in a folder of its own.
pub(crate) struct Scene {
    pub(crate) folder: TempDir,
}

impl Scene {
    pub(crate) fn new(text: &str) -> Self {
        let scene = Self { folder: TempDir::new().unwrap() };
        fs::write(scene.path(), text).unwrap();
        scene
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("main.hcl")
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// Exit status, standard output and standard error.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> (i32, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that is used wrongly ends before it reads.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// The exit status where nothing may be printed.
    pub(crate) fn silently(&self, arguments: &[&str]) -> i32 {
        let (status, stdout, stderr) = self.run(arguments, "");
        assert_eq!((stdout.as_str(), stderr.as_str()), ("", ""));
        status
    }
}
