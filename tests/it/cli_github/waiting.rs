//! Waiting: no quota while nothing changes, and nothing but a signed answer ends it well.

use pager_tests::fake_github::Fault;
use serde_json::json;

use super::{ANSWERS, ASK, Agent};
use crate::world::until;

const FILE: &str = "answers/rel-42.json";

impl Agent {
    /// Waits until the branch was looked at this often.
    async fn looked(&self, times: usize) {
        let looks = async || (self.hub.calls_of("GET", "*/commits/main").len() >= times).then_some(());
        until("looks at the branch", looks).await;
    }
}

#[tokio::test]
async fn a_wait_spends_nothing_while_nothing_changes() {
    let agent = Agent::new().await;
    let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(25).await;
    let spent = agent.hub.spent_by(&agent.reads);
    assert_eq!(spent, 4, "{:?}", agent.hub.calls());
    agent.save("answers/other.json", &json!({}));
    agent.looked(60).await;
    assert_eq!(agent.hub.spent_by(&agent.reads), spent + 4);
    agent.save(FILE, &agent.answer("rel-42", "own_words"));
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(0), agent.answer("rel-42", "own_words")), "{ended:?}");
    assert_eq!(ended.words, "");
}

#[tokio::test]
async fn a_wait_outlives_limits_and_failures() {
    let agent = Agent::new().await;
    let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(2).await;
    for fault in [
        Fault::SecondaryLimit { retry_after: None, status: None },
        Fault::SecondaryLimit { retry_after: Some(0), status: Some(429) },
        Fault::PrimaryLimit { seconds: -1 },
        Fault::bad_gateway(),
        Fault::reset(),
        Fault::Gone {},
    ] {
        agent.hub.fault("GET", "*/commits/main", fault);
    }
    until("faults are met", async || (agent.hub.waiting_faults() == 0).then_some(())).await;
    agent.save(FILE, &agent.answer("rel-42", "declined"));
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(4), agent.answer("rel-42", "declined")), "{ended:?}");
}

#[tokio::test]
async fn an_answer_that_a_lagging_copy_does_not_show_yet_is_seen_once_it_does() {
    let agent = Agent::new().await;
    let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(2).await;
    let lagging = || Fault::status(404, "No commit found for the ref 5d2cb0f1d3a1a3a9a1f0b7c2b4ab8c7e6f1d2c3b");
    agent.hub.fault("GET", "*/contents/answers/*", lagging());
    // The file of the answers is not there in the other copy, the archive as little.
    agent.hub.fault("GET", "*/contents/answers/*", Fault::Gone {});
    agent.hub.fault("GET", "*/contents/archive/*", lagging());
    agent.save(FILE, &agent.answer("rel-42", "chosen"));
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(0), agent.answer("rel-42", "chosen")), "{ended:?}");
    assert_eq!(agent.hub.waiting_faults(), 0);
}

#[tokio::test]
async fn a_file_that_is_not_shown_counts_as_absent_only_where_the_repository_is() {
    let agent = Agent::new().await;
    let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(2).await;
    for path in ["*/contents/answers/*", "*/contents/archive/*", "/repos/ada/answers"] {
        agent.hub.fault("GET", path, Fault::Gone {});
    }
    agent.save(FILE, &agent.answer("rel-42", "chosen"));
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(0), agent.answer("rel-42", "chosen")), "{ended:?}");
    assert_eq!(agent.hub.waiting_faults(), 0);
}

#[tokio::test]
async fn a_repository_that_is_gone_ends_the_wait_with_its_causes() {
    let agent = Agent::new().await;
    let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(2).await;
    agent.hub.set_gone(ANSWERS, true);
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.words.contains("expired or was revoked"), "{ended:?}");
}

#[tokio::test]
async fn a_renamed_repository_is_followed() {
    let agent = Agent::new().await;
    agent.save(FILE, &agent.answer("rel-42", "chosen"));
    agent.hub.rename(ANSWERS, "decisions");
    let ended = agent.ask(&["answer", "rel-42"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[tokio::test]
async fn a_tampered_answer_is_an_error() {
    let agent = Agent::new().await;
    let mut tampered = agent.answer("rel-42", "chosen");
    tampered["answer"] = "No".into();
    agent.save(FILE, &tampered);
    for verb in ["answer", "wait", "withdraw"] {
        let ended = agent.ask(&[verb, "rel-42"]).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    }
}

#[tokio::test]
async fn the_printed_time_ignores_what_is_older() {
    let agent = Agent::new().await;
    let since = agent.ask(&[&ASK[..], &["--print", "time"]].concat()).await.output;
    agent.save(FILE, &agent.answer("rel-42", "chosen"));
    assert_eq!(agent.ask(&["wait", "rel-42", "--since", since.trim()]).await.code, Some(0));
    let ended = agent.ask(&["answer", "rel-42", "--since", "2100-01-01T00:00:00Z"]).await;
    assert_eq!((ended.code, ended.json()), (Some(3), json!({"id": "rel-42", "state": null})), "{ended:?}");
    assert!(ended.words.contains("too old"), "{ended:?}");
}
