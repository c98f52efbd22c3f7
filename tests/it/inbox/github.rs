//! The branch on GitHub: a look that finds nothing new costs no quota.

use std::collections::BTreeSet;

use pager_tests::fake_github::{FakeGitHub, Fault, Rights, Visibility};
use serde_json::Value;

use super::{BRANCH, ask, degraded, ids, in_state, path, withdraw};
use crate::world::{World, until};

const CONTROL: &str = "me/control";
const TREES: &str = "/repos/me/control/git/trees*";

/// A GitHub with the control repository, and a pagerd that watches its branch.
pub struct Inbox {
    pub world: World,
    pub github: FakeGitHub,
    token: String,
}

impl Inbox {
    async fn start(settings: &[(&str, &str)]) -> Self {
        let mut inbox = Self::prepare(settings).await;
        inbox.world.serve().await;
        inbox
    }

    pub async fn prepare(settings: &[(&str, &str)]) -> Self {
        let github = FakeGitHub::start().await;
        github.add_repository(CONTROL, Visibility::Private);
        let token = github.add_token("pager-bot", &[(CONTROL, Rights::write())]);
        let mut world = World::prepare(settings, None).await;
        world.set("PAGER_GITHUB__API_URL", &github.base_url());
        world.set("PAGER_GITHUB__TOKEN", &token);
        world.set("PAGER_CONTROL__REPO", CONTROL);
        world.set("PAGER_CONTROL__INBOX", "branch");
        Self { world, github, token }
    }

    /// Somebody pushes an event; the branch is made by the first one.
    pub fn push(&self, number: u32, body: &Value) {
        self.push_bytes(&path(number), body.to_string().as_bytes());
    }

    fn push_bytes(&self, path: &str, bytes: &[u8]) {
        self.github.commit(CONTROL, BRANCH, path, bytes);
    }

    pub fn files(&self) -> BTreeSet<String> {
        self.github.files(CONTROL, BRANCH).into_keys().collect()
    }

    /// Waits until so many more looks found nothing.
    async fn looks(&self, more: usize) {
        let path = format!("/repos/{CONTROL}/commits/{BRANCH}");
        let before = self.github.calls_of("GET", &path).len();
        let looked = async || (self.github.calls_of("GET", &path).len() >= before + more).then_some(());
        until("pagerd looked at the branch", looked).await;
    }
}

