//! A service that knows wakes and nothing else: lists, marks with leases that a test lets run out, acknowledges, releases,
//! and refuses as pagerd does.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::command::{Running, TOKEN, start_in};
use crate::server::{Reply, Request, Server, problem, reply};

/// One wake as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    Free,
    Marked(String),
    Done,
    GivenUp,
}

pub struct Wake {
    pub item: Value,
    pub standing: Standing,
    marks: u8,
}

#[derive(Default)]
pub struct State {
    pub wakes: BTreeMap<String, Wake>,
    pub older: Vec<String>,
    /// In order: `mark a.request`, `ack a.request`, …
    pub acts: Vec<String>,
    /// Replies to the next requests that begin so.
    pub faults: Vec<(&'static str, Reply)>,
    count: u32,
}

impl State {
    pub fn add(&mut self, id: &str, reason: &str, author: Option<&str>) {
        let key = format!("{id}.{reason}");
        let item = json!({
            "id": key, "reason": reason, "text": format!("the service says {reason} of {id}"), "author": author,
            "at": "2026-11-30T13:22:15.004Z", "message": format!("<task-data>{{access}} of {id}</task-data>"),
            "record": null, "request": null, "reply": null,
        });
        self.wakes.insert(key, Wake { item, standing: Standing::Free, marks: 0 });
    }

    pub fn standing(&self, id: &str) -> &Standing {
        &self.wakes[id].standing
    }

    /// Every mark runs out: each wake is given once more, then given up.
    pub fn let_leases_run_out(&mut self) {
        for wake in self.wakes.values_mut().filter(|wake| matches!(wake.standing, Standing::Marked(_))) {
            wake.standing = if wake.marks < 2 { Standing::Free } else { Standing::GivenUp };
        }
    }

    fn list(&self) -> Reply {
        let free = self.wakes.values().filter(|wake| wake.standing == Standing::Free);
        let items: Vec<Value> = free
            .map(|wake| {
                let mut item = wake.item.clone();
                item["repeated"] = (wake.marks > 0).into();
                item
            })
            .collect();
        reply(200, &json!({"items": items, "next": null}))
    }

    fn act(&mut self, id: &str, verb: &str, body: &Value) -> Reply {
        self.acts.push(format!("{verb} {id}"));
        if verb == "ack" && id.ends_with(".older") {
            self.older.retain(|older| *older != id);
            return reply(200, &json!({}));
        }
        let Some(wake) = self.wakes.get_mut(id) else { return problem(404, "not_found") };
        let given = body["mark"].as_str();
        match verb {
            "mark" => {
                let lease = body["lease"].as_u64().unwrap_or(60);
                if !(1..=600).contains(&lease) {
                    return problem(422, "invalid");
                }
                let mark = match (&wake.standing, given) {
                    (Standing::Free, None) => {
                        self.count += 1;
                        wake.marks += 1;
                        format!("s3cret-mark-{}", self.count)
                    }
                    (Standing::Marked(mark), Some(given)) if mark == given => mark.clone(),
                    _ => return problem(409, "wake_taken"),
                };
                wake.standing = Standing::Marked(mark.clone());
                reply(
                    200,
                    &json!({"id": id, "mark": mark, "lease_until": "2026-11-30T13:23:15.004Z", "repeated": wake.marks > 1}),
                )
            }
            "ack" => {
                wake.standing = Standing::Done;
                reply(200, &json!({}))
            }
            "release" => {
                if given.is_none_or(|given| wake.standing != Standing::Marked(given.to_owned())) {
                    return problem(409, "wake_taken");
                }
                wake.standing = Standing::Free;
                wake.marks -= 1;
                reply(200, &json!({}))
            }
            _ => problem(404, "not_found"),
        }
    }

    fn answer(&mut self, request: &Request) -> Option<Reply> {
        assert!(request.headers.contains(&format!("authorization: bearer {TOKEN}")), "{request:?}");
        if let Some(place) = self.faults.iter().position(|(line, _)| request.is(line)) {
            return Some(self.faults.remove(place).1);
        }
        let (verb, path) = request.line.split_once(' ').unwrap();
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        Some(match (verb, path.strip_prefix("/v1/wakes").expect("it asks for wakes alone")) {
            ("GET", "") => {
                assert!(query.contains("catchup="), "{request:?}");
                let is_held = request.headers.iter().any(|header| header.starts_with("prefer: wait="));
                if is_held && self.wakes.values().all(|wake| wake.standing != Standing::Free) {
                    return None;
                }
                self.list()
            }
            ("GET", "/older") => {
                let item = |id: &String| json!({"wake": id, "message": format!("<task-data>older {id}</task-data>")});
                let items: Vec<Value> = self.older.iter().take(3).map(item).collect();
                reply(200, &json!({"items": items, "next": null}))
            }
            ("POST", rest) => {
                let (id, verb) = rest.trim_start_matches('/').split_once('/').unwrap_or_default();
                self.act(id, verb, &request.body)
            }
            _ => problem(404, "not_found"),
        })
    }
}

/// Keeps the next request that begins so from being looked at.
pub struct Gate {
    reached: Receiver<()>,
    open: Sender<()>,
}

impl Gate {
    /// Waits until that request stands before it.
    pub fn reached(&self) {
        self.reached.recv_timeout(std::time::Duration::from_secs(20)).expect("a request comes to the gate");
    }

