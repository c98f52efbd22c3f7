//! Rate limits.

use serde_json::json;

use super::super::Rights;
use super::{ANSWERS, Check};

#[tokio::test]
async fn the_hourly_budget_is_told_spent_and_new_after_an_hour() {
    let check = Check::start().await;
    let first = check.get("").await;
    let told =
        |reply: &super::Reply| ["limit", "used", "remaining"].map(|name| reply.header(&format!("x-ratelimit-{name}")).to_owned());
    assert_eq!(told(&first), ["5000", "1", "4999"]);
    assert_eq!(first.header("x-ratelimit-resource"), "core");
    assert!(!first.header("x-github-request-id").is_empty() && first.header("date").ends_with(" GMT"));
    check.github.set_hourly_limit(Some(2));
    assert_eq!((check.get("").await.status, check.get("/none").await.status), (200, 404));
    let refused = check.get("").await;
    assert!(refused.told().starts_with("403 API rate limit exceeded for user ID "), "{refused:?}");
    assert_eq!((refused.header("x-ratelimit-remaining"), refused.header("retry-after")), ("0", ""));
    let other = check.github.add_token("me", &[(ANSWERS, Rights::read())]);
    let by_other = check.send(check.request("GET", "/user").bearer_auth(&other)).await;
    assert_eq!(by_other.status, 403, "all tokens of a person share one budget");
    let asked = check.send(check.request("GET", "/rate_limit").bearer_auth(&check.token)).await;
    assert_eq!((asked.status, &asked.json()["resources"]["core"]["remaining"]), (200, &json!(0)), "that is free");
    check.github.age(3601);
    assert_eq!(check.get("").await.status, 200);
}

#[tokio::test]
async fn whoever_writes_too_fast_is_told_to_wait() {
    let check = Check::start().await;
    for number in 0..80 {
        assert_eq!(check.call("POST", "/dispatches", json!({ "event_type": "a" })).await.status, 204, "{number}");
    }
    let refused = check.call("POST", "/dispatches", json!({ "event_type": "a" })).await;
    assert_eq!((refused.status, refused.header("retry-after")), (403, "60"));
    assert!(refused.told().contains("You have exceeded a secondary rate limit."));
    assert_ne!(refused.header("x-ratelimit-remaining"), "0");
    assert_eq!(check.get("").await.status, 200, "reading goes on");
    check.github.age(61);
    assert_eq!(check.call("POST", "/dispatches", json!({ "event_type": "a" })).await.status, 204);
    assert_eq!(check.github.events().len(), 81);
}

#[tokio::test]
async fn five_hundred_writes_an_hour_are_the_most_unless_the_bound_is_lifted() {
    let check = Check::start().await;
    let write = async || check.call("POST", "/dispatches", json!({ "event_type": "a" })).await;
    for number in 0..500 {
        if number % 80 == 79 {
            check.github.age(61);
        }
        assert_eq!(write().await.status, 204, "{number}");
    }
    check.github.age(61);
    let refused = write().await;
    assert_eq!((refused.status, refused.header("retry-after")), (403, ""), "only the text tells");
    check.github.enforce_pace(false);
    assert_eq!(write().await.status, 204);
}
