//! The issuer checked from outside.
#![expect(clippy::unwrap_used)]

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde_json::{Value, json};

use super::FakeOidc;
use crate::keys::Key;

async fn fetched(url: &str) -> Value {
    reqwest::get(url).await.unwrap().json().await.unwrap()
}

fn verified(keys: &Value, token: &str, audience: &str) -> jsonwebtoken::errors::Result<Value> {
    let kid = jsonwebtoken::decode_header(token)?.kid;
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"].as_str() == kid.as_deref());
    let key = key.ok_or(jsonwebtoken::errors::ErrorKind::InvalidKeyFormat)?;
    let key = DecodingKey::from_rsa_components(key["n"].as_str().unwrap(), key["e"].as_str().unwrap())?;
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_audience(&[audience]);
    jsonwebtoken::decode::<Value>(token, &key, &validation).map(|data| data.claims)
}

#[tokio::test]
async fn a_job_gets_a_token_for_the_audience_it_names_that_the_published_key_proves() {
    let oidc = FakeOidc::start().await;
    let (url, bearer) = oidc.for_job(json!({ "repository_id": "7", "repository_owner": "me" }));
    let ask = async |query: &str| {
        let reply = reqwest::Client::new().get(format!("{url}{query}")).bearer_auth(&bearer).send().await.unwrap();
        reply.json::<Value>().await.unwrap()["value"].as_str().unwrap().to_owned()
    };
    let discovered = fetched(&format!("{}/.well-known/openid-configuration", oidc.issuer())).await;
    assert_eq!((&discovered["issuer"], &discovered["jwks_uri"]), (&json!(oidc.issuer()), &json!(oidc.jwks_url())));
    let keys = fetched(&oidc.jwks_url()).await;
    let claims = verified(&keys, &ask("&audience=pager:abc").await, "pager:abc").unwrap();
    assert_eq!((&claims["repository_id"], &claims["iss"]), (&json!("7"), &json!(oidc.issuer())));
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 300);
    let other = verified(&keys, &ask("").await, "https://github.com/me").unwrap();
    assert_ne!(other["jti"], claims["jti"], "each token has a number of its own");
    assert_eq!((oidc.discovery_fetches(), oidc.key_fetches()), (1, 1));
}

#[tokio::test]
async fn nobody_but_the_job_gets_a_token() {
    let oidc = FakeOidc::start().await;
    let (url, _) = oidc.for_job(json!({}));
    for bearer in ["", "guessed"] {
        let reply = reqwest::Client::new().get(&url).bearer_auth(bearer).send().await.unwrap();
        assert_eq!(reply.status(), 401, "{bearer:?}");
    }
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 401);
}

#[tokio::test]
async fn a_token_can_be_made_odd_in_every_part() {
    let oidc = FakeOidc::start().await;
    let keys = fetched(&oidc.jwks_url()).await;
    let odd = || oidc.odd(&json!({ "event_name": "repository_dispatch" }), "us");
    verified(&keys, &odd().token(), "us").unwrap();
    let read = |token: &str, part: usize| -> Value {
        use base64::Engine as _;
        let part = token.split('.').nth(part).unwrap();
        serde_json::from_slice(&base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
    };
    let token = odd().claim("aud", json!(["us", "them"])).without("exp").header("kid", Value::Null).token();
    assert_eq!((&read(&token, 1)["aud"], &read(&token, 1)["exp"]), (&json!(["us", "them"]), &Value::Null));
    assert_eq!(read(&token, 0), json!({ "typ": "JWT", "alg": "RS256" }));
    for alg in ["none", "HS256", "RS512"] {
        assert!(verified(&keys, &odd().header("alg", alg).token(), "us").is_err(), "{alg}");
    }
    assert!(odd().header("alg", "none").token().ends_with('.'));
    assert!(verified(&keys, &odd().signed_by(Key::number(1)).token(), "us").is_err());
}

#[tokio::test]
async fn keys_rotate_with_or_without_the_old_one() {
    let oidc = FakeOidc::start().await;
    let old = oidc.token(&json!({}), "us");
    oidc.rotate(true);
    let keys = fetched(&oidc.jwks_url()).await;
    for token in [&old, &oidc.token(&json!({}), "us")] {
        verified(&keys, token, "us").unwrap();
    }
    let middle = oidc.token(&json!({}), "us");
    oidc.rotate(false);
    let keys = fetched(&oidc.jwks_url()).await;
    assert!(verified(&keys, &middle, "us").is_err());
    verified(&keys, &oidc.token(&json!({}), "us"), "us").unwrap();
    oidc.set_down(true);
    assert_eq!(reqwest::get(oidc.jwks_url()).await.unwrap().status(), 503);
}
