//! What GitHub sends to an App: signed over the raw bytes, without a time. A delivery's id is not signed; so the body itself
//! counts once, as does the event's own name in it: whoever sends either again gets the reply of the first time.

use axum::http::HeaderMap;
use hmac::Mac as _;
use pager_answers::github::RepositoryName;
use pager_questions::EventId;
use pager_questions::control::{Dispatch, forwarded};
use secrecy::ExposeSecret;
use serde_json::Value;

use super::{Mac, Proved, ProvedBy, Unproved, VerifiedControlEvent, digest, event_id, mac, text};
use crate::configuration;

pub(super) const SIGNATURE: &str = "x-hub-signature-256";
const DELIVERY: &str = "x-github-delivery";
const EVENT: &str = "x-github-event";

/// The secrets of an App, and the one repository whose events are taken.
pub(super) struct App {
    secrets: Vec<Mac>,
    /// Its id, which wins over the name: names change hands.
    repository_id: Option<String>,
    repository: Option<RepositoryName>,
}

impl App {
    pub(super) fn of(settings: &configuration::Control) -> Self {
        let secrets = settings.secrets.app.iter().map(|secret| mac(secret.expose_secret().as_bytes())).collect();
        let repository_id = settings.oidc.as_ref().map(|oidc| oidc.repository_id.clone());
        Self { secrets, repository_id, repository: settings.repo.clone() }
    }

    pub(super) fn check(&self, headers: &HeaderMap, body: &[u8]) -> Result<Proved, Unproved> {
        self.check_signature(headers, body)?;
        let kind = text(headers, EVENT).ok_or_else(|| Unproved::Malformed(format!("The header {EVENT} is missing.")))?;
        match kind {
            "repository_dispatch" => {}
            "ping" => return Ok(Proved::Ignored("a ping")),
            _ => return Ok(Proved::Ignored("no repository_dispatch")),
        }
        let payload: Value = serde_json::from_slice(body)
            .map_err(|error| Unproved::Malformed(format!("The body is not JSON: {error}. Let the App send application/json.")))?;
        self.check_repository(&payload)?;
        let id = event_id(headers, DELIVERY)?;
        let mut once = vec![format!("body:{}", digest(body))];
        let name = payload.pointer("/client_payload/pager/event").and_then(Value::as_str);
        // Anything else is no name: then only the body counts.
        once.extend(name.and_then(|name| EventId::parse(name).ok()).map(|name| format!("event:{name}")));
        match forwarded(&payload).map_err(Unproved::Wrong)? {
            Dispatch::Ignored(reason) => Ok(Proved::Ignored(reason)),
            Dispatch::Event(event) => {
                let body = event.to_string().into_bytes();
                let digest = digest(&body);
                Ok(Proved::Event(VerifiedControlEvent { id, body, digest, proved_by: ProvedBy::App, once }))
            }
        }
    }

    fn check_signature(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), Unproved> {
        if self.secrets.is_empty() {
            return Err(Unproved::refused("control.secrets has none of a GitHub App, so no such signature is taken"));
        }
        let offered = text(headers, SIGNATURE).and_then(|value| value.strip_prefix("sha256=")).and_then(bytes_of_hex);
        let offered = offered.ok_or_else(|| Unproved::Refused(format!("{SIGNATURE} is not `sha256=` and 64 hex digits")))?;
        // Compares in constant time.
        let holds = |secret: &Mac| secret.clone().chain_update(body).verify_slice(&offered).is_ok();
        if self.secrets.iter().any(holds) {
            Ok(())
        } else {
            Err(Unproved::refused("its signature was made with none of control.secrets"))
        }
    }

    fn check_repository(&self, payload: &Value) -> Result<(), Unproved> {
        let id = payload.pointer("/repository/id").and_then(Value::as_u64);
        let name = payload.pointer("/repository/full_name").and_then(Value::as_str);
        let is_it = match (&self.repository_id, &self.repository) {
            (Some(pinned), _) => id.is_some_and(|id| id.to_string() == *pinned),
            (None, Some(pinned)) => name.is_some_and(|name| name.eq_ignore_ascii_case(&pinned.to_string())),
            (None, None) => false,
        };
        if is_it { Ok(()) } else { Err(Unproved::refused("it comes from another repository than control.repo")) }
    }
}

fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    is_hex.then(|| (0..text.len()).step_by(2).map(pair).collect::<Option<_>>()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SECRET: &str = "It's a Secret to Everybody";

    fn app(repository_id: Option<&str>) -> App {
        let repository_id = repository_id.map(str::to_owned);
        let secrets = vec![mac(b"a secret that was before"), mac(SECRET.as_bytes())];
        App { secrets, repository_id, repository: Some("o/Control".parse().expect("a repository")) }
    }

    fn signed(secret: &str, body: &[u8]) -> String {
        let made = mac(secret.as_bytes()).chain_update(body).finalize().into_bytes();
        format!("sha256={}", made.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }

    fn headers(event: &str, signature: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let delivery = "72d3162e-cc78-11e3-81ab-4c9367dc0958";
        for (name, value) in [(EVENT, event), (SIGNATURE, signature), (DELIVERY, delivery)] {
            headers.insert(name, value.parse().expect("a header"));
        }
        headers
    }

    fn payload(more: Value) -> Vec<u8> {
        let mut payload = json!({
            "action": "pager-withdraw", "client_payload": {"pager": {"id": "rel-42", "reason": "👍 \u{202e}"}},
            "repository": {"id": 42, "full_name": "O/control"}, "sender": {"id": 7, "login": "olga"},
        });
        payload.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        payload.to_string().into_bytes()
    }

    fn outcome(app: &App, body: &[u8]) -> Result<Proved, Unproved> {
        app.check(&headers("repository_dispatch", &signed(SECRET, body)), body)
    }

    fn is_refused(outcome: Result<Proved, Unproved>) -> bool {
        matches!(outcome, Err(Unproved::Refused(_)))
    }

    #[test]
    fn the_published_example_of_github_holds() {
        let signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let given = headers("ping", signature);
        assert!(matches!(app(None).check(&given, b"Hello, World!"), Ok(Proved::Ignored(_))));
        assert!(is_refused(app(None).check(&given, b"Hello, World?")));
    }

    #[test]
    fn an_event_is_named_by_its_delivery_and_its_body_counts_once() {
        let body = payload(json!({}));
        let Ok(Proved::Event(event)) = outcome(&app(None), &body) else { panic!("it is an event") };
        assert_eq!(event.id.as_str(), "72d3162e-cc78-11e3-81ab-4c9367dc0958");
        assert_eq!((event.digest, event.once), (digest(&event.body), vec![format!("body:{}", digest(&body))]));
        let forwarded: Value = serde_json::from_slice(&event.body).expect("JSON");
        assert_eq!(forwarded["sender"], json!({"id": 7, "login": "olga"}));
        assert_eq!((&forwarded["type"], &forwarded["id"]), (&json!("withdraw"), &json!("rel-42")));
    }

    #[test]
    fn a_signature_of_another_form_secret_or_body_is_refused() {
        let body = payload(json!({}));
        let good = signed(SECRET, &body);
        for odd in [
            signed("another secret altogether", &body),
            signed(SECRET, &payload(json!({"branch": "main"}))),
            good.replace("sha256=", ""),
            good.replace("sha256=", "sha1="),
            good[..good.len() - 2].to_owned(),
            format!("{good}00"),
            "sha256=".to_owned(),
            format!("sha256=+{}", &good[8..]),
        ] {
            assert!(is_refused(app(None).check(&headers("repository_dispatch", &odd), &body)), "{odd}");
        }
        let none = App { secrets: Vec::new(), ..app(None) };
        assert!(is_refused(outcome(&none, &body)));
    }

    #[test]
    fn an_event_of_another_repository_is_refused() {
        for repository in [json!({"id": 42, "full_name": "o/control2"}), json!({"id": 42}), Value::Null] {
            assert!(is_refused(outcome(&app(None), &payload(json!({"repository": repository})))), "{repository}");
        }
        for (repository, fits) in
            [(json!({"id": 42, "full_name": "o/new"}), true), (json!({"id": 43, "full_name": "o/control"}), false)]
        {
            let outcome = outcome(&app(Some("42")), &payload(json!({"repository": repository})));
            assert_eq!(outcome.is_ok(), fits, "the id decides: {repository}");
        }
    }

    #[test]
    fn other_events_and_types_are_ignored_and_never_handled() {
        let body = payload(json!({}));
        for event in ["ping", "push", "installation"] {
            assert!(matches!(app(None).check(&headers(event, &signed(SECRET, &body)), &body), Ok(Proved::Ignored(_))));
        }
        for action in ["pager-text", "deploy"] {
            assert!(matches!(outcome(&app(None), &payload(json!({"action": action}))), Ok(Proved::Ignored(_))));
        }
    }

    #[test]
    fn a_delivery_that_is_malformed_is_told() {
        let broken = b"{\"action\":";
        assert!(matches!(outcome(&app(None), broken), Err(Unproved::Malformed(_))));
        let body = payload(json!({}));
        for header in [EVENT, DELIVERY] {
            let mut headers = headers("repository_dispatch", &signed(SECRET, &body));
            headers.remove(header);
            assert!(matches!(app(None).check(&headers, &body), Err(Unproved::Malformed(_))), "{header}");
        }
        let outcome = outcome(&app(None), &payload(json!({"client_payload": {"id": "rel-42"}})));
        assert!(matches!(outcome, Err(Unproved::Wrong(fault)) if fault.field == "client_payload.pager"));
    }
}
