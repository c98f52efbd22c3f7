//! Event files as GitHub leaves them on a runner, and runs of the forwarder with them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::door::{Answer, Door, Received};
use super::runner::{REQUEST_TOKEN, Runner};

/// The maintainer's login and id.
pub const MAINTAINER: (&str, u64) = ("olga", 4711);
/// The id of the event.
pub const EVENT: &str = "0191d2a4-6b1e-7c3f-8a55-0f6f5f0e9c11";

/// An event of this type with these fields, sent by the maintainer.
pub fn event(kind: &str, fields: &Value) -> Value {
    let mut pager = fields.clone();
    pager["event"] = json!(EVENT);
    pager["sent_at"] = json!("2026-11-30T13:22:15.004Z");
    with_payload(kind, &json!({"pager": pager}))
}

/// The same with any payload.
pub fn with_payload(kind: &str, payload: &Value) -> Value {
    json!({
        "action": kind,
        "branch": "main",
        "client_payload": payload,
        "repository": {"id": 99, "full_name": "acme/control"},
        "sender": {"login": MAINTAINER.0, "id": MAINTAINER.1, "type": "User"},
    })
}

/// A small question.
pub fn question() -> Value {
    json!({"id": "rel-42", "title": "Release 2.4 now?", "options": ["Yes", "No"]})
}

/// A `PAGER_SECRET` of this key.
pub fn secret(key: &[u8]) -> String {
    format!("whsec_{}", STANDARD.encode(key))
}

/// A runner that forwards this event to this address, signed, with three attempts and no pauses.
pub fn signing(event: &Value, url: &str) -> Runner {
    let mut runner = Runner::new(event);
    runner.context.set("vars.PAGER_URL", url);
    runner.context.set("vars.PAGER_MAINTAINER", "4711");
    runner.context.set("secrets.PAGER_SECRET", &secret(&[7; 32]));
    runner.set("PAUSES", "0 0");
    runner
}

/// The same with tokens of this issuer.
pub fn identified(event: &Value, url: &str, issuer: &Door) -> Runner {
    let mut runner = signing(event, url);
    runner.context.set("secrets.PAGER_SECRET", "");
    runner.set("ACTIONS_ID_TOKEN_REQUEST_URL", &format!("{}/token?api-version=2.0", issuer.url));
    runner.set("ACTIONS_ID_TOKEN_REQUEST_TOKEN", REQUEST_TOKEN);
    runner
}

/// An issuer whose tokens are `token-1`, `token-2` and so on.
pub async fn issuer() -> Door {
    Door::answering(|_: &Received, before| Answer::json(200, &json!({"count": 1, "value": format!("token-{}", before + 1)})))
        .await
}
