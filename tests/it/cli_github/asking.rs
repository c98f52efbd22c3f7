//! Asking: what arrives is what pagerd takes, and nothing is sent that could not be answered.

use pager_questions::control::{Act, ControlEvent, Dispatch, forwarded};
use pager_tests::fake_github::Fault;

use super::{ANSWERS, ASK, Agent, CONTROL};

#[tokio::test]
async fn what_is_dispatched_is_an_event_that_pagerd_takes() {
    let agent = Agent::new().await;
    let ended = agent.ask(&ASK).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(agent.ask(&["withdraw", "rel-42", "--reason", "settled", "--timeout", "0s"]).await.code, Some(0));
    let events = agent.hub.events();
    let mut acts = Vec::new();
    for event in &events {
        assert_eq!(event.client_payload.as_object().unwrap().len(), 1);
        let Dispatch::Event(body) = forwarded(&agent.hub.event_file(event)).unwrap() else { panic!("{event:?}") };
        let read = ControlEvent::read(body).unwrap();
        assert_eq!(read.sender.unwrap().login.as_deref(), Some("robot"));
        acts.push((read.act, read.sent_at.unwrap().to_string()));
    }
    assert!(
        matches!(&acts[0], (Act::Ask(draft), sent_at) if draft.id.as_ref().unwrap().as_str() == "rel-42" && *sent_at == ended.json()["asked_at"])
    );
    assert!(matches!(&acts[1], (Act::Withdraw { reason, .. }, _) if reason.as_deref() == Some("settled")));
}

#[tokio::test]
async fn a_dispatch_whose_reply_is_lost_is_made_again_under_the_same_event() {
    let agent = Agent::new().await;
    agent.hub.fault("POST", "*/dispatches", Fault::reset_after());
    agent.hub.fault("POST", "*/dispatches", Fault::bad_gateway_after());
    assert_eq!(agent.ask(&ASK).await.code, Some(0));
    let events = agent.hub.events();
    assert_eq!(events.len(), 3);
    assert!(events.iter().all(|event| event.client_payload == events[0].client_payload), "{events:?}");
}

#[tokio::test]
async fn without_access_to_the_answers_nothing_is_sent() {
    let agent = Agent::new().await;
    agent.hub.set_rights(&agent.reads, ANSWERS, None);
    let ended = agent.ask(&ASK).await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.words.contains("Contents (read)"), "{ended:?}");
    agent.hub.revoke(&agent.reads);
    assert_eq!(agent.ask(&ASK).await.code, Some(1));
    assert!(agent.hub.events().is_empty());
}

#[tokio::test]
async fn without_the_right_to_dispatch_it_says_which_is_missing() {
    let agent = Agent::new().await;
    agent.hub.set_rights(&agent.sends, CONTROL, None);
    let ended = agent.ask(&ASK).await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.words.contains("Contents (write)") && ended.words.contains("GH_TOKEN"), "{ended:?}");
}

#[tokio::test]
async fn an_id_that_was_ever_used_is_refused() {
    for path in ["answers/rel-42.json", "archive/68/rel-42.json"] {
        let agent = Agent::new().await;
        agent.save(path, &agent.answer("rel-42", "chosen"));
        assert_eq!(agent.ask(&ASK).await.code, Some(7));
        assert!(agent.hub.events().is_empty());
    }
}
