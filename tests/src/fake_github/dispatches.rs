//! POST dispatches: takes an event in, and hands it to the Apps that listen.

use serde_json::{Value, json};

use super::events::Event;
use super::hooks;
use super::refusal::{Refusal, invalid, not_supplied, wrong_kind};
use super::reply::{Answer, Given};
use super::request::text;
use super::routes::Visit;

const MOST_PROPERTIES: usize = 10;
const LONGEST_PAYLOAD: usize = 65_535;
const LONGEST_TYPE: usize = 100;

pub(super) fn create(visit: &mut Visit<'_>) -> Answer {
    let body = visit.asked.object()?;
    let event_type = text(&body, "event_type")?;
    check_type(&event_type)?;
    let payload = match body.get("client_payload") {
        None | Some(Value::Null) => json!({}),
        Some(payload) => payload.clone(),
    };
    check_payload(&payload)?;
    let unknown = body.keys().find(|name| !matches!(name.as_str(), "event_type" | "client_payload"));
    if let Some(unknown) = unknown {
        return Err(invalid(format!("Invalid request.\n\n\"{unknown}\" is not a permitted key.")));
    }
    let Some(token) = visit.caller else { return Err(Refusal::new(401, "Requires authentication")) };
    let (id, at_ms, repository) = (visit.state.new_id(), visit.now_ms(), visit.repository());
    let event = Event {
        id,
        repository: repository.full_name(),
        event_type,
        client_payload: payload,
        branch: repository.default_branch.clone(),
        sender: token.user.clone(),
        at_ms,
    };
    hooks::announce(visit.state, visit.id, &event);
    visit.state.events.push(event);
    Ok(Given::nothing())
}

fn check_type(event_type: &str) -> Result<(), Refusal> {
    match event_type.chars().count() {
        0 => Err(not_supplied("event_type")),
        1..=LONGEST_TYPE => Ok(()),
        _ => Err(invalid(format!(
            "Invalid request.\n\nOnly {LONGEST_TYPE} characters are allowed; {} were supplied.",
            event_type.chars().count()
        ))),
    }
}

fn check_payload(payload: &Value) -> Result<(), Refusal> {
    let Some(members) = payload.as_object() else { return Err(wrong_kind("client_payload", payload, "an object")) };
    if members.len() > MOST_PROPERTIES {
        let message = format!("No more than {MOST_PROPERTIES} properties are allowed; {} were supplied.", members.len());
        return Err(invalid(format!("Invalid request.\n\n{message}")));
    }
    if payload.to_string().len() > LONGEST_PAYLOAD {
        return Err(invalid("client_payload is too large."));
    }
    Ok(())
}
