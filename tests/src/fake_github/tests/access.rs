//! Who sees and may do what.

use serde_json::json;

use super::super::{Level, Permission, Rights, Visibility};
use super::{ANSWERS, Check};

const PUBLIC: &str = "me/open";

#[tokio::test]
async fn a_private_repository_is_hidden_from_whoever_has_no_right_on_it() {
    let check = Check::start().await;
    check.github.add_repository(PUBLIC, Visibility::Public);
    let elsewhere = check.github.add_token("other", &[(PUBLIC, Rights::everything())]);
    let path = format!("/repos/{ANSWERS}");
    assert_eq!(check.send(check.request("GET", &path)).await.told(), "404 Not Found");
    assert_eq!(check.send(check.request("GET", &path).bearer_auth(&elsewhere)).await.told(), "404 Not Found");
    let wrong = check.send(check.request("GET", &path).bearer_auth("wrong")).await;
    assert_eq!((wrong.told(), &wrong.json()["status"]), ("401 Bad credentials".to_owned(), &json!("401")));
    let seen = check.get("").await.json();
    assert_eq!(
        (&seen["full_name"], &seen["private"], &seen["permissions"]["push"]),
        (&json!(ANSWERS), &json!(true), &json!(true))
    );
    assert_eq!(seen["id"], check.github.repository_id(ANSWERS));
    check.github.revoke(&check.token);
    assert_eq!(check.get("").await.told(), "401 Bad credentials");
}

#[tokio::test]
async fn a_public_repository_is_read_by_everybody_and_written_by_few() {
    let check = Check::start().await;
    check.github.add_repository(PUBLIC, Visibility::Public);
    let contents = format!("/repos/{PUBLIC}/contents/README.md");
    let body = json!({ "message": "m", "content": "" });
    assert_eq!(check.send(check.request("GET", &contents)).await.status, 200);
    let anonymous = check.send(check.request("PUT", &contents).json(&body)).await;
    assert_eq!(anonymous.told(), "401 Requires authentication");
    let stranger = check.send(check.request("PUT", &contents).bearer_auth(&check.token).json(&body)).await;
    assert_eq!(stranger.told(), "403 Resource not accessible by personal access token");
}

#[tokio::test]
async fn a_token_does_what_it_was_granted_and_no_more() {
    let check = Check::start().await;
    let with = |rights: Rights| check.github.set_rights(&check.token, ANSWERS, Some(rights));
    with(Rights::metadata());
    assert_eq!(check.get("").await.status, 200);
    let refused = check.get("/contents/README.md").await;
    assert_eq!(refused.told(), "403 Resource not accessible by personal access token");
    assert_eq!(refused.header("x-accepted-github-permissions"), "contents=read");
    with(Rights::read());
    assert_eq!(check.get("/contents/README.md").await.status, 200);
    assert_eq!(check.put("a", "").await.told(), "403 Resource not accessible by personal access token");
    assert_eq!(check.get("/actions/variables").await.status, 403);
    with(Rights::read().and(Permission::Variables, Level::Read));
    assert_eq!(check.get("/actions/variables").await.status, 200);
    check.github.set_rights(&check.token, ANSWERS, None);
    assert_eq!(check.get("").await.told(), "404 Not Found");
}

#[tokio::test]
async fn who_calls_is_told_and_a_user_agent_is_obligatory() {
    let check = Check::start().await;
    let me = check.send(check.request("GET", "/user").bearer_auth(&check.token)).await;
    assert_eq!((&me.json()["login"], me.json()["id"].as_u64()), (&json!("me"), Some(check.github.user_id("me"))));
    assert_eq!(check.send(check.request("GET", "/user")).await.told(), "401 Requires authentication");
    let silent = reqwest::Client::new().get(format!("{}/user", check.github.base_url())).bearer_auth(&check.token);
    let refused = check.send(silent).await;
    assert!(refused.told().starts_with("403 Request forbidden by administrative rules."), "{refused:?}");
    for (version, status) in [("2022-11-28", 200), ("2026-03-10", 200), ("2020-01-01", 400)] {
        let request = check.request("GET", "/user").bearer_auth(&check.token).header("x-github-api-version", version);
        assert_eq!(check.send(request).await.status, status, "{version}");
    }
}

#[tokio::test]
async fn a_renamed_repository_redirects_and_what_is_no_route_is_not_found() {
    let check = Check::start().await;
    let id = check.github.repository_id(ANSWERS);
    check.github.rename(ANSWERS, "replies");
    let moved = check.get("/contents/README.md?ref=main").await;
    assert_eq!(moved.told(), "301 Moved Permanently");
    let url = format!("{}/repositories/{id}/contents/README.md?ref=main", check.github.base_url());
    assert_eq!(moved.header("location"), url);
    assert_eq!(check.send(check.client.get(url).bearer_auth(&check.token)).await.status, 200);
    let write = check.call("PUT", "/contents/a", json!({})).await;
    assert_eq!(write.told(), "307 Temporary Redirect");
    assert_eq!(check.send(check.request("GET", &format!("/repos/{ANSWERS}"))).await.told(), "404 Not Found");
    for path in ["/", "/nothing", "/repos/me", "/repos/me/replies/nothing", "/repos/me/replies/"] {
        let reply = check.send(check.request("GET", path).bearer_auth(&check.token)).await;
        assert_eq!(reply.told(), "404 Not Found", "{path}");
    }
}

#[tokio::test]
async fn a_repository_that_is_gone_is_not_found_until_it_is_back() {
    let check = Check::start().await;
    check.github.set_gone(ANSWERS, true);
    assert_eq!(check.put("a", "").await.told(), "404 Not Found");
    check.github.set_gone(ANSWERS, false);
    assert_eq!(check.put("a", "").await.status, 201);
}
