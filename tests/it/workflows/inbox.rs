//! `pager-forward.yml` without an address: one file for each event on the branch `pager-events`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::door::{Answer, Door, Received};
use super::event::{EVENT, event, question, signing};
use super::runner::{JOB_TOKEN, Outcome};
use super::steps::step;

const PATH: &str = "PUT /repos/acme/control/contents/events/0191d2a4-6b1e-7c3f-8a55-0f6f5f0e9c11.json";

/// What a request to the Contents API writes.
pub fn written(received: &Received) -> Value {
    assert_eq!(received.line, PATH);
    serde_json::from_slice(&STANDARD.decode(received.json()["content"].as_str().unwrap()).unwrap()).unwrap()
}

fn expected() -> Value {
    let mut body = question();
    body["type"] = json!("ask");
    body["sent_at"] = json!("2026-11-30T13:22:15.004Z");
    body["sender"] = json!({"login": "olga", "id": 4711});
    body
}

async fn leave(door: &Door) -> Outcome {
    let mut runner = signing(&event("pager-ask", &question()), "");
    runner.set("GITHUB_API_URL", &door.url);
    runner.run(&step("pager-forward.yml", "inbox")).await
}

fn message(status: u16, words: &str) -> Answer {
    Answer::json(status, &json!({"message": words, "status": status.to_string()}))
}

fn exists() -> Answer {
    message(422, "Invalid request.\n\n\"sha\" wasn't supplied.")
}

/// A GitHub that has no branch yet; the ref is answered by `reference`.
async fn without_branch(reference: fn() -> Answer) -> Door {
    let mut has_branch = false;
    Door::answering(move |received, _| match received.line.as_str() {
        PATH if has_branch => Answer::json(201, &json!({})),
        PATH => message(404, "Branch pager-events not found"),
        "POST /repos/acme/control/git/trees" => Answer::json(201, &json!({"sha": "7".repeat(40)})),
        "POST /repos/acme/control/git/commits" => Answer::json(201, &json!({"sha": "8".repeat(40)})),
        "POST /repos/acme/control/git/refs" => {
            has_branch = true;
            reference()
        }
        other => panic!("{other}"),
    })
    .await
}

#[tokio::test]
async fn the_file_holds_the_forwarded_body_and_is_written_with_the_token_of_the_job() {
    let door = Door::with_status(201).await;
    let outcome = leave(&door).await;
    assert!(outcome.succeeded, "{outcome:?}");
    assert_eq!(outcome.log, format!("pager-forward: ask {EVENT}: left in the branch pager-events"));
    let [received] = &door.received()[..] else { panic!("{:?}", door.lines()) };
    assert_eq!(written(received), expected());
    let request = received.json();
    assert_eq!(request["branch"], "pager-events");
    assert_eq!(request["message"], format!("event: ask {EVENT}"));
    assert_eq!(request.as_object().unwrap().len(), 3, "create only: no sha, no author");
    assert_eq!(received.header("authorization"), format!("Bearer {JOB_TOKEN}"));
    for kept in [JOB_TOKEN, "Release"] {
        assert!(!outcome.log.contains(kept) && !outcome.arguments.contains(kept), "{outcome:?}");
    }
}

#[tokio::test]
async fn an_event_that_is_there_already_is_a_success() {
    let door = Door::answering(|_, _| exists()).await;
    assert!(leave(&door).await.succeeded);
    assert_eq!(door.lines(), [PATH]);
}

#[tokio::test]
async fn a_head_that_moved_is_met_by_the_same_write_again() {
    let moved = || "is at 1111111111111111111111111111111111111111 but expected 2222222222222222222222222222222222222222";
    for status in [409, 422] {
        let door =
            Door::answering(move |_, before| if before == 0 { message(status, moved()) } else { Answer::json(201, &json!({})) })
                .await;
        assert!(leave(&door).await.succeeded, "{status}");
        let received = door.received();
        assert_eq!(received.len(), 2);
        assert_eq!(received[0].body, received[1].body);
    }
}

#[tokio::test]
async fn a_write_whose_reply_was_lost_is_found_when_it_is_repeated() {
    let door = Door::answering(|_, before| if before == 0 { message(502, "Server Error") } else { exists() }).await;
    assert!(leave(&door).await.succeeded);
    assert_eq!(door.lines().len(), 2);
}

#[tokio::test]
async fn the_first_event_makes_the_branch_with_nothing_else_on_it() {
    let door = without_branch(|| Answer::json(201, &json!({}))).await;
    let outcome = leave(&door).await;
    assert!(outcome.succeeded, "{outcome:?}");
    let received = door.received();
    let [_, tree, commit, reference] = &received[..] else { panic!("{:?}", door.lines()) };
    let tree = tree.json();
    assert_eq!(tree.as_object().unwrap().len(), 1, "no base: {tree}");
    let file = &tree["tree"][0];
    assert_eq!((&file["path"], &file["mode"]), (&json!(format!("events/{EVENT}.json")), &json!("100644")));
    assert_eq!(serde_json::from_str::<Value>(file["content"].as_str().unwrap()).unwrap(), expected());
    assert_eq!(commit.json(), json!({"message": format!("event: ask {EVENT}"), "tree": "7".repeat(40), "parents": []}));
    assert_eq!(reference.json(), json!({"ref": "refs/heads/pager-events", "sha": "8".repeat(40)}));
}

#[tokio::test]
async fn two_first_events_at_once_both_arrive() {
    let door = without_branch(|| message(422, "Reference already exists")).await;
    assert!(leave(&door).await.succeeded);
    assert_eq!(door.lines().last().unwrap(), PATH);
    assert_eq!(door.lines().len(), 5);
}

#[tokio::test]
async fn a_job_that_may_not_write_fails_at_once() {
    for (status, words) in
        [(401, "Bad credentials"), (403, "Resource not accessible by integration"), (422, "Repository rule violations found")]
    {
        let door = Door::answering(move |_, _| message(status, words)).await;
        let outcome = leave(&door).await;
        assert!(
            !outcome.succeeded && outcome.log.starts_with("::error::") && outcome.log.contains(&status.to_string()),
            "{outcome:?}"
        );
        assert_eq!(door.lines().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_limit_is_waited_for_and_then_a_failure() {
    let limited = |status| message(status, "You have exceeded a secondary rate limit.");
    for status in [403, 429, 500] {
        let door =
            Door::answering(move |_, before| if before == 0 { limited(status) } else { Answer::json(201, &json!({})) }).await;
        assert!(leave(&door).await.succeeded, "{status}");
        let door = Door::answering(move |_, _| limited(status)).await;
        let outcome = leave(&door).await;
        assert!(!outcome.succeeded && outcome.log.contains("even after pauses"), "{outcome:?}");
        assert_eq!(door.lines().len(), 3);
    }
}
