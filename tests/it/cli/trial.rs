//! `pagerd try`: a newcomer's first minute.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::ChildStdout;

use crate::world::{Running, World, until};

async fn line(lines: &mut Lines<BufReader<ChildStdout>>) -> String {
    let next = tokio::time::timeout(std::time::Duration::from_secs(25), lines.next_line()).await;
    next.expect("there is a line").unwrap().expect("standard output goes on")
}

fn start(world: &World) -> (Running, Lines<BufReader<ChildStdout>>) {
    let mut running = Running::start(world.pagerd_command().arg("try"));
    let lines = BufReader::new(running.child().stdout.take().unwrap()).lines();
    (running, lines)
}

#[tokio::test]
async fn the_first_line_is_the_login_link_and_the_answer_is_shown_with_its_commit() {
    let world = World::empty();
    let (trial, mut lines) = start(&world);
    let link = line(&mut lines).await;
    assert!(link.starts_with("http://127.0.0.1:") && link.contains("/login/"), "{link}");
    // `ask` finds it without any setting but the data folder.
    let ask = async |arguments: &[&str]| {
        Running::start(world.ask_command(arguments).env("PAGER_DATA_DIR", world.data_dir())).end().await
    };
    let id = until("a first question is asked", async || {
        let listed = ask(&["list", "--state", "open"]).await;
        assert_eq!(listed.code, Some(0), "{listed:?}");
        listed.json()["items"][0]["id"].as_str().map(str::to_owned)
    })
    .await;
    let decided = ask(&["decide", &id, "--option", "yes"]).await;
    assert_eq!(decided.code, Some(0), "{decided:?}");
    assert_eq!(line(&mut lines).await, "You answered: Yes, it does");
    let commit = line(&mut lines).await;
    let hash = commit.rsplit(' ').next().unwrap().to_owned();
    assert!(world.git(&["show", "--stat", &hash]).contains(&format!("answers/{id}.json")), "{commit}");

    // It goes on serving.
    let asked = ask(&["new", "Next?", "-o", "a", "-o", "b"]).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    trial.terminate();
    assert_eq!(trial.end().await.code, Some(0));
}

#[tokio::test]
async fn a_second_trial_asks_nothing_and_keeps_the_tokens() {
    let world = World::empty();
    let tokens = || {
        let text = std::fs::read_to_string(world.data_dir().join("local.json")).unwrap();
        let local: Value = serde_json::from_str(&text).unwrap();
        (local["agent_token"].clone(), local["owner_token"].clone())
    };
    let mut seen = Vec::new();
    for _ in 0..2 {
        let (trial, mut lines) = start(&world);
        line(&mut lines).await;
        let questions = until("the first question is there", async || {
            let listed = Running::start(world.ask_command(&["list"]).env("PAGER_DATA_DIR", world.data_dir())).end().await;
            let count = listed.json()["items"].as_array().map_or(0, Vec::len);
            (count > 0).then_some(count)
        })
        .await;
        seen.push((tokens(), questions));
        trial.terminate();
        assert_eq!(trial.end().await.code, Some(0));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0].1, 1);
}

#[tokio::test]
async fn what_try_leaves_for_ask_is_readable_by_its_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::empty();
    let (trial, mut lines) = start(&world);
    line(&mut lines).await;
    let mode = std::fs::metadata(world.data_dir().join("local.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    trial.terminate();
    trial.end().await;
}
