//! Withdrawing: an agent hears of an answer that was faster than its event.

use serde_json::json;

use super::{ASK, Agent};

const FILE: &str = "answers/rel-42.json";

#[tokio::test]
async fn an_answer_that_comes_after_the_event_is_nine() {
    let agent = Agent::new().await;
    let withdrawing = agent.start(&["withdraw", "rel-42", "--timeout", "5m"]);
    agent.hub.wait_for_event("pager-withdraw", 0).await.unwrap();
    agent.save(FILE, &agent.answer("rel-42", "chosen"));
    let ended = withdrawing.end().await;
    assert_eq!((ended.code, ended.json()), (Some(9), agent.answer("rel-42", "chosen")), "{ended:?}");
}

#[tokio::test]
async fn a_terminated_wait_withdraws_what_it_asked() {
    let agent = Agent::new().await;
    let asking = agent.start(&[&ASK[..], &["--wait", "1h"]].concat());
    agent.hub.wait_for_event("pager-ask", 0).await.unwrap();
    asking.terminate();
    let ended = asking.end().await;
    assert_eq!((ended.code, ended.json()), (Some(5), json!({"id": "rel-42", "state": "withdrawal_sent"})), "{ended:?}");
    assert_eq!(agent.hub.events()[1].event_type, "pager-withdraw");
}
