//! Updates whose words must not be stored: where they stand, and what of them may be stored instead. It knows no question;
//! whoever does says which words are private.

use pager_questions::Incarnation;
use serde_json::{Map, Value, json};

use crate::commands::keyed;
use crate::key;

/// Marks an update that is stored without its words; the question that they are for, where that is known.
const MARK: &str = "withheld";
/// Stands where the words were, so that its sender is looked at as that of any text.
const STAND_IN: &str = "(withheld)";
/// What of a message says where it stands and whose it is, and can carry no words.
const PLAIN: [&str; 6] = ["message_id", "message_thread_id", "is_topic_message", "date", "edit_date", "forward_date"];
/// What makes a message nobody's own words by being there.
const PRESENT: [&str; 7] = [
    "sender_chat",
    "forward_origin",
    "is_automatic_forward",
    "via_bot",
    "sender_business_bot",
    "guest_bot_caller_user",
    "guest_bot_caller_chat",
];
/// Where in an update copies of other messages are.
const COPIES: [&str; 4] = [
    "/message/reply_to_message",
    "/message/pinned_message",
    "/edited_message/reply_to_message",
    "/callback_query/message/reply_to_message",
];

/// Where words stand that may be private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The chat.
    pub chat: i64,
    /// The topic; None in General.
    pub thread: Option<i64>,
    /// They stand behind `/answer` and this key; the inner None when what stands there is no key.
    pub key: Option<Option<String>>,
}

/// Where the update's own words stand; None when it is no message, or the one that tells of its topic's making.
pub fn spot(update: &Value) -> Option<Spot> {
    let message = update.get("message").or_else(|| update.get("edited_message"))?;
    if message.get("forum_topic_created").is_some() { None } else { spot_of(message) }
}

/// The copies of other messages in an update, each with its place in the JSON.
pub fn copies(update: &Value) -> Vec<(&'static str, Spot)> {
    COPIES.into_iter().filter_map(|pointer| Some((pointer, spot_of(update.pointer(pointer)?)?))).collect()
}

/// The update without its words, marked. They are for `about`, where that is known.
pub fn without_words(update: &Value, about: Option<&Incarnation>) -> Value {
    let mut bare = json!({"update_id": update.get("update_id"), MARK: about.map_or("", Incarnation::as_str)});
    for kind in ["message", "edited_message"] {
        if let Some(message) = update.get(kind) {
            bare[kind] = bare_message(message);
        }
    }
    bare
}

/// Takes the copy at this place out of an update, and what was quoted of it.
pub fn drop_copy(update: &mut Value, pointer: &str) {
    let Some((holder, name)) = pointer.rsplit_once('/') else { return };
    if let Some(Value::Object(holder)) = update.pointer_mut(holder) {
        holder.remove(name);
        holder.remove("quote");
    }
}

/// Was it stored without its words? Then the question that they were for, where that was known.
pub fn mark(update: &Value) -> Option<Option<Incarnation>> {
    Some(Incarnation::parse(update.get(MARK)?.as_str()?).ok())
}

fn bare_message(message: &Value) -> Value {
    let mut bare = Map::new();
    for name in PLAIN {
        if let Some(number) = message.get(name).filter(|value| value.is_number() || value.is_boolean()) {
            bare.insert(name.to_owned(), number.clone());
        }
    }
    for name in PRESENT {
        if message.get(name).is_some_and(|value| !value.is_null()) {
            bare.insert(name.to_owned(), true.into());
        }
    }
    bare.insert("chat".to_owned(), json!({"id": message.pointer("/chat/id"), "type": message.pointer("/chat/type")}));
    if let Some(from) = message.get("from") {
        bare.insert("from".to_owned(), json!({"id": from.get("id"), "is_bot": from.get("is_bot")}));
    }
    bare.insert("text".to_owned(), STAND_IN.into());
    Value::Object(bare)
}

fn spot_of(message: &Value) -> Option<Spot> {
    let number = |name: &str| message.get(name).and_then(Value::as_i64);
    let in_topic = message.get("is_topic_message") == Some(&Value::Bool(true));
    let thread = number("message_thread_id").filter(|id| in_topic && *id > 0);
    let words = ["text", "caption"].into_iter().find_map(|name| message.get(name)?.as_str());
    Some(Spot { chat: message.pointer("/chat/id")?.as_i64()?, thread, key: words.and_then(key_of) })
}

/// The key behind `/answer`, with or without the name of a bot; None unless words follow.
fn key_of(text: &str) -> Option<Option<String>> {
    let (word, rest) = text.trim().strip_prefix('/')?.split_once(char::is_whitespace)?;
    let name = word.split_once('@').map_or(word, |(name, _)| name);
    let (typed, words) = keyed(rest).filter(|_| name.eq_ignore_ascii_case("answer"))?;
    let key = key::read(typed);
    // Without a key the first word is one of the words.
    (key.is_none() || !words.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(message: &Value) -> Value {
        json!({"update_id": 7, "message": message})
    }

    #[test]
    fn nothing_that_can_carry_words_is_left() {
        let message = json!({
            "message_id": 5, "message_thread_id": 3, "is_topic_message": true, "date": 1, "text": "hush",
            "chat": {"id": -1, "type": "supergroup", "title": "hush"}, "from": {"id": 2, "is_bot": false, "first_name": "hush"},
            "entities": [{"type": "url", "url": "hush"}], "caption": "hush", "quote": {"text": "hush"},
            "reply_to_message": {"text": "hush"}, "something_new": {"words": "hush"}, "edit_date": "hush", "via_bot": {"name": "hush"},
        });
        let about = Incarnation::parse("9f3c2a715be04d18").expect("an incarnation");
        let bare = without_words(&update(&message), Some(&about));
        assert!(!bare.to_string().contains("hush"), "{bare}");
        assert_eq!((&bare["message"]["from"]["id"], &bare["message"]["via_bot"]), (&json!(2), &json!(true)));
        assert_eq!(mark(&bare), Some(Some(about)));
        assert_eq!(mark(&without_words(&update(&message), None)), Some(None));
        assert_eq!(mark(&update(&message)), None);
    }

    #[test]
    fn words_stand_in_a_topic_or_behind_a_key() {
        let check = |text: &str, key: Option<Option<&str>>| {
            let message = json!({"chat": {"id": -1}, "text": text});
            let found = spot(&update(&message)).expect("a spot").key;
            assert_eq!(found, key.map(|key| key.map(str::to_owned)), "{text:?}");
        };
        check("hush", None);
        check("/answer", None);
        check("/answer 9f3c2a", None);
        check("/answer 9F3C2A hush", Some(Some("9f3c2a")));
        check(" /Answer@pager_bot\n9f3c2a hush", Some(Some("9f3c2a")));
        check("/answer hush", Some(None));
        check("/decline 9f3c2a hush", None);
    }

    #[test]
    fn a_copy_goes_with_what_was_quoted_of_it() {
        let copy = json!({"chat": {"id": -1}, "message_thread_id": 3, "is_topic_message": true, "text": "hush"});
        let mut update =
            update(&json!({"chat": {"id": -1}, "text": "What?", "reply_to_message": copy, "quote": {"text": "hush"}}));
        let found = copies(&update);
        assert_eq!(found, [("/message/reply_to_message", Spot { chat: -1, thread: Some(3), key: None })]);
        drop_copy(&mut update, found[0].0);
        assert!(!update.to_string().contains("hush") && update["message"]["text"] == "What?", "{update}");
    }
}
