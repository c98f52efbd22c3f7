//! The reins over HTTP.

use serde_json::{Value, json};

use super::Check;

#[tokio::test]
async fn the_fake_can_be_played_by_hand() {
    let check = Check::empty().await;
    let act = async |name: &str, body: Value| check.send(check.request("POST", &format!("/_fake/{name}")).json(&body)).await;
    assert_eq!(act("add_repository", json!({ "name": "me/control" })).await.status, 200);
    let token = act("add_token", json!({ "login": "me", "write": ["me/control"] })).await.json()["token"].clone();
    let commit = json!({ "repository": "me/control", "branch": "main", "path": "a", "text": "b" });
    assert_eq!(act("commit", commit).await.status, 200);
    let read = async || {
        let request = check.request("GET", "/repos/me/control/contents/a").bearer_auth(token.as_str().unwrap());
        check.send(request).await
    };
    let fault = json!({ "method": "GET", "path": "*/contents/*", "fault": { "bad_gateway": {} } });
    assert_eq!(act("fault", fault).await.status, 200);
    assert_eq!((read().await.status, read().await.status), (502, 200));
    let state = check.send(check.request("GET", "/_fake/state")).await.json();
    assert_eq!(state["repositories"][1]["name"], "me/control");
    let wrong = act("gone", json!({ "repository": "me/none", "on": true })).await;
    assert_eq!((wrong.status, &wrong.json()["error"]), (400, &json!("there is no repository me/none")));
}