#[tokio::test]
async fn a_question_on_the_branch_is_asked_and_while_nothing_changes_no_quota_is_spent() {
    let inbox = Inbox::start(&[]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    let record = in_state(&inbox.world, "rel-1", "open").await;
    assert_eq!(record["source"]["agent"], "control/ci");
    inbox.looks(1).await;
    let spent = inbox.github.spent_by(&inbox.token);
    inbox.looks(2).await;
    assert_eq!(inbox.github.spent_by(&inbox.token), spent, "a look that finds nothing new is free");
    inbox.push(2, &withdraw("rel-1", "2026-11-30T13:01:00Z"));
    in_state(&inbox.world, "rel-1", "withdrawn").await;
    assert!(!inbox.world.log().contains(&inbox.token));
}

#[tokio::test]
async fn what_cannot_be_taken_stands_in_nobodys_way_and_is_moved_aside() {
    let inbox = Inbox::prepare(&[("PAGER_INBOX_TIDY_MILLIS", "1")]).await;
    let mut world = inbox.world;
    let github = &inbox.github;
    let push = |path: &str, bytes: &[u8]| github.commit(CONTROL, BRANCH, path, bytes);
    push(&path(1), b"{\"type\": \"ask\", ");
    push(&path(2), &[0xff, 0xfe, 0x00]);
    push("events/short.json", b"{}");
    push(&path(3), format!("{{\"type\": \"ask\", \"text\": \"{}\"}}", "x".repeat(70_000)).as_bytes());
    push(&path(4), br#"{"type": "withdraw", "id": "rel-9", "colour": "red"}"#);
    push(&path(5), ask("rel-1", "2026-11-30T13:00:00Z").to_string().as_bytes());
    push("events/notes/plan.md", b"somebody's");
    push("events/notes.md", b"somebody's");
    push(&path(6), br#"{"type": "dance", "text": "of no type there is"}"#);
    world.serve().await;
    in_state(&world, "rel-1", "open").await;
    until("the branch is tidied", async || (!files(github).contains(&path(5))).then_some(())).await;
    let refused = |name: &str| format!("refused/{name}");
    let name = |number: u32| path(number).strip_prefix("events/").unwrap().to_owned();
    let expected: BTreeSet<String> = [
        "README.md".to_owned(),
        "events/notes.md".to_owned(),
        "events/notes/plan.md".to_owned(),
        refused("short.json"),
        refused(&name(1)),
        refused(&name(2)),
        refused(&name(3)),
        refused(&name(4)),
        refused(&name(6)),
    ]
    .into();
    until("all are moved aside", async || (files(github) == expected).then_some(())).await;
    assert_eq!(ids(&world).await, ["rel-1"]);
    for code in ["malformed", "not_an_event_id", "too_large", "unknown_field"] {
        assert!(world.log().contains(code), "{code}");
    }
    assert_eq!(degraded(&world).await, "[]");
    let bytes = github.file(CONTROL, BRANCH, &refused(&name(2)));
    assert_eq!(bytes, Some(vec![0xff, 0xfe, 0x00]), "as it was");
}

fn files(github: &FakeGitHub) -> BTreeSet<String> {
    github.files(CONTROL, BRANCH).into_keys().collect()
}

#[tokio::test]
async fn a_withdrawal_that_lies_beside_its_question_is_never_lost() {
    let mut inbox = Inbox::prepare(&[]).await;
    inbox.push(1, &withdraw("rel-1", "2026-11-30T13:01:00Z"));
    inbox.push(2, &ask("rel-1", "2026-11-30T13:00:00Z"));
    inbox.world.serve().await;
    in_state(&inbox.world, "rel-1", "withdrawn").await;
    // And one that comes a look earlier than its question.
    inbox.push(3, &withdraw("rel-2", "2026-11-30T13:01:00Z"));
    inbox.looks(2).await;
    inbox.push(4, &ask("rel-2", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-2", "withdrawn").await;
}

#[tokio::test]
async fn replies_and_offers_that_lie_beside_their_request_find_it() {
    let mut inbox = Inbox::prepare(&[]).await;
    let at = |second: u32| format!("2026-11-30T13:00:0{second}Z");
    let reply = serde_json::json!({"type": "reply", "request": "r-1", "title": "Built", "text": "Here.", "agent": "ci", "sent_at": at(1)});
    inbox.push(1, &reply);
    inbox.push(2, &serde_json::json!({
        "type": "offer", "request": "r-1", "id": "o-1", "deliverable": "a draft", "missing": "a build", "why": "no compiler", "sent_at": at(2),
    }));
    let mut question = ask("rel-1", &at(3));
    question["about"] = "r-1".into();
    inbox.push(3, &question);
    inbox
        .push(4, &serde_json::json!({"type": "request", "id": "r-1", "title": "Build it", "text": "In Rust.", "sent_at": at(5)}));
    inbox.world.serve().await;
    in_state(&inbox.world, "o-1", "open").await;
    in_state(&inbox.world, "rel-1", "open").await;
    let owner = inbox.world.owner();
    let thread = until("the reply is there", async || {
        Some(owner.get("/v1/requests/r-1").await.with(200)).filter(|thread| thread["answers"] == 1)
    })
    .await;
    assert_eq!(thread["replies"][0]["author"]["id"], "agent:control/ci");
    assert_eq!(thread["clarifies"].as_array().unwrap().len(), 2);
    inbox.world.restart().await;
    inbox.looks(2).await;
    let thread = inbox.world.owner().get("/v1/requests/r-1").await.with(200);
    assert_eq!((&thread["answers"], thread["clarifies"].as_array().unwrap().len()), (&serde_json::json!(1), 2));
}

#[tokio::test]
async fn each_event_counts_once_over_restarts_and_though_it_is_pushed_again() {
    let mut inbox = Inbox::start(&[]).await;
    let unnamed = serde_json::json!({"type": "ask", "text": "Now?", "options": [{"label": "Yes"}, {"label": "No"}]});
    inbox.push(1, &unnamed);
    let asked = until("it is asked", async || ids(&inbox.world).await.pop()).await;
    inbox.world.owner().post_empty(&format!("/v1/questions/{asked}/decline")).await.with(200);
    inbox.world.restart().await;
    inbox.push(2, &ask("rel-1", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-1", "open").await;
    // The same event, taken away and pushed once more.
    inbox.github.remove(CONTROL, BRANCH, &path(1));
    inbox.looks(2).await;
    inbox.push(1, &unnamed);
    inbox.push(3, &ask("rel-2", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-2", "open").await;
    assert_eq!(ids(&inbox.world).await, ["rel-2", "rel-1", asked.as_str()]);
}

#[tokio::test]
async fn a_push_in_between_is_kept_when_the_branch_is_tidied() {
    let mut inbox = Inbox::prepare(&[("PAGER_INBOX_TIDY_MILLIS", "1")]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    inbox.github.fault("POST", TREES, Fault::hang());
    inbox.world.serve().await;
    inbox.github.wait_for("the tree", |state| state.calls.iter().any(|call| call.method == "POST").then_some(())).await.unwrap();
    inbox.push(2, &ask("rel-2", "2026-11-30T13:00:00Z"));
    inbox.github.release();
    in_state(&inbox.world, "rel-2", "open").await;
    until("both are taken away", async || (inbox.files() == ["README.md".to_owned()].into()).then_some(())).await;
    assert_eq!(ids(&inbox.world).await, ["rel-2", "rel-1"]);
    let messages = inbox.github.messages(CONTROL, BRANCH);
    assert!(messages.iter().any(|message| message.starts_with("events: ")), "{messages:?}");
}

#[tokio::test]
async fn an_event_that_cannot_be_handled_yet_is_told_of_and_looks_stay_free() {
    let inbox = Inbox::start(&[]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-1", "open").await;
    let held = inbox.world.hold_writing();
    let owner = inbox.world.owner();
    let answering =
        tokio::spawn(async move { owner.post("/v1/questions/rel-1/answer", &serde_json::json!({"answer": "Go"})).await });
    in_state(&inbox.world, "rel-1", "answering").await;
    inbox.push(2, &withdraw("rel-1", "2026-11-30T13:01:00Z"));
    until("readyz tells of it", async || degraded(&inbox.world).await.contains("not be handled yet (answering)").then_some(()))
        .await;
    let last = inbox.github.calls_of("GET", &format!("/repos/{CONTROL}/commits/{BRANCH}")).len();
    inbox.looks(1).await;
    let looks = inbox.github.calls_of("GET", &format!("/repos/{CONTROL}/commits/{BRANCH}"));
    assert!(looks[last..].iter().all(|look| !look.is_counted), "{looks:?}");
    drop(held);
    answering.await.unwrap();
    until("all is well", async || (degraded(&inbox.world).await == "[]").then_some(())).await;
    assert_eq!(inbox.world.owner().get("/v1/questions/rel-1").await.with(200)["state"], "answered");
}

#[tokio::test]
async fn a_branch_that_cannot_be_moved_is_left_alone_for_a_while() {
    let mut inbox = Inbox::prepare(&[("PAGER_INBOX_TIDY_MILLIS", "1")]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    let head = format!("/repos/{CONTROL}/git/refs/heads/{BRANCH}");
    inbox.github.faults("PATCH", &head, Fault::status(409, "Conflict"), 5);
    inbox.world.serve().await;
    until("it raced twice", async || (inbox.github.calls_of("PATCH", &head).len() >= 2).then_some(())).await;
    inbox.looks(2).await;
    assert_eq!(inbox.github.calls_of("PATCH", &head).len(), 2);
    in_state(&inbox.world, "rel-1", "open").await;
}

#[tokio::test]
async fn while_github_is_down_it_keeps_trying_and_says_so() {
    let inbox = Inbox::start(&[]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-1", "open").await;
    inbox.github.set_down(true);
    until("readyz tells of it", async || degraded(&inbox.world).await.contains("inbox: ").then_some(())).await;
    inbox.push(2, &ask("rel-2", "2026-11-30T13:00:00Z"));
    inbox.github.set_down(false);
    in_state(&inbox.world, "rel-2", "open").await;
    until("all is well", async || (degraded(&inbox.world).await == "[]").then_some(())).await;
}

#[tokio::test]
async fn a_branch_that_cannot_be_tidied_is_read_all_the_same() {
    let inbox = Inbox::prepare(&[("PAGER_INBOX_TIDY_MILLIS", "1")]).await;
    let mut world = inbox.world;
    inbox.github.set_rights(&inbox.token, CONTROL, Some(Rights::read()));
    inbox.github.commit(CONTROL, BRANCH, &path(1), ask("rel-1", "2026-11-30T13:00:00Z").to_string().as_bytes());
    world.serve().await;
    in_state(&world, "rel-1", "open").await;
    until("readyz tells of it", async || degraded(&world).await.contains("cannot be removed").then_some(())).await;
    inbox.github.commit(CONTROL, BRANCH, &path(2), ask("rel-2", "2026-11-30T13:00:00Z").to_string().as_bytes());
    in_state(&world, "rel-2", "open").await;
}

#[tokio::test]
async fn an_inbox_on_github_without_anything_to_call_it_with_does_not_start() {
    let mut inbox = Inbox::prepare(&[]).await;
    inbox.world.unset("PAGER_GITHUB__TOKEN");
    let ended = inbox.world.pagerd(&["serve"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.words.contains("control.inbox") && ended.words.contains("github.token"), "{ended:?}");
}
