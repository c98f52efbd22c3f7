//! GitHub is away for a while. Presses taken meanwhile are saved in order once it is back; the owner is told meanwhile, and
//! nobody is told that anything is saved before it is.

use pager_tests::fake_telegram::{FORUM, Message};
use serde_json::Value;

use super::github::{ANSWERS, Machines};
use super::press;
use crate::world::until;

const QUESTIONS: [&str; 3] = ["b", "c", "a"];

fn told_as_saved(message: &Message) -> bool {
    message.words().contains("You answered")
}

#[tokio::test]
async fn presses_while_github_is_down_are_saved_in_order_and_nobody_is_told_so_before() {
    let machines = Machines::start().await;
    let telegram = machines.pagerd.telegram();
    for id in QUESTIONS {
        let body = serde_json::json!({
            "id": id, "text": format!("Go on with {id}?"), "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}],
        });
        machines.pagerd.agent().post("/v1/questions", &body).await.with(201);
    }
    let mut messages = Vec::new();
    for id in QUESTIONS {
        let is_it = |message: &Message| message.words().contains(&format!("Go on with {id}?")) && message.labels().len() == 2;
        messages.push(telegram.wait_for_message(id, is_it).await.unwrap().id);
    }
    machines.github.set_down(true);
    for id in QUESTIONS {
        press(telegram, &format!("Go on with {id}?"), "Yes").await;
        until("the press is claimed", async || {
            let record = machines.pagerd.owner().get(&format!("/v1/questions/{id}")).await.with(200);
            (record["state"] == "answering").then_some(())
        })
        .await;
    }
    // The owner is told in the message why nothing is said to be saved.
    until("the messages say that it takes long", async || {
        let says = |id: &i64| telegram.message(FORUM, *id).unwrap().words().contains("being saved");
        messages.iter().all(says).then_some(())
    })
    .await;
    let ready = machines.pagerd.nobody().get("/readyz").await.with(200);
    assert!(ready["degraded"].to_string().contains("answers"), "{ready}");
    for id in QUESTIONS {
        assert_eq!(machines.github.file(ANSWERS, "main", &format!("answers/{id}.json")), None);
        let record = machines.pagerd.owner().get(&format!("/v1/questions/{id}")).await.with(200);
        assert_eq!((&record["state"], &record["answer"]), (&Value::from("answering"), &Value::Null));
    }
    assert!(messages.iter().all(|id| !told_as_saved(&telegram.message(FORUM, *id).unwrap())));
    // It outlives the service, too.
    machines.github.set_down(false);
    until("all are told as saved", async || {
        messages.iter().all(|id| told_as_saved(&telegram.message(FORUM, *id).unwrap())).then_some(())
    })
    .await;
    let history: String = machines.github.messages(ANSWERS, "main").into_iter().rev().collect::<Vec<_>>().join("\n");
    let places = QUESTIONS.map(|id| history.find(&format!("answer {id}: chosen")).expect("it is in the history"));
    assert!(places.is_sorted(), "{history}");
    machines.github.git(ANSWERS, &["fsck", "--strict", "--full", "--no-dangling"]);
}
