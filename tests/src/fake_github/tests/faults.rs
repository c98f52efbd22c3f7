//! Scripted faults as a client meets them.

use std::time::Duration;

use super::super::{Fault, Outcome};
use super::{ANSWERS, Check};

const WRITES: &str = "/repos/me/answers/contents/*";

#[tokio::test]
async fn a_502_and_a_cut_come_before_or_after_the_effect() {
    let check = Check::start().await;
    for (place, (fault, applied)) in
        [(Fault::bad_gateway(), false), (Fault::bad_gateway_after(), true), (Fault::Garbage { applied: true }, true)]
            .into_iter()
            .enumerate()
    {
        check.github.fault("PUT", WRITES, fault);
        let reply = check.put(&format!("{place}"), "").await;
        assert!(reply.json().is_null(), "{reply:?}");
        assert!([502, 201].contains(&reply.status));
        assert_eq!(check.github.file(ANSWERS, "main", &format!("{place}")).is_some(), applied);
        assert_eq!(check.github.calls().last().unwrap().outcome, Outcome::Spoilt { applied });
    }
    for (name, fault, applied) in [("before", Fault::reset(), false), ("after", Fault::reset_after(), true)] {
        check.github.fault("PUT", WRITES, fault);
        let body = serde_json::json!({ "message": "m", "content": "" });
        let error = check.of("PUT", &format!("/contents/{name}")).json(&body).send().await.unwrap_err();
        assert!(error.status().is_none() && !error.is_timeout(), "{error:?}");
        assert_eq!(check.github.file(ANSWERS, "main", name).is_some(), applied);
    }
    assert_eq!(check.github.waiting_faults(), 0);
}

#[tokio::test]
async fn refusals_that_a_test_cannot_bring_about_come_as_github_words_them() {
    let check = Check::start().await;
    let meet = async |fault: Fault| {
        check.github.fault("PUT", WRITES, fault);
        check.put("a", "").await
    };
    let moved = meet(Fault::head_moved()).await;
    assert!(moved.status == 409 && moved.told().contains(" but expected "), "{moved:?}");
    assert_eq!(meet(Fault::HeadMoved { status: 422 }).await.status, 422);
    let rule = meet(Fault::RuleViolation {}).await;
    assert_eq!(
        (rule.status, &rule.json()["errors"][0]["message"]),
        (409, &"Changes must be made through a pull request.".into())
    );
    let secret = meet(Fault::SecretFound {}).await.json();
    assert!(secret["metadata"]["secret_scanning"]["bypass_placeholders"][0]["token_type"].is_string(), "{secret}");
    assert_eq!(meet(Fault::NotAuthorizedToPush {}).await.told(), "409 You're not authorized to push to this branch.");
    assert_eq!(meet(Fault::Gone {}).await.told(), "404 Not Found");
    let told = meet(Fault::SecondaryLimit { retry_after: Some(7), status: None }).await;
    assert_eq!((told.status, told.header("retry-after")), (403, "7"));
    let untold = meet(Fault::SecondaryLimit { retry_after: None, status: Some(429) }).await;
    assert_eq!((untold.status, untold.header("retry-after")), (429, ""));
    assert!(untold.told().contains("secondary rate limit"));
    let spent = meet(Fault::PrimaryLimit { seconds: 90 }).await;
    assert_eq!((spent.status, spent.header("x-ratelimit-remaining")), (403, "0"));
    let ahead = spent.header("x-ratelimit-reset").parse::<i64>().unwrap() - check.github.look(|state| state.now());
    assert!((85..=90).contains(&ahead), "{ahead}");
    assert_eq!(meet(Fault::status(503, "Unavailable")).await.told(), "503 Unavailable");
    assert!(check.github.file(ANSWERS, "main", "a").is_none(), "none of them was carried out");
}

#[tokio::test]
async fn a_hanging_request_goes_on_when_released() {
    let check = Check::start().await;
    for (name, fault, early) in [("a", Fault::hang(), false), ("b", Fault::hang_after(), true)] {
        check.github.fault("PUT", WRITES, fault);
        let (reply, ()) = tokio::join!(check.put(name, ""), async {
            let hangs = |state: &super::super::State| {
                let open = state.calls.last().is_some_and(|call| call.path.ends_with(name) && !call.body.is_null());
                (open && state.repository(ANSWERS).git.head("main").is_some()).then_some(())
            };
            check.github.wait_for("hanging request", hangs).await.unwrap();
            if early {
                check.github.wait_for_call("PUT", WRITES, |call| call.path.ends_with(name)).await.unwrap();
            }
            assert_eq!(check.github.file(ANSWERS, "main", name).is_some(), early);
            check.github.release();
        });
        assert_eq!(reply.status, 201, "{reply:?}");
    }
}

#[tokio::test]
async fn a_client_that_gives_up_leaves_a_held_request_undone() {
    let check = Check::start().await;
    check.github.fault("*", "*", Fault::hang());
    let body = serde_json::json!({ "message": "m", "content": "" });
    let request = check.of("PUT", "/contents/a").json(&body).timeout(Duration::from_millis(200));
    assert!(request.send().await.unwrap_err().is_timeout());
    check.github.wait_for_call("PUT", WRITES, |call| call.outcome == Outcome::Abandoned).await.unwrap();
    check.github.release();
    assert_eq!(check.put("a", "").await.status, 201);
}

#[tokio::test]
async fn a_server_that_is_down_cuts_every_connection() {
    let check = Check::start().await;
    check.github.set_down(true);
    assert!(check.of("GET", "").send().await.is_err());
    check.github.set_down(false);
    assert_eq!(check.get("").await.status, 200);
}

#[tokio::test]
async fn a_fault_waits_for_the_request_it_is_for() {
    let check = Check::start().await;
    check.github.faults("PUT", "*/contents/b*", Fault::bad_gateway(), 2);
    let mut statuses = Vec::new();
    for path in ["a", "b1", "b2", "b3"] {
        statuses.push(check.put(path, "").await.status);
    }
    assert_eq!(statuses, [201, 502, 502, 201]);
}

#[tokio::test]
async fn waiting_in_vain_tells_the_last_requests() {
    let check = Check::start().await;
    check.get("").await;
    let error = check.github.wait_for_within(Duration::from_millis(20), "miracle", |_| None::<()>).await.unwrap_err();
    assert!(error.to_string().contains("no miracle"), "{error}");
    assert!(error.to_string().contains("GET /repos/me/answers -> 200"), "{error}");
}
