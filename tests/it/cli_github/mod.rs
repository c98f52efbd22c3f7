//! `ask` in GitHub mode against a GitHub that keeps state and refuses as the real one does.

mod asking;
mod threads;
mod waiting;
mod withdrawing;

use pager_questions::{Answer, SigningKey};
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};
use serde_json::{Value, json};

use crate::world::{Ended, Running, World};

const CONTROL: &str = "ada/control";
const ANSWERS: &str = "ada/answers";
const ASK: [&str; 8] = ["new", "Release?", "-o", "yes=Yes", "-o", "no=No", "--id", "rel-42"];

/// An agent with two tokens: one that sends events, one that reads answers.
struct Agent {
    world: World,
    hub: FakeGitHub,
    sends: String,
    reads: String,
    key: SigningKey,
}

impl Agent {
    async fn new() -> Self {
        let hub = FakeGitHub::start().await;
        for repository in [CONTROL, ANSWERS] {
            hub.add_repository(repository, Visibility::Private);
        }
        let sends = hub.add_token("robot", &[(CONTROL, Rights::write())]);
        let reads = hub.add_token("robot", &[(ANSWERS, Rights::read())]);
        Self { world: World::empty(), hub, sends, reads, key: SigningKey::from_seed([7; 32]) }
    }

    fn start(&self, arguments: &[&str]) -> Running {
        let mut command = self.world.ask_command(&[&["--look-every", "20"], arguments].concat());
        command
            .env("ASK_GITHUB_API", self.hub.base_url())
            .env("ASK_CONTROL", CONTROL)
            .env("ASK_ANSWERS", ANSWERS)
            .env("GH_TOKEN", &self.sends)
            .env("ASK_ANSWERS_TOKEN", &self.reads)
            .env("ASK_VERIFY_KEY", self.key.verifying().to_string());
        Running::start(&mut command)
    }

    async fn ask(&self, arguments: &[&str]) -> Ended {
        self.start(arguments).end().await
    }

    /// A signed answer.
    fn answer(&self, id: &str, outcome: &str) -> Value {
        let answer = json!({
            "id": id, "incarnation": "9f3c2a715be04d18", "outcome": outcome, "choice": null, "answer": "Yes",
            "at": "2099-11-30T13:25:03.120Z", "asked_at": "2099-11-30T13:22:15.004Z", "by": {"kind": "owner", "id": null, "via": null},
            "question": "Release?", "options": [], "recorded": "Yes", "digest": null, "signature": null,
        });
        let answer: Answer = serde_json::from_value(answer).unwrap();
        serde_json::to_value(answer.signed(&self.key)).unwrap()
    }

    /// Saves one as pagerd does.
    fn save(&self, path: &str, answer: &Value) {
        self.hub.commit(ANSWERS, "main", path, answer.to_string().as_bytes());
    }
}
