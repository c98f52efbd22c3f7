//! Who sent it: an owner by numeric id, or nobody.

use serde_json::Value;

use super::Seat;

/// Stands for every anonymous administrator of every group.
const GROUP_ANONYMOUS_BOT: i64 = 1_087_968_824;
/// Stands for everybody who posts as a channel.
const CHANNEL_BOT: i64 = 136_817_688;

/// The owner's id, from a `User` object.
///
/// # Errors
/// Why it is no owner. Somebody on the list who is a bot or a stand-in for many is none either.
pub(super) fn owner(from: &Value, seat: &Seat) -> Result<i64, &'static str> {
    let Some(id) = from.get("id").and_then(Value::as_i64) else { return Err("a sender without an id") };
    if id == GROUP_ANONYMOUS_BOT {
        return Err("an anonymous administrator");
    }
    if id == CHANNEL_BOT {
        return Err("somebody who writes as a channel");
    }
    if from.get("is_bot").is_some_and(|is_bot| is_bot != &Value::Bool(false)) {
        return Err("a bot");
    }
    if !seat.owners.contains(&id) {
        return Err("not an owner");
    }
    Ok(id)
}

/// Why the words of a message are not its sender's own, if they are not.
pub(super) fn not_own_words(message: &Value) -> Option<&'static str> {
    let has = |name: &str| message.get(name).is_some_and(|value| !value.is_null());
    [
        ("sender_chat", "written in the name of a chat"),
        ("forward_origin", "forwarded"),
        ("forward_date", "forwarded"),
        ("is_automatic_forward", "forwarded"),
        ("via_bot", "written by way of a bot"),
        ("sender_business_bot", "written by a bot for somebody"),
        ("guest_bot_caller_user", "written by a guest bot"),
        ("guest_bot_caller_chat", "written by a guest bot"),
    ]
    .into_iter()
    .find_map(|(name, why)| has(name).then_some(why))
}

/// A user's name for people: first and last name, else the user name, else the id.
pub(super) fn name(from: &Value, id: i64) -> String {
    let part = |name: &str| from.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let full: Vec<&str> = ["first_name", "last_name"].into_iter().filter_map(part).collect();
    match (full.is_empty(), part("username")) {
        (false, _) => full.join(" "),
        (true, Some(username)) => format!("@{username}"),
        (true, None) => id.to_string(),
    }
}
