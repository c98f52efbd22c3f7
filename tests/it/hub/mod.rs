//! What leaves for the control repository: owners' texts and wake-ups, with GitHub well, down, and refusing.

mod crashes;
mod late;
mod texts;
mod trouble;
mod wakes;

use pager_tests::fake_github::{Event, FakeGitHub, Rights, Visibility};
use pager_tests::fake_telegram::{FORUM, FakeTelegram, Message};
use serde_json::Value;

use crate::world::{World, until};

pub use crashes::{POINTS, story};

const CONTROL: &str = "me/control";
const DISPATCHES: &str = "/repos/me/control/dispatches";

/// A GitHub with the control repository, and a pagerd that has its name and a token for it; `nightly` can be woken.
pub struct Hub {
    pub world: World,
    pub github: FakeGitHub,
    pub token: String,
}

impl Hub {
    /// It serves.
    pub async fn start() -> Self {
        let mut hub = Self::prepare().await;
        hub.world.serve().await;
        hub
    }

    /// The same, not serving yet.
    pub async fn prepare() -> Self {
        let github = FakeGitHub::start().await;
        github.add_repository(CONTROL, Visibility::Private);
        let token = github.add_token("pager-bot", &[(CONTROL, Rights::write())]);
        let settings = [
            ("PAGER_GITHUB__API_URL", github.base_url()),
            ("PAGER_GITHUB__TOKEN", token.clone()),
            ("PAGER_CONTROL__REPO", CONTROL.to_owned()),
            ("PAGER_WAKE__NIGHTLY__KIND", "dispatch".to_owned()),
        ];
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let world = World::prepare(&settings, Some(FakeTelegram::start().await)).await;
        Self { world, github, token }
    }

    /// The first event of this type, once GitHub took it.
    pub async fn event(&self, kind: &str) -> Event {
        self.github.wait_for_event(kind, 0).await.unwrap()
    }

    /// 👀 on this text, once it is there.
    pub async fn seen(&self, text: i64) {
        let is_seen = |message: &Message| message.id == text && message.reactions == ["👀"];
        self.world.telegram().wait_for_message("text with 👀", is_seen).await.unwrap();
    }

    /// Is there a reaction on this text?
    fn is_seen(&self, text: i64) -> bool {
        !self.world.telegram().message(FORUM, text).unwrap().reactions.is_empty()
    }

    /// Waits until pagerd has stored that GitHub took every event: one that it had not yet stored is sent again after a death.
    pub async fn all_sent(&self) {
        let are_sent = async || {
            let metrics = self.world.nobody().get("/metrics").await.text;
            (!metrics.contains("pager_dispatches{")).then_some(())
        };
        until("every event is stored as sent", are_sent).await;
    }

    /// The stored requests, newest first.
    pub async fn requests(&self) -> Vec<Value> {
        self.world.owner().get("/v1/requests").await.with(200)["items"].as_array().unwrap().clone()
    }
}

/// What stands below the one key of the event.
pub fn pager(event: &Event) -> &Value {
    assert_eq!(event.client_payload.as_object().unwrap().len(), 1, "{event:?}");
    &event.client_payload["pager"]
}
