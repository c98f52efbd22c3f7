//! `pager-forward.yml` without an address, against the fake GitHub: a real dispatch, a real branch.

use std::collections::BTreeSet;

use pager_tests::fake_github::{FakeGitHub, Fault, Rights, Visibility};
use serde_json::{Value, json};

use super::runner::{Outcome, Runner};
use super::steps::step;

const REPOSITORY: &str = "acme/control";

struct Hub {
    github: FakeGitHub,
    token: String,
}

impl Hub {
    async fn start() -> Self {
        let github = FakeGitHub::start().await;
        github.add_repository(REPOSITORY, Visibility::Private);
        let token = github.add_token("olga", &[(REPOSITORY, Rights::write())]);
        Self { github, token }
    }

    /// Dispatches a question of this number, and lets the workflow's job meet it with these rights.
    async fn runs(&self, number: u8, rights: Rights) -> Outcome {
        let payload = json!({"pager": {
            "id": format!("rel-{number}"), "title": "Release?", "event": event_id(number), "sent_at": "2026-11-30T13:22:15.004Z",
        }});
        let request = reqwest::Client::new().post(format!("{}/repos/{REPOSITORY}/dispatches", self.github.base_url()));
        let request = request.bearer_auth(&self.token).header("user-agent", "test");
        let reply = request.json(&json!({"event_type": "pager-ask", "client_payload": payload})).send().await.unwrap();
        assert_eq!(reply.status(), 204);
        let event = self.github.events().into_iter().rfind(|event| event.client_payload == payload).unwrap();
        let mut runner = Runner::new(&self.github.event_file(&event));
        let job = self.github.runner(&event, "pager-forward.yml", &runner.folder().join("job"), rights, None);
        runner.context.set("vars.PAGER_MAINTAINER", &self.github.user_id("olga").to_string());
        runner.context.set("github.token", &job.token);
        runner.set("GITHUB_API_URL", &self.github.base_url());
        runner.set("PAUSES", "0 0 0 0.1 0.2 0.3 0.4 0.5");
        runner.run(&step("pager-forward.yml", "inbox")).await
    }

    /// The files of the branch.
    fn files(&self) -> BTreeSet<String> {
        self.github.files(REPOSITORY, "pager-events").into_keys().collect()
    }
}

fn event_id(number: u8) -> String {
    format!("0191d2a4-6b1e-7c3f-8a55-{number:012x}")
}

fn paths(numbers: impl IntoIterator<Item = u8>) -> BTreeSet<String> {
    numbers.into_iter().map(|number| format!("events/{}.json", event_id(number))).collect()
}

#[tokio::test]
async fn dispatched_events_lie_on_a_branch_of_their_own_each_once() {
    let hub = Hub::start().await;
    for number in [1, 2, 2] {
        let outcome = hub.runs(number, Rights::write()).await;
        assert!(outcome.succeeded, "{outcome:?}");
    }
    assert_eq!(hub.files(), paths([1, 2]));
    let messages = [2, 1].map(|number| format!("event: ask {}", event_id(number)));
    assert_eq!(hub.github.messages(REPOSITORY, "pager-events"), messages);
    let path = format!("events/{}.json", event_id(2));
    let body: Value = serde_json::from_slice(&hub.github.file(REPOSITORY, "pager-events", &path).unwrap()).unwrap();
    assert_eq!((&body["type"], &body["id"]), (&json!("ask"), &json!("rel-2")));
    assert_eq!(body["sender"], json!({"login": "olga", "id": hub.github.user_id("olga")}));
}

#[tokio::test]
async fn events_at_once_all_arrive_though_none_finds_the_branch() {
    let hub = Hub::start().await;
    let outcomes = futures_util::future::join_all((1..=5).map(|number| hub.runs(number, Rights::write()))).await;
    assert!(outcomes.iter().all(|outcome| outcome.succeeded), "{outcomes:?}");
    assert_eq!(hub.files(), paths(1..=5));
    assert_eq!(hub.github.messages(REPOSITORY, "pager-events").len(), 5);
}

#[tokio::test]
async fn a_bad_day_of_githubs_loses_no_event_and_doubles_none() {
    let hub = Hub::start().await;
    assert!(hub.runs(1, Rights::write()).await.succeeded);
    for (number, fault) in [
        (2, Fault::bad_gateway()),
        (3, Fault::bad_gateway_after()),
        (4, Fault::reset()),
        (5, Fault::reset_after()),
        (6, Fault::head_moved()),
    ] {
        hub.github.fault("PUT", "*/contents/*", fault);
        let outcome = hub.runs(number, Rights::write()).await;
        assert!(outcome.succeeded, "{number}: {outcome:?}");
    }
    assert_eq!(hub.github.waiting_faults(), 0);
    assert_eq!(hub.files(), paths(1..=6));
    assert_eq!(hub.github.messages(REPOSITORY, "pager-events").len(), 6);
}

#[tokio::test]
async fn a_job_without_the_right_fails() {
    let hub = Hub::start().await;
    let outcome = hub.runs(1, Rights::read()).await;
    assert!(!outcome.succeeded && outcome.log.starts_with("::error::pager-forward: ask "), "{outcome:?}");
    assert_eq!(hub.github.head(REPOSITORY, "pager-events"), None);
}
