//! Waiting: over a server that is away or hangs, and never without what was answered.

use pager_tests::git_http::{At, Fault};
use serde_json::json;

use super::{Agent, FILE};
use crate::world::until;

impl Agent {
    /// Waits until it was looked so many times more.
    async fn looked(&self, times: usize) {
        let looks = || self.server.calls().iter().filter(|call| **call == At::FetchLook).count();
        let enough = looks() + times;
        until("looks at the branch", async || (looks() >= enough).then_some(())).await;
    }
}

#[tokio::test]
async fn an_answer_ends_the_wait_also_from_the_archive() {
    for path in [FILE, "archive/68/rel-42.json"] {
        let agent = Agent::new();
        let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
        agent.looked(2).await;
        agent.save("answers/other.json", &json!({}));
        agent.save(path, &agent.answer("own_words"));
        let ended = waiting.end().await;
        assert_eq!((ended.code, ended.json()), (Some(0), agent.answer("own_words")), "{ended:?}");
        assert_eq!(ended.words, "");
        agent.hides_the_password(&ended);
    }
}

#[tokio::test]
async fn a_wait_outlives_a_server_that_is_away_and_one_that_fails() {
    let agent = Agent::new();
    let mut waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(2).await;
    for fault in [Fault::Status(502), Fault::ResetBefore, Fault::Garbage, Fault::Status(429)] {
        agent.server.add_fault(At::FetchLook, fault);
    }
    agent.looked(6).await;
    agent.server.stop();
    let said = waiting.child().stderr.as_mut().unwrap();
    let mut first = [0; 1];
    tokio::io::AsyncReadExt::read_exact(said, &mut first).await.unwrap();
    agent.save(FILE, &agent.answer("declined"));
    agent.server.start_again();
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(4), agent.answer("declined")), "{ended:?}");
    agent.hides_the_password(&ended);
}

#[tokio::test]
async fn a_server_that_hangs_holds_up_no_signal() {
    let agent = Agent::new();
    let waiting = agent.start(&["wait", "rel-42", "--timeout", "0"]);
    agent.looked(2).await;
    agent.server.add_fault(At::FetchLook, Fault::Hang);
    agent.looked(1).await;
    waiting.terminate();
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(143), ""), "{ended:?}");
    agent.server.release();
}

#[tokio::test]
async fn a_wrong_password_and_a_repository_that_is_gone_end_the_wait_with_the_way_out() {
    let agent = Agent::new();
    let mut command = agent.world.ask_command(&["wait", "rel-42"]);
    command.env("PATH", std::env::var("PATH").unwrap());
    let url = agent.server.url_with_credentials().replace("olga:", "olga:not-");
    let ended = crate::world::Running::start(command.env("ASK_ANSWERS", url)).end().await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.words.contains("ASK_ANSWERS"), "{ended:?}");
    agent.hides_the_password(&ended);
    agent.server.take_away();
    let ended = agent.ask(&["wait", "rel-42"]).await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
}

#[tokio::test]
async fn a_tampered_answer_is_an_error() {
    let agent = Agent::new();
    let mut tampered = agent.answer("chosen");
    tampered["answer"] = "No".into();
    agent.save(FILE, &tampered);
    for verb in ["answer", "wait", "withdraw"] {
        let ended = agent.ask(&[verb, "rel-42"]).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    }
}
