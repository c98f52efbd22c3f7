//! `pager-forward.yml`: how it proves where an event comes from, and what it keeps to itself.

use std::time::{Duration, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::door::Door;
use super::event::{EVENT, event, identified, issuer, question, secret, signing};
use super::runner::REQUEST_TOKEN;
use super::steps::step;

fn expected(key: &[u8], timestamp: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(format!("{EVENT}.{timestamp}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[tokio::test]
async fn with_a_secret_each_attempt_is_signed_the_standard_webhooks_way() {
    let keys = [vec![7; 32], vec![0; 24], (0..64).map(|at| at * 4).collect(), b" spaces at both its ends 1".to_vec()];
    for key in keys {
        let door = Door::with_status(200).await;
        let mut runner = signing(&event("pager-ask", &question()), &door.url);
        runner.context.set("secrets.PAGER_SECRET", &secret(&key));
        let outcome = runner.run(&step("pager-forward.yml", "forward")).await;
        assert!(outcome.succeeded, "{outcome:?}");
        let received = &door.received()[0];
        let timestamp = received.header("webhook-timestamp");
        let sent = UNIX_EPOCH + Duration::from_secs(timestamp.parse().unwrap());
        assert!(sent.elapsed().unwrap() < Duration::from_secs(60), "{timestamp}");
        assert_eq!(received.header("webhook-signature"), expected(&key, timestamp, &received.body));
        assert_eq!(received.header("authorization"), "");
    }
}

#[tokio::test]
async fn a_secret_of_another_form_is_refused_before_anything_is_sent() {
    for bad in ["hunter2", &STANDARD.encode([7; 32]), &secret(&[7; 23]), &secret(&[7; 65]), "whsec_*** no base64"] {
        let door = Door::with_status(200).await;
        let mut runner = signing(&event("pager-ask", &question()), &door.url);
        runner.context.set("secrets.PAGER_SECRET", bad);
        let outcome = runner.run(&step("pager-forward.yml", "forward")).await;
        assert!(!outcome.succeeded && outcome.log.contains("the secret PAGER_SECRET must be whsec_"), "{bad}: {outcome:?}");
        assert!(door.lines().is_empty() && !outcome.log.contains(bad));
    }
}

#[tokio::test]
async fn without_a_secret_each_attempt_has_a_new_token_for_exactly_this_body() {
    let (door, issuer) = (Door::with_status(503).await, issuer().await);
    let runner = identified(&event("pager-ask", &question()), &door.url, &issuer);
    let outcome = runner.run(&step("pager-forward.yml", "forward")).await;
    assert!(!outcome.succeeded, "{outcome:?}");
    let received = door.received();
    let shown: Vec<&str> = received.iter().map(|each| each.header("authorization")).collect();
    assert_eq!(shown, ["Bearer token-1", "Bearer token-2", "Bearer token-3"]);
    let digest: String = Sha256::digest(&received[0].body).iter().map(|byte| format!("{byte:02x}")).collect();
    let asked = issuer.received();
    assert_eq!(asked.len(), 3);
    for each in &asked {
        assert_eq!(each.line, format!("GET /token?api-version=2.0&audience=pager%3A{digest}"));
        assert_eq!(each.header("authorization"), format!("bearer {REQUEST_TOKEN}"));
    }
    assert_eq!(outcome.masked, ["token-1", "token-2", "token-3"]);
    assert!(received.iter().all(|each| each.header("webhook-signature").is_empty()));
}

#[tokio::test]
async fn an_issuer_that_gives_no_token_is_a_failure_and_nothing_is_sent() {
    for status in [200, 403, 500] {
        let (door, issuer) = (Door::with_status(200).await, Door::with_status(status).await);
        let runner = identified(&event("pager-ask", &question()), &door.url, &issuer);
        let outcome = runner.run(&step("pager-forward.yml", "forward")).await;
        assert!(!outcome.succeeded && outcome.log.contains("the issuer of tokens, could not be reached"), "{outcome:?}");
        assert!(door.lines().is_empty());
        assert_eq!(issuer.lines().len(), 3);
    }
}

#[tokio::test]
async fn neither_the_log_nor_any_argument_holds_a_secret_a_token_or_the_words() {
    let (door, issuer) = (Door::with_status(200).await, issuer().await);
    let happening = event("pager-ask", &question());
    for runner in [signing(&happening, &door.url), identified(&happening, &door.url, &issuer)] {
        let outcome = runner.run(&step("pager-forward.yml", "forward")).await;
        assert!(outcome.succeeded, "{outcome:?}");
        let key: String = [7_u8; 32].iter().map(|byte| format!("{byte:02x}")).collect();
        for kept in [&secret(&[7; 32]), &key, REQUEST_TOKEN, "token-1", "Release", "\\x31"] {
            assert!(!outcome.log.contains(kept) && !outcome.arguments.contains(kept), "{kept}: {outcome:?}");
        }
        assert!(outcome.arguments.contains("curl --silent"), "the arguments were not watched");
    }
}
