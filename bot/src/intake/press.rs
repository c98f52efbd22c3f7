//! Presses of buttons: an owner's in the configured chat, and everybody else's.

use serde_json::Value;

use super::{HeldPress, Intent, Press, Seat, UpdatePress, sender};
use crate::callback::{CallbackData, HeldButton, NotOurs, UpdateButton};

pub(super) fn read(query: &Value, seat: &Seat) -> Intent {
    let Some(callback_id) = query.get("id").and_then(Value::as_str) else {
        return Intent::Nothing { why: "a press without an id cannot be answered" };
    };
    let foreign = |why| Intent::ForeignPress { callback_id: callback_id.to_owned(), why };
    let chat = query.pointer("/message/chat/id").and_then(Value::as_i64);
    if chat != Some(seat.chat_id) {
        return foreign("a press in another chat");
    }
    let Some(from) = query.get("from") else { return foreign("a press without a sender") };
    let user = match sender::owner(from, seat) {
        Ok(user) => user,
        Err(why) => return foreign(why),
    };
    let data = query.get("data").and_then(Value::as_str);
    let message_id = query.pointer("/message/message_id").and_then(Value::as_i64).filter(|id| *id > 0);
    if let Some(Ok(button)) = data.map(HeldButton::parse) {
        return Intent::HeldPress(HeldPress { callback_id: callback_id.to_owned(), user, button, message_id });
    }
    if let Some(Ok(button)) = data.map(UpdateButton::parse) {
        return Intent::UpdatePress(UpdatePress { callback_id: callback_id.to_owned(), user, button, message_id });
    }
    let data = data.map_or(Err(NotOurs), CallbackData::parse);
    Intent::Press(Press { callback_id: callback_id.to_owned(), user, author: sender::name(from, user), data, message_id })
}
