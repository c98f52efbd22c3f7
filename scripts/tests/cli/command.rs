//! Runs the real binary with nothing of this machine's settings, and reads how it ended.

use std::io::Write;
use std::process::{Child, Command, Stdio};

use pager_questions::SigningKey;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::server::{Reply, Request, Server, reply};

pub const TOKEN: &str = "s3cret-of-the-agent";
/// Beginning of every other secret that a test sets.
pub const SECRETS: &str = "s3cret";
pub const INCARNATION: &str = "9f3c2a715be04d18";
/// The request for the record alone.
pub const RECORD: &str = "GET /v1/questions/rel-42";

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub output: String,
    pub words: String,
}

impl Ended {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

/// One that runs.
pub struct Running {
    child: Child,
    _home: tempfile::TempDir,
}

impl Running {
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// As `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn end(self) -> Ended {
        let output = self.child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let ended = Ended {
            code: output.status.code().expect("no signal killed it"),
            output: text(output.stdout),
            words: text(output.stderr),
        };
        assert!(!ended.output.contains(SECRETS) && !ended.words.contains(SECRETS), "a token was shown: {ended:?}");
        ended
    }
}

pub fn start_with(url: &str, variables: &[(&str, &str)], input: &str, arguments: &[&str]) -> Running {
    start_in(tempfile::tempdir().unwrap(), &[&[("ASK_URL", url), ("ASK_TOKEN", TOKEN)], variables].concat(), input, arguments)
}

/// With this home folder and no other settings than these.
pub fn start_in(home: tempfile::TempDir, variables: &[(&str, &str)], input: &str, arguments: &[&str]) -> Running {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ask"))
        .env_clear()
        .env("PATH", path)
        .env("HOME", home.path())
        .env("RUST_LOG", "trace")
        .envs(variables.iter().copied())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A verb that reads no input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Running { child, _home: home }
}

pub fn start(server: &Server, arguments: &[&str]) -> Running {
    start_with(&format!("http://{}", server.address()), &[], "", arguments)
}

pub fn run(server: &Server, arguments: &[&str]) -> Ended {
    start(server, arguments).end()
}

/// Runs against a server that has this one reply, and the record of the question.
pub fn against(answer: impl Fn() -> Reply + Send + Sync + 'static, arguments: &[&str]) -> Ended {
    run(&beside_the_record(move |_| answer()), arguments)
}

/// A server that answers so, and gives the record of a question to whoever asks what it was.
pub fn beside_the_record(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| match request.line.as_str() {
        RECORD => reply(200, &record("answered")),
        _ => script(request),
    })
}

pub fn record(state: &str) -> Value {
    json!({
        "id": "rel-42", "incarnation": INCARNATION, "asked_at": "2026-11-30T13:22:15.004Z", "state": state, "text": "Release?",
        "purpose": "question", "multi": false,
        "options": [{"id": "yes", "label": "Yes, release"}, {"id": "no", "label": "No"}],
        "delivery": {"state": "stored", "reason": null, "link": "https://t.me/c/1/2"}, "warnings": [],
    })
}

pub fn asked() -> Reply {
    reply(201, &record("open"))
}

pub fn answer(outcome: &str) -> Value {
    json!({
        "id": "rel-42", "incarnation": INCARNATION, "outcome": outcome, "choice": "yes", "answer": "Yes, release",
        "at": "2026-11-30T13:25:03.120Z", "options": [{"id": "yes", "label": "Yes, release"}, {"id": "no", "label": "No"}],
        "digest": null, "of_later": {"kept": true},
    })
}

/// An answer to a question of this purpose, and the record of it.
pub fn settled(purpose: &str, outcome: &str, choice: Option<&str>) -> (Value, Value) {
    let options: &[(&str, &str)] = match purpose {
        "approval" => &[("approve", "Approve"), ("decline", "Decline")],
        "action" => &[("done", "Done"), ("cant", "Can't do")],
        "verify" => &[("works", "It works")],
        "clarification" => &[],
        _ => &[("yes", "Yes"), ("no", "No")],
    };
    let options: Vec<Value> = options.iter().map(|(id, label)| json!({"id": id, "label": label})).collect();
    let (mut answer, mut record) = (answer(outcome), record("answered"));
    (answer["choice"], answer["options"]) = (choice.into(), options.clone().into());
    (record["purpose"], record["options"]) = (purpose.into(), options.into());
    (answer, record)
}

pub fn signed(key: &SigningKey) -> Value {
    let mut answer = answer("chosen");
    answer["signature"] = key.sign(&serde_jcs::to_vec(&answer).unwrap()).into();
    answer
}
