//! What a job finds on its machine.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::{Permission, Rights};
use super::{ANSWERS, Check};
use crate::fake_oidc::FakeOidc;

#[tokio::test]
async fn a_runner_has_the_event_its_variables_and_a_token_of_its_own_repository() {
    let check = Check::start().await;
    let oidc = FakeOidc::start().await;
    check.github.set_variable(ANSWERS, "PAGER_URL", "https://pager.example");
    let body = json!({ "event_type": "pager-ask", "client_payload": { "pager": { "text": "$(id)\n" } } });
    check.call("POST", "/dispatches", body).await;
    let event = check.github.events().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let runner = check.github.runner(&event, "pager-forward.yml", folder.path(), Rights::everything(), Some(&oidc));
    let file: Value = serde_json::from_slice(&std::fs::read(&runner.event_path).unwrap()).unwrap();
    assert_eq!((&file["action"], &file["branch"]), (&json!("pager-ask"), &json!("main")));
    assert_eq!(file["client_payload"]["pager"]["text"], "$(id)\n");
    assert_eq!((&file["sender"]["login"], &file["repository"]["full_name"]), (&json!("me"), &json!(ANSWERS)));
    let environment: BTreeMap<_, _> = runner.environment.iter().cloned().collect();
    assert_eq!(environment["GITHUB_REPOSITORY"], ANSWERS);
    assert_eq!(environment["GITHUB_API_URL"], check.github.base_url());
    assert_eq!(environment["GITHUB_SHA"], check.head());
    assert_eq!(environment["GITHUB_EVENT_PATH"], runner.event_path.display().to_string());
    assert!(!environment.contains_key("GITHUB_TOKEN"), "a job has it only where its workflow names it");
    assert_eq!(runner.variables, [("PAGER_URL".to_owned(), "https://pager.example".to_owned())]);
    let path = format!("/repos/{ANSWERS}/contents/events/a.json");
    let write = check.request("PUT", &path).bearer_auth(&runner.token).json(&json!({ "message": "m", "content": "" }));
    assert_eq!(check.send(write).await.status, 201);
    let path = format!("/repos/{ANSWERS}/contents/.github/workflows/a.yml");
    let workflow = check.request("PUT", &path).bearer_auth(&runner.token).json(&json!({ "message": "m", "content": "" }));
    assert_eq!(check.send(workflow).await.told(), "403 Resource not accessible by integration");
    assert!(Rights::everything().0.contains_key(&Permission::Workflows));
}

#[tokio::test]
async fn a_runners_oidc_token_says_which_workflow_runs_for_which_event() {
    let check = Check::start().await;
    let oidc = FakeOidc::start().await;
    check.call("POST", "/dispatches", json!({ "event_type": "pager-ask" })).await;
    let event = check.github.events().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let runner = check.github.runner(&event, "pager-forward.yml", folder.path(), Rights::metadata(), Some(&oidc));
    let environment: BTreeMap<_, _> = runner.environment.iter().cloned().collect();
    let url = format!("{}&audience=pager:1", environment["ACTIONS_ID_TOKEN_REQUEST_URL"]);
    let request = check.client.get(url).bearer_auth(&environment["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]);
    let token = check.send(request).await.json()["value"].as_str().unwrap().to_owned();
    let claims = token.split('.').nth(1).unwrap();
    let claims = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, claims).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    let id = check.github.repository_id(ANSWERS).to_string();
    assert_eq!(claims["workflow_ref"], "me/answers/.github/workflows/pager-forward.yml@refs/heads/main");
    assert_eq!((&claims["repository_id"], &claims["event_name"]), (&json!(id), &json!("repository_dispatch")));
    assert_eq!((&claims["ref"], &claims["aud"]), (&json!("refs/heads/main"), &json!("pager:1")));
    assert_eq!(claims["sub"], format!("repo:me@{}/answers@{id}:ref:refs/heads/main", check.github.user_id("me")));
}
