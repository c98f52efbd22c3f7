//! GitHub Apps and their tokens.

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::super::Rights;
use super::{ANSWERS, Check, Reply};
use crate::keys::Key;

const LATE: &str = "401 'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion \
                    expires";

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs().try_into().unwrap()
}

fn jwt(claims: &Value, key: &Key) -> String {
    let key = EncodingKey::from_rsa_pem(key.private_pem().as_bytes()).unwrap();
    jsonwebtoken::encode(&Header::new(Algorithm::RS256), claims, &key).unwrap()
}

fn usual(app: u64) -> String {
    jwt(&json!({ "iss": app, "iat": now() - 60, "exp": now() + 540 }), Key::number(0))
}

impl Check {
    async fn as_app(&self, method: &str, path: &str, jwt: &str, body: Value) -> Reply {
        self.send(self.request(method, path).bearer_auth(jwt).json(&body)).await
    }

    async fn new_token(&self, app: u64, body: Value) -> Reply {
        let found = self.as_app("GET", &format!("/repos/{ANSWERS}/installation"), &usual(app), json!({})).await;
        let path = format!("/app/installations/{}/access_tokens", found.json()["id"]);
        self.as_app("POST", &path, &usual(app), body).await
    }
}

#[tokio::test]
async fn an_app_finds_its_installation_and_writes_with_a_token_that_lives_an_hour() {
    let mut check = Check::start().await;
    let app = check.github.add_app("pager", Key::number(0), &[(ANSWERS, Rights::write())]);
    let made = check.new_token(app, json!({})).await;
    assert_eq!((made.status, &made.json()["permissions"]["contents"]), (201, &json!("write")));
    check.token = made.json()["token"].as_str().unwrap().to_owned();
    let written = check.put("a", "").await;
    let commit = &written.json()["commit"];
    assert_eq!((&commit["author"]["name"], &commit["verification"]["verified"]), (&json!("pager[bot]"), &json!(true)));
    let user = check.send(check.request("GET", "/user").bearer_auth(&check.token)).await;
    assert_eq!(user.told(), "403 Resource not accessible by integration");
    let workflow = check.put(".github/workflows/a.yml", "").await;
    assert_eq!(workflow.told(), "403 Resource not accessible by integration");
    check.github.age(3601);
    assert_eq!(check.put("b", "").await.told(), "401 Bad credentials");
    assert_eq!(check.new_token(app, json!({})).await.status, 201);
}

#[tokio::test]
async fn an_app_is_proved_by_its_key_for_ten_minutes_at_most() {
    let check = Check::start().await;
    let app = check.github.add_app("pager", Key::number(0), &[(ANSWERS, Rights::write())]);
    let ask = async |jwt: &str| check.as_app("GET", "/app", jwt, json!({})).await.told();
    let with = |claims: Value| jwt(&claims, Key::number(0));
    assert_eq!(ask(&usual(app)).await, "200 ");
    let undecodable = "401 A JSON web token could not be decoded";
    assert_eq!(ask("none").await, undecodable);
    assert_eq!(ask(&jwt(&json!({ "iss": app, "iat": now(), "exp": now() + 60 }), Key::number(1))).await, undecodable);
    assert_eq!(ask(&with(json!({ "iss": 1, "iat": now(), "exp": now() + 60 }))).await, "404 Integration not found");
    assert_eq!(ask(&with(json!({ "iss": app, "iat": now() - 90, "exp": now() - 30 }))).await, LATE);
    assert_eq!(
        ask(&with(json!({ "iss": app, "iat": now(), "exp": now() + 700 }))).await,
        "401 'Expiration time' claim ('exp') is too far in the future"
    );
    assert_eq!(
        ask(&with(json!({ "iss": app, "iat": now() + 90, "exp": now() + 120 }))).await,
        "401 'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
    );
}

#[tokio::test]
async fn a_token_may_be_narrowed_but_never_widened() {
    let mut check = Check::start().await;
    let app = check.github.add_app("pager", Key::number(0), &[(ANSWERS, Rights::write())]);
    let wider = check.new_token(app, json!({ "permissions": { "actions": "read" } })).await;
    assert_eq!(wider.told(), "422 The permissions requested are not granted to this installation.");
    let elsewhere = check.new_token(app, json!({ "repositories": ["other"] })).await;
    assert_eq!(
        elsewhere.told(),
        "422 There is at least one repository that does not exist or is not accessible to the parent installation."
    );
    let narrow = check.new_token(app, json!({ "repositories": ["answers"], "permissions": { "contents": "read" } })).await;
    check.token = narrow.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(check.get("/contents/README.md").await.status, 200);
    assert_eq!(check.put("a", "").await.told(), "403 Resource not accessible by integration");
}

#[tokio::test]
async fn an_app_that_is_taken_off_loses_its_tokens() {
    let mut check = Check::start().await;
    let app = check.github.add_app("pager", Key::number(0), &[(ANSWERS, Rights::write())]);
    let made = check.new_token(app, json!({})).await;
    check.token = made.json()["token"].as_str().unwrap().to_owned();
    check.github.uninstall(app);
    assert_eq!(check.get("").await.told(), "401 Bad credentials");
    assert_eq!(check.new_token(app, json!({})).await.told(), "404 Not Found");
}
