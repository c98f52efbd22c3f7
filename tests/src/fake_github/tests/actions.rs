//! Variables and secrets of Actions.

use serde_json::json;

use super::{ANSWERS, Check};

#[tokio::test]
async fn a_variable_is_made_once_read_changed_and_deleted() {
    let check = Check::start().await;
    let variable = json!({ "name": "pager_url", "value": "https://pager.example" });
    assert_eq!(check.call("POST", "/actions/variables", variable.clone()).await.status, 201);
    let again = check.call("POST", "/actions/variables", variable).await;
    assert_eq!(again.told(), "409 Already exists - Variable already exists");
    assert_eq!(check.get("/actions/variables/PAGER_URL").await.json()["value"], "https://pager.example");
    assert_eq!(check.call("PATCH", "/actions/variables/PAGER_URL", json!({ "value": "" })).await.status, 204);
    assert_eq!(check.github.variable(ANSWERS, "PAGER_URL").unwrap(), "");
    assert_eq!(check.get("/actions/variables").await.json()["total_count"], 1);
    assert_eq!(check.send(check.of("DELETE", "/actions/variables/PAGER_URL")).await.status, 204);
    assert_eq!(check.get("/actions/variables/PAGER_URL").await.told(), "404 Not Found");
    for name in ["1st", "a-b", "GITHUB_X", ""] {
        let refused = check.call("POST", "/actions/variables", json!({ "name": name, "value": "" })).await;
        assert_eq!(refused.status, 422, "{name:?}");
    }
}

#[tokio::test]
async fn a_secret_has_to_be_sealed_with_the_published_key() {
    let check = Check::start().await;
    let key = check.get("/actions/secrets/public-key").await.json();
    let sealed = "A".repeat(64);
    let put = async |value: &str, key: &serde_json::Value| {
        check.call("PUT", "/actions/secrets/PAGER_SECRET", json!({ "encrypted_value": value, "key_id": key })).await.status
    };
    assert_eq!(put("cGxhaW4=", &key["key_id"]).await, 422);
    assert_eq!(put(&sealed, &json!("1")).await, 422);
    assert_eq!(put(&sealed, &key["key_id"]).await, 201);
    assert_eq!(put(&sealed, &key["key_id"]).await, 204);
    assert_eq!(check.get("/actions/secrets/PAGER_SECRET").await.json()["name"], "PAGER_SECRET");
    assert_eq!(check.get("/actions/secrets/OTHER").await.status, 404);
}
