//! GitHub's own webhook of a `repository_dispatch`, as the body that a workflow would have forwarded of it.

use serde_json::{Value, json};

use crate::fields::Fault;

/// What a delivery of GitHub's turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dispatch {
    /// An event for pager, as a forwarded body.
    Event(Value),
    /// Somebody else's business, with the reason.
    Ignored(&'static str),
}

/// What every type of event is dispatched as: `pager-` and its name.
const PREFIX: &str = "pager-";
/// Types that bring something in. `pager-text` and `pager-answered` go the other way.
const INWARD: [&str; 6] = ["ask", "withdraw", "update", "request", "reply", "offer"];

/// The forwarded body of a `repository_dispatch` payload. Its type is the dispatch's own, its sender is whom GitHub names:
/// what stands inside about either is refused.
///
/// # Errors
/// A [`Fault`] when the payload is an event for pager and has not its shape.
pub fn forwarded(payload: &Value) -> Result<Dispatch, Fault> {
    let kind = payload.get("action").and_then(Value::as_str).and_then(|action| action.strip_prefix(PREFIX));
    let Some(kind) = kind.filter(|kind| INWARD.contains(kind)) else {
        return Ok(Dispatch::Ignored("its type is none of pager's"));
    };
    let inside = payload.pointer("/client_payload/pager").cloned();
    let Some(Value::Object(mut own)) = inside else {
        return Err(Fault::invalid("client_payload.pager", "is required, as an object with the event's fields"));
    };
    if let Some(stamped) = ["type", "sender"].into_iter().find(|name| own.get(*name).is_some_and(|value| !value.is_null())) {
        return Err(Fault::unknown_field(stamped));
    }
    // The agent's own name of the event. GitHub's delivery is what counts here.
    own.remove("event");
    own.insert("type".to_owned(), Value::String(kind.to_owned()));
    if let Some(id) = payload.pointer("/sender/id").and_then(Value::as_u64) {
        let login = payload.pointer("/sender/login").and_then(Value::as_str);
        own.insert("sender".to_owned(), json!({"id": id, "login": login}));
    }
    Ok(Dispatch::Event(Value::Object(own)))
}
