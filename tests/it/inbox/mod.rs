//! Events that lie on a branch, on GitHub and in any git: taken once each, whatever lies beside them, and tidied away.

mod crashes;
mod git;
mod github;

use serde_json::{Value, json};

use crate::world::{World, until};

pub use crashes::{POINTS, story};

const BRANCH: &str = "pager-events";

/// An event's id: this name in the form of a UUID.
fn event_id(number: u32) -> String {
    format!("0198f2c4-7d5e-7c11-a2b0-{number:012}")
}

/// The file of an event.
fn path(number: u32) -> String {
    format!("events/{}.json", event_id(number))
}

/// A question, as an agent sends it.
fn ask(id: &str, sent_at: &str) -> Value {
    json!({
        "type": "ask", "id": id, "text": format!("Release {id}?"), "options": [{"label": "Yes"}, {"label": "No"}],
        "sent_at": sent_at, "agent": "ci",
    })
}

/// Its withdrawal.
fn withdraw(id: &str, sent_at: &str) -> Value {
    json!({"type": "withdraw", "id": id, "reason": "solved", "sent_at": sent_at, "agent": "ci"})
}

/// The record, as the owner sees it, once it is there and in this state.
async fn in_state(world: &World, id: &str, state: &str) -> Value {
    let owner = world.owner();
    until(&format!("{id} is {state}"), async || {
        let request = owner.request(reqwest::Method::GET, &format!("/v1/questions/{id}"));
        let record = crate::world::sent(request).await.ok().filter(|reply| reply.status == 200)?.json();
        (record["state"] == state).then_some(record)
    })
    .await
}

/// The ids of all questions, newest first.
async fn ids(world: &World) -> Vec<String> {
    let list = world.owner().get("/v1/questions").await.with(200);
    list["items"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

async fn degraded(world: &World) -> String {
    world.nobody().get("/readyz").await.with(200)["degraded"].to_string()
}
