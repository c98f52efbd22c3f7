//! Requests against GitHub's published description, where one is at hand.

use serde_json::json;

use super::super::description::is_at_hand;
use super::Check;

#[tokio::test]
async fn what_the_description_refuses_is_refused_and_kept_as_a_violation() {
    if !is_at_hand() {
        return;
    }
    let check = Check::start().await;
    // The fake's own rules have nothing against a text in `force`.
    let head = check.head();
    let reply = check.call("PATCH", "/git/refs/heads/main", json!({ "sha": head, "force": "yes" })).await;
    assert_eq!(reply.status, 422, "{reply:?}");
    let violations = check.github.take_violations();
    assert!(violations.len() == 1 && violations[0].contains("PATCH /repos/me/answers/git/refs/heads/main"), "{violations:?}");
    assert_eq!(check.call("PATCH", "/git/refs/heads/main", json!({ "sha": head, "force": true })).await.status, 200);
    assert!(check.github.violations().is_empty());
}
