//! A GitHub of a few routes: one repository of answers with one branch, one control repository. It notes what was asked of
//! it, and fails as it is told.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::command::{Ended, Running, start_in};
use crate::server::{Reply, Request, Server, reply};

pub const CONTROL_TOKEN: &str = "s3cret-of-control";
pub const ANSWERS_TOKEN: &str = "s3cret-of-answers";
pub const DATE: &str = "Mon, 30 Nov 2026 13:22:15 GMT";
pub const ASKED_AT: &str = "2026-11-30T13:22:15.000Z";
const REPOSITORY: &str = "/repos/ada/answers";

type Then = Box<dyn Fn(&mut State) + Send>;

#[derive(Default)]
pub struct State {
    pub commits: u32,
    pub files: BTreeMap<String, Vec<u8>>,
    /// Replies to the next requests that begin so, in order.
    pub faults: VecDeque<(&'static str, Reply)>,
    /// What was dispatched.
    pub events: Vec<Value>,
    /// What happens when an event comes.
    pub then: Option<Then>,
    /// Requests that count against a quota.
    pub paid: Vec<String>,
    /// Those that do not.
    pub unchanged: usize,
    /// What else every reply has in its head.
    pub headers: Vec<(&'static str, String)>,
}

impl State {
    fn head(&self) -> String {
        format!("{:040x}", self.commits + 1)
    }

    /// Commits a file.
    pub fn commit(&mut self, path: &str, text: impl Into<Vec<u8>>) {
        self.commits += 1;
        self.files.insert(path.to_owned(), text.into());
    }

    fn answer(&mut self, request: &Request) -> Reply {
        let authorization = |token: &str| request.headers.contains(&format!("authorization: bearer {token}"));
        if let Some(place) = self.faults.iter().position(|(line, _)| request.is(line)) {
            return self.faults.remove(place).unwrap().1;
        }
        if request.is("POST /repos/ada/control/dispatches") {
            assert!(authorization(CONTROL_TOKEN), "{request:?}");
            if let Some(refusal) = refuse(&request.body) {
                return refusal;
            }
            self.events.push(request.body.clone());
            if let Some(then) = self.then.take() {
                then(self);
            }
            return Reply::Send(204, Vec::new(), String::new());
        }
        let Some(path) = request.line.strip_prefix("GET ").and_then(|line| line.strip_prefix(REPOSITORY)) else {
            panic!("nobody asks for {request:?}");
        };
        assert!(authorization(ANSWERS_TOKEN), "{request:?}");
        let unless = request.headers.iter().find_map(|header| header.strip_prefix("if-none-match: ")).unwrap_or("");
        if path == "/commits/main" && unless == format!("\"{}\"", self.head()) {
            self.unchanged += 1;
            return Reply::Send(304, Vec::new(), String::new());
        }
        self.paid.push(request.line.clone());
        match path.strip_prefix("/contents/").map(|path| path.split_once("?ref=").expect("it names a commit")) {
            None if path.is_empty() => reply(200, &json!({"full_name": "ada/answers"})),
            None if path == "/commits/main" => {
                assert!(request.headers.contains(&"accept: application/vnd.github.sha".to_owned()), "{request:?}");
                Reply::Send(200, Vec::new(), self.head())
            }
            Some((path, commit)) => match self.files.get(path).filter(|_| commit == self.head()) {
                Some(file) => Reply::Send(200, Vec::new(), String::from_utf8(file.clone()).unwrap()),
                None => not_found(),
            },
            None => not_found(),
        }
    }
}

/// What GitHub takes of nobody: more than ten keys in a payload, or more than 65,535 characters.
fn refuse(body: &Value) -> Option<Reply> {
    let payload = &body["client_payload"];
    let keys = payload.as_object().map_or(0, serde_json::Map::len);
    let message = match (body["event_type"].as_str().map_or(0, str::len), payload.to_string().chars().count()) {
        (1..=100, ..=65_535) if keys <= 10 => return None,
        (1..=100, ..=65_535) => "No more than 10 properties are allowed",
        (1..=100, _) => "client_payload is too large",
        _ => "event_type is 1 to 100 characters",
    };
    Some(reply(422, &json!({"message": message})))
}

pub fn not_found() -> Reply {
    reply(404, &json!({"message": "Not Found"}))
}

pub struct Hub {
    server: Server,
    state: Arc<Mutex<State>>,
}

impl Hub {
    pub fn start() -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let script = {
            let state = Arc::clone(&state);
            move |request: &Request| {
                let mut state = state.lock().unwrap();
                match state.answer(request) {
                    Reply::Send(status, mut headers, body) => {
                        headers.extend(state.headers.iter().cloned());
                        if headers.iter().all(|(name, _)| *name != "date") {
                            headers.push(("date", DATE.to_owned()));
                        }
                        Reply::Send(status, headers, body)
                    }
                    other => other,
                }
            }
        };
        Self { server: Server::start(script), state }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn fail(&self, line: &'static str, reply: Reply) {
        self.state().faults.push_back((line, reply));
    }

    /// The next request; fails when none comes.
    pub fn next(&self) -> Request {
        self.server.next()
    }

    /// Waits until one that begins so has come.
    pub fn until(&self, line: &str) {
        while !self.next().is(line) {}
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    pub fn start_ask(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Running {
        let url = self.url();
        let usual = [
            ("ASK_GITHUB_API", url.as_str()),
            ("ASK_CONTROL", "ada/control"),
            ("ASK_ANSWERS", "ada/answers"),
            ("GH_TOKEN", CONTROL_TOKEN),
            ("ASK_ANSWERS_TOKEN", ANSWERS_TOKEN),
        ];
        start_in(tempfile::tempdir().unwrap(), &[&usual, variables].concat(), "", arguments)
    }

    /// Looks every 20 ms.
    pub fn ask(&self, arguments: &[&str]) -> Ended {
        self.start_ask(&[], &[&["--look-every", "20"], arguments].concat()).end()
    }

    pub fn ask_with_keys(&self, keys: &str, arguments: &[&str]) -> Ended {
        self.start_ask(&[("ASK_VERIFY_KEY", keys)], &[&["--look-every", "20"], arguments].concat()).end()
    }
}
