//! `ask` in git mode against a real git server over HTTP, with the user and the password in the address.

mod asking;
mod threads;
mod waiting;

use pager_questions::control::ControlEvent;
use pager_questions::{Answer, SigningKey};
use pager_tests::git_http::{GitHttp, PASSWORD};
use serde_json::{Value, json};

use crate::world::{Ended, Running, World};

const ASK: [&str; 8] = ["new", "Release?", "-o", "yes=Yes", "-o", "no=No", "--id", "rel-42"];
const FILE: &str = "answers/rel-42.json";

/// An agent, and the server that it shares with a pagerd that is played by the test.
struct Agent {
    world: World,
    server: GitHttp,
    key: SigningKey,
}

impl Agent {
    fn new() -> Self {
        let server = GitHttp::start();
        server.commit("README.md", b"answers");
        Self { world: World::empty(), server, key: SigningKey::from_seed([7; 32]) }
    }

    fn start(&self, arguments: &[&str]) -> Running {
        self.start_looking("20", arguments)
    }

    /// With so many milliseconds between two looks at least.
    fn start_looking(&self, every: &str, arguments: &[&str]) -> Running {
        let mut command = self.world.ask_command(&[&["--look-every", every], arguments].concat());
        command
            .env("PATH", std::env::var("PATH").unwrap())
            .env("ASK_ANSWERS", self.server.url_with_credentials())
            .env("ASK_EVENTS", self.server.url_with_credentials())
            .env("ASK_VERIFY_KEY", self.key.verifying().to_string());
        Running::start(&mut command)
    }

    async fn ask(&self, arguments: &[&str]) -> Ended {
        let ended = self.start(arguments).end().await;
        self.hides_the_password(&ended);
        ended
    }

    /// It is neither shown nor kept.
    fn hides_the_password(&self, ended: &Ended) {
        assert!(!ended.words.contains(PASSWORD) && !ended.output.contains(PASSWORD), "{ended:?}");
        let cached = std::process::Command::new("grep").args(["-r", PASSWORD]).arg(self.world.folder()).output().unwrap();
        assert!(cached.stdout.is_empty(), "{}", String::from_utf8_lossy(&cached.stdout));
    }

    /// A signed answer, as pagerd writes it.
    fn answer(&self, outcome: &str) -> Value {
        let answer = json!({
            "id": "rel-42", "incarnation": "9f3c2a715be04d18", "outcome": outcome, "choice": null, "answer": "Yes",
            "at": "2099-11-30T13:25:03.120Z", "asked_at": "2099-11-30T13:22:15.004Z", "by": {"kind": "owner", "id": null, "via": null},
            "question": "Release?", "options": [], "recorded": "Yes", "digest": null, "signature": null,
        });
        let answer: Answer = serde_json::from_value(answer).unwrap();
        serde_json::to_value(answer.signed(&self.key)).unwrap()
    }

    fn save(&self, path: &str, answer: &Value) {
        self.server.commit(path, answer.to_string().as_bytes());
    }

    /// What pagerd reads on the branch of events, oldest first.
    fn events(&self) -> Vec<ControlEvent> {
        let commits = self.server.git(&["log", "--reverse", "--format=", "--name-only", "pager-events"]);
        let files = commits.lines().filter(|line| !line.is_empty());
        let read = |path: &str| {
            let body: Value = serde_json::from_str(&self.server.git(&["show", &format!("pager-events:{path}")])).unwrap();
            ControlEvent::read(body).unwrap()
        };
        files.map(read).collect()
    }

    /// Events that were pushed so far; none while there is no branch.
    fn pushed(&self) -> usize {
        self.server
            .git(&["for-each-ref", "--format=%(objectname)", "refs/heads/pager-events"])
            .lines()
            .map(|_| self.events().len())
            .sum()
    }
}
