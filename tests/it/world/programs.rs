//! The real programs, as cargo built them, and how one that ran to its end ended.

use std::path::PathBuf;
use std::process::{Output, Stdio};

use serde_json::Value;
use tokio::process::{Child, Command};

use super::until::PATIENCE;

/// The path of a program of this workspace.
pub fn program(name: &str) -> PathBuf {
    let mut folder = std::env::current_exe().unwrap();
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    let path = folder.join(name);
    assert!(path.exists(), "{} is not there: run `cargo build --workspace` first", path.display());
    path
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; None when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub words: String,
}

impl Ended {
    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|_| panic!("no JSON on standard output: {self:?}"))
    }
}

/// A program that runs. It is killed when this is dropped.
pub struct Running {
    child: Child,
}

impl Running {
    /// Starts it with both outputs caught.
    pub fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        Self { child: command.spawn().unwrap() }
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        signal(self.child.id().expect("it still runs"), rustix::process::Signal::TERM);
    }

    /// Its process, to read its outputs line by line.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for its end.
    pub async fn end(self) -> Ended {
        let output = tokio::time::timeout(PATIENCE, self.child.wait_with_output()).await;
        let Output { status, stdout, stderr } = output.expect("the program came to no end").unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { code: status.code(), output: text(stdout), words: text(stderr) }
    }
}

/// Sends a signal to a process of ours.
pub fn signal(process: u32, signal: rustix::process::Signal) {
    let process = rustix::process::Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    rustix::process::kill_process(process, signal).unwrap();
}
