//! The real host: files below the folders that are allowed, and no others, whatever links and `..` say.

#![cfg(all(unix, feature = "system-host"))]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::host::{Capability, FileKind, Host, HostError, SystemHost};
use hcl_eval::limits::Limits;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

/// A folder of its own for a test, removed in the end: `in` is to be allowed, `out` is not.
struct Scene(PathBuf);

impl Scene {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("hcl-host-{}-{number}", std::process::id()));
        let scene = Self(folder);
        for folder in ["in/sub/deep", "out", "other"] {
            fs::create_dir_all(scene.at(folder)).expect("folders can be made");
        }
        for (path, text) in [("in/a", "a"), ("in/sub/b", "b"), ("out/secret", "secret"), ("other/c", "c")] {
            fs::write(scene.at(path), text).expect("files can be written");
        }
        scene
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    fn link(&self, target: impl AsRef<Path>, path: &str) {
        symlink(target, self.at(path)).expect("links can be made");
    }

    /// A host for `in`, where relative paths start too.
    fn host(&self) -> SystemHost {
        SystemHost::starting_in(&self.at("in")).allow_files_in(&self.at("in")).expect("the folder is there")
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn read(host: &SystemHost, path: &str) -> Result<String, HostError> {
    host.read_file(path, 1000).map(|bytes| String::from_utf8(bytes).expect("the files are text"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the paths of tests are text")
}

#[test]
fn files_below_the_folder_are_read() {
    let scene = Scene::new();
    let host = scene.host();
    for path in ["a", "./a", "sub/../a", "sub/deep/../../a", "../in/a", "sub//../a", text(&scene.at("in/a"))]
    {
        assert_eq!(read(&host, path).as_deref(), Ok("a"), "{path}");
    }
    assert_eq!(read(&host, "missing"), Err(HostError::NotFound));
    assert_eq!(read(&host, "missing/../a"), Err(HostError::NotFound));
    assert_eq!(read(&host, "a/b"), Err(HostError::Failed("not a directory".to_owned())));
    assert_eq!(host.file_kind("sub"), Ok(FileKind::Directory));
    assert_eq!(host.file_kind("."), Ok(FileKind::Directory));
}

/// The answer is the same whether something is there or not.
#[test]
fn other_files_are_out_of_reach() {
    let scene = Scene::new();
    let host = scene.host();
    let elsewhere = [
        "..",
        "../out/secret",
        "../out/missing",
        "../missing/x",
        "sub/../../out/secret",
        "../../../../../../../../etc/passwd",
        "/etc/passwd",
        "/missing",
        "/",
        text(&scene.at("out/secret")),
        text(&scene.at("in/../out/secret")),
    ]
    .map(str::to_owned);
    for path in elsewhere {
        assert_eq!(read(&host, &path), Err(HostError::Outside), "{path}");
        assert_eq!(host.file_kind(&path), Err(HostError::Outside), "{path}");
        assert_eq!(host.list_directory(&path, 10), Err(HostError::Outside), "{path}");
    }
}

#[test]
fn links_are_followed_inside() {
    let scene = Scene::new();
    scene.link("sub/b", "in/relative");
    scene.link(scene.at("in/sub/b"), "in/absolute");
    scene.link("relative", "in/chain");
    scene.link("..", "in/sub/up");
    scene.link("../../in/sub", "in/sub/around");
    let host = scene.host();
    for path in ["relative", "absolute", "chain", "sub/up/sub/up/sub/b", "sub/around/b"] {
        assert_eq!(read(&host, path).as_deref(), Ok("b"), "{path}");
    }
    assert_eq!(host.file_kind("chain"), Ok(FileKind::File));
    let listed = host.list_directory("sub", 10).expect("the folder is there");
    assert!(listed.contains(&("up".to_owned(), FileKind::Link)));
    assert!(listed.contains(&("deep".to_owned(), FileKind::Directory)));
    assert_eq!(host.list_directory("sub", 1), Err(HostError::TooLong));
}

#[test]
fn links_lead_nowhere_outside() {
    let scene = Scene::new();
    scene.link("../out/secret", "in/relative");
    scene.link(scene.at("out/secret"), "in/absolute");
    scene.link("relative", "in/chain");
    scene.link("../out", "in/folder");
    scene.link("folder", "in/sub/nothing");
    scene.link("../..", "in/sub/up");
    scene.link("../out/missing", "in/missing");
    scene.link("/", "in/root");
    let host = scene.host();
    let paths =
        ["relative", "absolute", "chain", "folder/secret", "sub/up/out/secret", "missing", "root/etc/passwd"];
    for path in paths {
        assert_eq!(read(&host, path), Err(HostError::Outside), "{path}");
        assert_eq!(host.file_kind(path), Err(HostError::Outside), "{path}");
    }
    assert_eq!(read(&host, "sub/nothing"), Err(HostError::NotFound));
    // Back in again is inside.
    assert_eq!(read(&host, "sub/up/in/a").as_deref(), Ok("a"));
}

#[test]
fn links_that_lead_to_themselves_end() {
    let scene = Scene::new();
    scene.link("loop", "in/loop");
    scene.link("two", "in/one");
    scene.link("one", "in/two");
    scene.link("nowhere", "in/dangling");
    let host = scene.host();
    for path in ["loop", "one", "loop/x"] {
        let found = read(&host, path);
        assert_eq!(found, Err(HostError::Failed("too many levels of symbolic links".to_owned())), "{path}");
    }
    assert_eq!(read(&host, "dangling"), Err(HostError::NotFound));
}

/// The files that a pattern matches, or the detail of the error.
fn matching(host: &SystemHost, pattern: &str) -> String {
    told(host, &format!("join(\" \", fileset(\".\", {pattern:?}))"), Limits::default())
}

/// The text that an expression comes to, or the detail of the error.
fn told(host: &SystemHost, text: &str, limits: Limits) -> String {
    let source = Source::new("test", text).expect("tests are short");
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    let scope = Scope::builder().functions(dialect::terraform()).build();
    let options = EvalOptions { host: Some(host), limits, ..EvalOptions::default() };
    let (value, diagnostics) = evaluate(parsed.expression(), Some(&scope), &options);
    match diagnostics.first() {
        Some(error) => error.detail.clone(),
        None => value.as_str().unwrap_or_default().to_owned(),
    }
}

#[test]
fn patterns_follow_links_to_folders() {
    let scene = Scene::new();
    scene.link("..", "in/sub/up");
    scene.link("nowhere", "in/sub/dangling");
    let host = scene.host();
    assert_eq!(matching(&host, "*"), "a");
    assert_eq!(matching(&host, "sub/b"), "sub/b");
    assert_eq!(matching(&host, "sub/*/a"), "sub/up/a");
    // As many links as a path may lead through.
    assert_eq!(matching(&host, "**/a").split(' ').count(), 41);
    assert!(matching(&host, "sub/*").contains("failed to stat \"sub/dangling\""));
    assert!(matching(&host, "sub/dangling").contains("failed to stat"));
    // What a link leads out to is refused, not passed over.
    scene.link("../out", "in/out");
    assert!(matching(&host, "out/*").contains("not allowed"));
    assert!(matching(&host, "**").contains("not allowed"));
    assert!(matching(&host, "../out/*").contains("not allowed"));
}

#[test]
fn several_folders_may_be_allowed_and_named_by_links() {
    let scene = Scene::new();
    scene.link("in", "alias");
    scene.link("../other/c", "in/over");
    let host = SystemHost::starting_in(&scene.at("alias"))
        .allow_files_in(&scene.at("alias"))
        .and_then(|host| host.allow_files_in(&scene.at("other")))
        .expect("the folders are there");
    assert_eq!(read(&host, "a").as_deref(), Ok("a"));
    assert_eq!(read(&host, text(&scene.at("alias/a"))).as_deref(), Ok("a"));
    assert_eq!(read(&host, text(&scene.at("in/a"))).as_deref(), Ok("a"));
    assert_eq!(read(&host, "over").as_deref(), Ok("c"));
    assert_eq!(read(&host, "../out/secret"), Err(HostError::Outside));
}

#[test]
fn only_regular_files_of_bounded_length_are_read() {
    let scene = Scene::new();
    let pipe = scene.at("in/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    let host = scene.host();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(read(&host, "pipe"), Err(HostError::NotAFile(FileKind::Other)));
    }
    assert_eq!(read(&host, "sub"), Err(HostError::NotAFile(FileKind::Directory)));
    assert_eq!(host.read_file("a", 0), Err(HostError::TooLong));
    assert_eq!(host.read_file("a", 1).as_deref(), Ok(&b"a"[..]));
    let huge = fs::File::create(scene.at("in/huge")).expect("files can be made");
    huge.set_len(1 << 40).expect("files may have holes");
    assert_eq!(host.read_file("huge", 1 << 30), Err(HostError::TooLong));
    let everything = SystemHost::new().and_then(SystemHost::allow_all_files).expect("there is a root");
    assert_eq!(everything.read_file("/dev/zero", u64::MAX), Err(HostError::NotAFile(FileKind::Other)));
    assert_eq!(read(&everything, text(&scene.at("out/secret"))).as_deref(), Ok("secret"));
}

/// The message names the bound that a file or a folder exceeds.
#[test]
fn the_limit_that_a_file_or_a_folder_reaches_is_named() {
    let scene = Scene::new();
    let host = scene.host();
    fs::write(scene.at("in/long"), "x".repeat(2000)).expect("files can be written");
    for i in 0..20 {
        fs::write(scene.at(&format!("in/sub/{i}")), "").expect("files can be written");
    }
    let small = Limits { max_memory: 1500, max_output_bytes: 1600, max_elements: 10, ..Limits::default() };
    for (expression, limits, limit) in [
        ("file(\"long\")", small.clone(), "memory than the limit of 1500 bytes"),
        (
            "file(\"long\")",
            Limits { max_memory: 1 << 20, ..small.clone() },
            "text than the limit of 1600 bytes",
        ),
        ("join(\"\", fileset(\"sub\", \"*\"))", small.clone(), "memory than the limit of 1500 bytes"),
        (
            "join(\"\", fileset(\"sub\", \"*\"))",
            Limits { max_memory: 1 << 20, ..small },
            "the limit of 10 elements",
        ),
    ] {
        let told = told(&host, expression, limits);
        assert!(told.contains(limit), "{expression}: {told}");
    }
}

/// A thread exchanges a file for a link that leads out, again and again, while it is read.
#[test]
fn exchanging_files_for_links_helps_nobody() {
    let scene = Scene::new();
    let host = scene.host();
    fs::create_dir(scene.at("in/door")).expect("folders can be made");
    fs::write(scene.at("in/door/secret"), "a").expect("files can be written");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (door, aside) = (scene.at("in/door"), scene.at("in/aside"));
            while !done.load(Ordering::Relaxed) {
                let _ = fs::rename(&door, &aside);
                let _ = symlink("../out", &door);
                let _ = fs::remove_file(&door);
                let _ = fs::rename(&aside, &door);
            }
        });
        for _ in 0..3000 {
            assert_ne!(read(&host, "door/secret").as_deref(), Ok("secret"));
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn nothing_is_allowed_at_first() {
    let host = SystemHost::new().expect("there is a working directory");
    let refused = |capability| Some(HostError::NotAllowed(capability));
    assert_eq!(read(&host, "Cargo.toml").err(), refused(Capability::Files));
    assert_eq!(host.file_kind("Cargo.toml").err(), refused(Capability::Files));
    assert_eq!(host.list_directory(".", 10).err(), refused(Capability::Files));
    assert_eq!(host.working_directory().err(), refused(Capability::Files));
    assert_eq!(host.home_directory().err(), refused(Capability::Environment));
    assert_eq!(host.environment_variable("PATH").err(), refused(Capability::Environment));
    assert_eq!(host.now().err(), refused(Capability::Clock));
    assert_eq!(host.start_time().err(), refused(Capability::Clock));
    assert_eq!(host.random_bytes(&mut [0; 4]).err(), refused(Capability::Random));
    assert_eq!(host.call("vault", &[]).err(), refused(Capability::Network));
    assert!(SystemHost::new().and_then(|host| host.allow_files_in(Path::new("no/such/folder"))).is_err());
}

#[test]
fn what_is_allowed_works() {
    let host = SystemHost::new().expect("there is a working directory");
    let host = host.allow_environment().allow_clock().allow_random();
    assert!(host.environment_variable("PATH").is_ok());
    assert_eq!(host.environment_variable("HCL_NO_SUCH_VARIABLE"), Err(HostError::NotFound));
    assert_eq!(host.environment_variable("A=B"), Err(HostError::NotFound));
    assert_eq!(host.environment_variable(""), Err(HostError::NotFound));
    let started = host.start_time().expect("the clock is allowed");
    assert!(started.seconds > 1_700_000_000 && host.now().expect("the clock is allowed") >= started);
    let (mut one, mut other) = ([0; 16], [0; 16]);
    assert!(host.random_bytes(&mut one).is_ok() && host.random_bytes(&mut other).is_ok());
    assert_ne!(one, other);
}
