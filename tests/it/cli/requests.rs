//! Work that one agent asks of another, with the service's own answers.

use serde_json::{Value, json};

use crate::world::{World, until};

const REQUEST: [&str; 8] = ["request", "Build this parser", "--text", "In Rust, please", "--tag", "cap:rust", "--id", "r-17"];
const OFFER: [&str; 10] = [
    "offer",
    "r-17",
    "--deliverable",
    "untested code",
    "--missing",
    "a build and a test run",
    "--why",
    "no compiler",
    "--id",
    "r-17-offer",
];

/// A world in which the agent of `world.ask` asks for work, and a helper with a token of its own.
async fn two(settings: &[(&str, &str)]) -> (World, String) {
    let world = World::start_with(settings).await;
    let token = world.new_token("agent", "builder").await;
    let made = world.ask(&REQUEST).await;
    assert_eq!((made.code, &made.json()["id"], &made.json()["state"]), (Some(0), &json!("r-17"), &json!("open")), "{made:?}");
    (world, token)
}

#[tokio::test]
async fn an_offer_is_picked_by_the_agent_that_asked_and_by_nobody_else() {
    let (world, helper) = two(&[]).await;
    let offered = world.ask_with(&helper, &OFFER).await;
    assert_eq!((offered.code, &offered.json()["id"]), (Some(0), &json!("r-17-offer")), "{offered:?}");
    assert_eq!(world.ask_with(&helper, &["answer", "r-17-offer"]).await.code, Some(3));

    let status = world.ask(&["status"]).await;
    assert!(status.output.starts_with("awaiting you: r-17-offer (offer by builder): A partial offer for"), "{status:?}");
    assert_eq!(world.ask(&["status", "--json"]).await.json()["awaiting_you"][0]["id"], "r-17-offer");
    assert_eq!(world.ask_as_owner(&["status"]).await.output, "", "it is not the owner's");
    assert_eq!(world.ask_with(&helper, &["pick", "r-17-offer", "--option", "out"]).await.code, Some(8));
    assert_eq!(world.ask(&["pick", "r-17-offer", "--option", "both"]).await.code, Some(2));

    let picked = world.ask(&["pick", "r-17-offer", "--option", "deliverable"]).await;
    assert_eq!((picked.code, &picked.json()["by"]["kind"]), (Some(0), &json!("agent")), "{picked:?}");
    for verb in ["answer", "wait"] {
        let heard = world.ask_with(&helper, &[verb, "r-17-offer"]).await;
        assert_eq!((heard.code, heard.json()), (Some(0), picked.json()), "{heard:?}");
    }
    let again = world.ask(&["pick", "r-17-offer", "--option", "out"]).await;
    assert_eq!((again.code, again.json()), (Some(7), picked.json()), "{again:?}");
    assert_eq!(world.ask(&["status"]).await.output, "");
}

#[tokio::test]
async fn a_reply_stands_in_the_thread_once() {
    let (world, helper) = two(&[]).await;
    let reply = ["reply", "r-17", "--title", "A parser, untested", "--text", "Untested", "--publication-id", "p-1"];
    let replied = world.ask_with(&helper, &reply).await;
    assert_eq!((replied.code, &replied.json()["kind"]), (Some(0), &json!("answer")), "{replied:?}");
    assert_eq!(world.ask_with(&helper, &reply).await.json(), replied.json());
    let mut changed = reply;
    changed[5] = "Tested";
    assert_eq!(world.ask_with(&helper, &changed).await.code, Some(7));
    let own = world.ask(&["reply", "r-17", "--title", "More", "--text", "It reads TOML"]).await;
    assert_eq!((own.code, &own.json()["kind"]), (Some(0), &json!("message")), "{own:?}");
    assert_eq!(world.ask(&["reply", "r-18", "--title", "T", "--text", "x"]).await.code, Some(8));
    assert_eq!(world.ask_with(&helper, &[&["offer", "r-18"], &OFFER[2..]].concat()).await.code, Some(8));
    assert_eq!(world.ask(&[&REQUEST[..], &["--tag", "no tag"]].concat()).await.code, Some(2));
}

#[tokio::test]
async fn a_helper_that_waits_goes_on_with_its_default_and_a_late_pick_is_kept() {
    let (world, helper) = two(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    let waiting = [&OFFER[..], &["--deadline", "1s", "--wait", "1h"]].concat();
    let ended = world.ask_with(&helper, &waiting).await;
    assert_eq!((ended.code, &ended.json()["default"]), (Some(6), &json!("deliverable")), "{ended:?}");
    let late = world.ask(&["pick", "r-17-offer", "--option", "out"]).await;
    assert_eq!((late.code, late.json()), (Some(7), ended.json()), "{late:?}");
    assert!(late.words.contains("kept in the thread"), "{late:?}");
    let thread = world.agent().get("/v1/requests/r-17").await.with(200);
    assert_eq!((&thread["replies"][0]["kind"], &thread["replies"][0]["text"]), (&json!("late_pick"), &json!("no thanks")));
}

#[tokio::test]
async fn what_nobody_answered_is_said_in_a_line_to_whoever_asked() {
    let (world, helper) = two(&[("PAGER_UNANSWERED_AFTER", "1s")]).await;
    let noticed = until("it is unanswered", async || {
        let status = world.ask(&["status"]).await;
        (!status.output.is_empty()).then_some(status)
    })
    .await;
    assert_eq!(noticed.output, "unanswered: your ask 'Build this parser': 0 answers after 0 min\n");
    assert_eq!(world.ask_with(&helper, &["status"]).await.output, "");
    let document: Value = world.ask(&["status", "--json"]).await.json();
    assert_eq!(document["unanswered"][0]["id"], "r-17");
    assert_eq!(world.ask_with(&helper, &["reply", "r-17", "--title", "T", "--text", "x"]).await.code, Some(0));
    assert_eq!(world.ask(&["status"]).await.output, "");
}

#[tokio::test]
async fn a_question_about_a_request_goes_to_its_author() {
    let (world, helper) = two(&[]).await;
    let new = ["new", "Which grammar?", "-o", "toml=TOML", "-o", "ini=INI", "--about", "r-17", "--id", "which-1"];
    assert_eq!(world.ask_with(&helper, &new).await.code, Some(0));
    let picked = world.ask(&["pick", "which-1", "--words", "the first"]).await;
    assert_eq!((picked.code, &picked.json()["outcome"]), (Some(0), &json!("own_words")), "{picked:?}");
    let unknown = [&new[..6], &["--about", "r-99"]].concat();
    let ended = world.ask_with(&helper, &unknown).await;
    assert_eq!((ended.code, ended.words.contains("about")), (Some(2), true), "{ended:?}");
}
