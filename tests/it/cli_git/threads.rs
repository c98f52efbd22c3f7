//! Requests, replies and offers: each is pushed once, as pagerd takes it.

use pager_questions::control::Act;
use pager_tests::git_http::{At, Fault};

use super::Agent;
use crate::world::until;

const OFFER: [&str; 10] =
    ["offer", "r-17", "--deliverable", "untested code", "--missing", "a test run", "--why", "no compiler", "--id", "rel-42"];

#[tokio::test]
async fn what_is_pushed_is_taken_and_names_its_request() {
    let agent = Agent::new();
    let asked = agent.ask(&["request", "Build this parser", "--text", "In Rust", "--tag", "cap:rust"]).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    assert_eq!(agent.ask(&["reply", "r-17", "--title", "Untested", "--text", "Nothing was compiled"]).await.code, Some(0));
    assert_eq!(agent.ask(&OFFER).await.code, Some(0));
    let acts: Vec<Act> = agent.events().into_iter().map(|event| event.act).collect();
    let printed = asked.json()["id"].as_str().unwrap().to_owned();
    assert!(matches!(&acts[0], Act::Request(draft) if draft.id.as_ref().unwrap().as_str() == printed), "{acts:?}");
    assert!(matches!(&acts[1], Act::Reply { request, .. } if request.as_str() == "r-17"));
    assert!(matches!(&acts[2], Act::Offer { request, .. } if request.as_str() == "r-17"));
}

#[tokio::test]
async fn a_request_whose_push_lost_its_reply_counts_once() {
    let agent = Agent::new();
    agent.server.add_fault(At::Push, Fault::ResetAfter);
    assert_eq!(agent.ask(&["request", "Build this parser", "--text", "In Rust"]).await.code, Some(0));
    assert_eq!(agent.events().len(), 1);
}

#[tokio::test]
async fn a_wait_for_the_pick_finds_it_on_the_branch_of_answers() {
    let agent = Agent::new();
    let offering = agent.start(&[&OFFER[..], &["--wait", "1h"]].concat());
    until("the offer is pushed", async || (agent.pushed() == 1).then_some(())).await;
    agent.save(super::FILE, &agent.answer("defaulted"));
    let ended = offering.end().await;
    assert_eq!((ended.code, ended.json()), (Some(6), agent.answer("defaulted")), "{ended:?}");
}
