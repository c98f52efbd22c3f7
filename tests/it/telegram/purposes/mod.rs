//! Every purpose in Telegram: what it shows, what settles it, and how that is told.

mod approvals;
mod documents;
mod hostile;
mod marks;
mod queue;
mod table;
mod words;

use pager_tests::fake_telegram::{FORUM, Message, OWNER};
use serde_json::{Value, json};

use crate::world::{Shown, World, until};

pub use documents::POINTS;

/// A question of this purpose, as plain as it can be, with these fields on top.
fn draft(purpose: &str, id: &str, more: Value) -> Value {
    let mut body = json!({"id": id, "purpose": purpose, "text": format!("{purpose} {id}?"), "waiting_on": "the release"});
    match purpose {
        "question" => body["options"] = json!([{"label": "Yes"}, {"label": "No"}]),
        "decision" => {
            body["options"] = json!([{"label": "SQLite", "detail": "One file."}, {"label": "PostgreSQL", "detail": "A server."}]);
            body["recommended"] = json!("1");
        }
        "action" => body["steps"] = json!(["Open the shop.", "Pay 12 €."]),
        _ => {}
    }
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn asks(world: &World, purpose: &str, id: &str, more: Value) -> Shown {
    world.asks_with(draft(purpose, id, more)).await;
    world.shown(id).await
}

/// The message once it has these buttons.
async fn has_buttons(world: &World, message: i64, labels: &[&str]) -> Message {
    until(&format!("the buttons {labels:?}"), async || {
        world.telegram().message(FORUM, message).filter(|message| message.labels() == labels)
    })
    .await
}

/// What a press with this data is told.
async fn told(world: &World, message: i64, data: &str) -> String {
    let press = world.telegram().press_data(FORUM, OWNER, message, data);
    world.telegram().wait_for_callback_answer(&press).await.unwrap().text
}

/// What a press on this button is told.
async fn presses(world: &World, shown: Shown, label: &str) -> String {
    let press = world.telegram().press(shown.message, label).unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap().text
}

/// The data of a button that this question has, had or never had.
async fn data(world: &World, id: &str, act: &str) -> String {
    let incarnation = world.record(id).await["incarnation"].as_str().unwrap().to_owned();
    act.replace('*', &incarnation)
}

/// Waits until so many calls of this method have begun, whether or not they are over.
async fn begun(world: &World, method: &str, count: usize) {
    let has_begun = |state: &pager_tests::fake_telegram::State| {
        let calls = state.calls.iter().filter(|call| call.method == method.to_ascii_lowercase());
        (calls.count() >= count).then_some(())
    };
    world.telegram().wait_for(&format!("{count} calls of {method}"), has_begun).await.unwrap();
}