    pub fn open(self) {
        self.open.send(()).unwrap();
    }
}

/// The other side of a gate: which request, whom to tell, and what to wait for.
type Barred = (&'static str, Sender<()>, Receiver<()>);

pub struct Mailroom {
    pub server: Server,
    state: Arc<Mutex<State>>,
    barred: Arc<Mutex<Option<Barred>>>,
}

impl Mailroom {
    pub fn start() -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let barred = Arc::new(Mutex::new(None::<Barred>));
        let script = {
            let (state, barred) = (Arc::clone(&state), Arc::clone(&barred));
            move |request: &Request| {
                let gate = barred.lock().unwrap().take_if(|(line, ..)| request.is(line));
                if let Some((_, reached, opened)) = gate {
                    let _ = reached.send(());
                    let _ = opened.recv();
                }
                let answer = state.lock().unwrap().answer(request);
                answer.unwrap_or_else(|| hold(request, &state))
            }
        };
        Self { server: Server::start(script), state, barred }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Bars the next request that begins so until the gate is opened.
    pub fn bar(&self, line: &'static str) -> Gate {
        let ((tell, reached), (open, opened)) = (channel(), channel());
        *self.barred.lock().unwrap() = Some((line, tell, opened));
        Gate { reached, open }
    }

    /// Waits until a request has come that begins so.
    pub fn until(&self, line: &str) {
        while !self.server.next().is(line) {}
    }
}

/// A request that is held so long as it asks for is answered then; what is held for longer outlasts every test.
fn hold(request: &Request, state: &Mutex<State>) -> Reply {
    let seconds = request.headers.iter().find_map(|header| header.strip_prefix("prefer: wait=")?.parse().ok());
    match seconds {
        Some(seconds @ 0..=5) => {
            let end = std::time::Instant::now() + std::time::Duration::from_secs(seconds);
            while let Some(left) = end.checked_duration_since(std::time::Instant::now()) {
                std::thread::park_timeout(left);
            }
            state.lock().unwrap().list()
        }
        _ => Reply::Hold,
    }
}

/// A folder with settings, a command, and what that leaves behind.
pub struct Desk {
    pub folder: tempfile::TempDir,
}

impl Desk {
    /// With a command of these lines of shell; it is locked by the operator's word.
    pub fn with(script: &str) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.program("agent.sh", script);
        desk.set("command = [\"./agent.sh\"]\nenforced_by = \"this test\"\nheartbeat = \"off\"\n");
        desk
    }

    /// Writes the settings.
    pub fn set(&self, text: &str) {
        std::fs::write(self.folder.path().join("runner.toml"), text).unwrap();
    }

    /// Adds to them.
    pub fn add(&self, text: &str) {
        let path = self.folder.path().join("runner.toml");
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{before}{text}\n")).unwrap();
    }

    /// A program in the folder; `$HERE` is the folder.
    pub fn program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.path().join(name);
        let text = format!("#!/bin/sh\nHERE='{}'\n{script}\n", self.folder.path().display());
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// What a program wrote there.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    pub fn start_with(&self, mailroom: &Mailroom, variables: &[(&str, &str)], arguments: &[&str]) -> Running {
        let url = format!("http://{}", mailroom.server.address());
        let path = |below: &str| self.folder.path().join(below).to_string_lossy().into_owned();
        let (config, state) = (path("runner.toml"), path("state"));
        let usual = [("ASK_URL", url.as_str()), ("ASK_TOKEN", TOKEN), ("XDG_STATE_HOME", &state)];
        let arguments = [&["run", "--config", &config], arguments].concat();
        start_in(tempfile::tempdir().unwrap(), &[&usual, variables].concat(), "", &arguments)
    }

    pub fn start(&self, mailroom: &Mailroom, arguments: &[&str]) -> Running {
        self.start_with(mailroom, &[], arguments)
    }

    /// The journal, as it is printed.
    pub fn log(&self, mailroom: &Mailroom) -> Vec<Value> {
        let ended = self.start(mailroom, &["--log"]).end();
        assert_eq!((ended.code, ended.words.as_str()), (0, ""));
        ended.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The file that keeps it.
    pub fn journal(&self) -> std::path::PathBuf {
        let runners = std::fs::read_dir(self.folder.path().join("state/pager/runner")).unwrap();
        runners.map(|entry| entry.unwrap().path().join("journal.json")).next().unwrap()
    }
}
