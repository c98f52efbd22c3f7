//! Requests, replies and offers: what arrives is what pagerd takes.

use pager_questions::control::{Act, ControlEvent, Dispatch, forwarded};
use pager_tests::fake_github::Fault;

use super::Agent;
use crate::world::until;

const REQUEST: [&str; 6] = ["request", "Build this parser", "--text", "In Rust", "--tag", "cap:rust"];
const REPLY: [&str; 6] = ["reply", "r-17", "--title", "Untested", "--text", "Nothing was compiled"];
const OFFER: [&str; 12] = [
    "offer",
    "r-17",
    "--deliverable",
    "untested code",
    "--missing",
    "a test run",
    "--why",
    "no compiler",
    "--deadline",
    "1h",
    "--id",
    "r-17-offer",
];

impl Agent {
    fn acts(&self) -> Vec<Act> {
        let read = |event| {
            let Dispatch::Event(body) = forwarded(&self.hub.event_file(event)).unwrap() else { panic!("it is pager's") };
            ControlEvent::read(body).unwrap().act
        };
        self.hub.events().iter().map(read).collect()
    }
}

#[tokio::test]
async fn what_is_dispatched_is_taken_and_names_its_request() {
    let agent = Agent::new().await;
    let asked = agent.ask(&REQUEST).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    assert_eq!(agent.ask(&REPLY).await.code, Some(0));
    assert_eq!(agent.ask(&OFFER).await.code, Some(0));
    let acts = agent.acts();
    let printed = asked.json()["id"].as_str().unwrap().to_owned();
    assert!(matches!(&acts[0], Act::Request(draft) if draft.id.as_ref().unwrap().as_str() == printed), "{acts:?}");
    assert!(
        matches!(&acts[1], Act::Reply { request, draft } if request.as_str() == "r-17" && draft.text == "Nothing was compiled")
    );
    assert!(matches!(&acts[2], Act::Offer { request, .. } if request.as_str() == "r-17"));
}

#[tokio::test]
async fn a_dispatch_whose_reply_is_lost_is_made_again_under_the_same_event() {
    for verb in [&REQUEST[..], &REPLY, &OFFER] {
        let agent = Agent::new().await;
        agent.hub.fault("POST", "*/dispatches", Fault::reset_after());
        assert_eq!(agent.ask(verb).await.code, Some(0));
        let events = agent.hub.events();
        assert_eq!((events.len(), &events[0].client_payload), (2, &events[1].client_payload));
    }
}

#[tokio::test]
async fn a_wait_for_the_pick_finds_it_in_the_answers_repository() {
    for (outcome, code) in [("chosen", 0), ("defaulted", 6)] {
        let agent = Agent::new().await;
        let offering = agent.start(&[&OFFER[..], &["--wait", "1h"]].concat());
        until("the offer is sent", async || (agent.hub.events().len() == 1).then_some(())).await;
        let picked = agent.answer("r-17-offer", outcome);
        agent.save("answers/r-17-offer.json", &picked);
        let ended = offering.end().await;
        assert_eq!((ended.code, ended.json()), (Some(code), picked), "{ended:?}");
    }
}
