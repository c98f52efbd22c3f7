//! Asking and taking back: each event is pushed once, whatever becomes of the connection.

use pager_questions::control::Act;
use pager_tests::git_http::{At, Fault};
use serde_json::{Value, json};

use super::{ASK, Agent, FILE};
use crate::world::until;

#[tokio::test]
async fn what_is_pushed_is_an_event_that_pagerd_takes() {
    let agent = Agent::new();
    let ended = agent.ask(&ASK).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let withdrawn = agent.ask(&["withdraw", "rel-42", "--reason", "settled", "--timeout", "0s"]).await;
    assert_eq!((withdrawn.code, withdrawn.json()["state"].as_str()), (Some(0), Some("withdrawal_sent")), "{withdrawn:?}");
    let events = agent.events();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].sent_at.unwrap().to_string(), ended.json()["asked_at"]);
    assert!(matches!(&events[0].act, Act::Ask(draft) if draft.id.as_ref().unwrap().as_str() == "rel-42"));
    assert!(matches!(&events[1].act, Act::Withdraw { reason, .. } if reason.as_deref() == Some("settled")));
    agent.server.git(&["fsck", "--strict", "--full", "--no-dangling"]);
}

#[tokio::test]
async fn a_push_whose_reply_is_lost_counts_once() {
    let agent = Agent::new();
    agent.server.add_fault(At::Push, Fault::ResetAfter);
    agent.server.add_fault(At::PushLook, Fault::Status(503));
    assert_eq!(agent.ask(&ASK).await.code, Some(0));
    assert_eq!(agent.events().len(), 1);
}

#[tokio::test]
async fn a_push_that_is_refused_is_said_so_and_not_made_again() {
    let agent = Agent::new();
    agent.server.refuse_pushes("no events on Sundays");
    let ended = agent.ask(&ASK).await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.words.contains("no events on Sundays"), "{ended:?}");
    assert_eq!(agent.server.calls().iter().filter(|call| **call == At::Push).count(), 1);
}

#[tokio::test]
async fn an_id_with_an_answer_is_used_and_its_withdrawal_comes_too_late() {
    for path in [FILE, "archive/68/rel-42.json"] {
        let agent = Agent::new();
        agent.save(path, &agent.answer("chosen"));
        assert_eq!(agent.ask(&ASK).await.code, Some(7));
        let late = agent.ask(&["withdraw", "rel-42"]).await;
        assert_eq!((late.code, late.json()), (Some(9), agent.answer("chosen")), "{late:?}");
        assert_eq!(agent.pushed(), 0);
    }
}

#[tokio::test]
async fn a_terminated_wait_withdraws_what_it_asked_and_hears_of_an_answer_that_was_faster() {
    for is_answered in [false, true] {
        let agent = Agent::new();
        // It watches for six looks after a signal.
        let every = if is_answered { "1000" } else { "20" };
        let asking = agent.start_looking(every, &[&ASK[..], &["--wait", "1h"]].concat());
        until("the question is pushed", async || (agent.pushed() == 1).then_some(())).await;
        let before = agent.server.calls().len();
        until("it looks for the answer", async || (agent.server.calls().len() > before).then_some(())).await;
        asking.terminate();
        if is_answered {
            until("its withdrawal is pushed", async || (agent.pushed() == 2).then_some(())).await;
            agent.save(FILE, &agent.answer("chosen"));
        }
        let ended = asking.end().await;
        agent.hides_the_password(&ended);
        let sent: Value = json!({"id": "rel-42", "state": "withdrawal_sent"});
        let (code, printed) = if is_answered { (0, agent.answer("chosen")) } else { (5, sent) };
        assert_eq!((ended.code, ended.json()), (Some(code), printed), "{ended:?}");
        assert_eq!(agent.pushed(), 2);
    }
}
