//! Finding the chat and the owner: somebody writes in the group, and whoever sits at the terminal says whether that is the
//! owner. Nobody becomes one by being fast.

use std::time::Duration;

use anyhow::bail;
use pager_bot::Telegram;
use pager_bot::api::Me;
use pager_bot::intake::{ALLOWED_UPDATES, update_id};
use serde_json::Value;
use tokio::time::Instant;

use super::asking::Asking;
use super::file::Settings;
use super::said;

/// How long it waits for somebody to write.
const WAITS: Duration = Duration::from_secs(600);
const HELD: u32 = 20;

/// Somebody who wrote in a group.
struct Writer {
    chat: i64,
    title: String,
    user: i64,
    name: String,
}

/// Waits for the writer who is confirmed, and fills in what is missing.
pub(super) async fn find(api: &Telegram, me: &Me, settings: &mut Settings, asking: &mut Asking) -> anyhow::Result<()> {
    // A bot that is no administrator yet sees commands alone.
    eprintln!("Now write /help@{} in the group, as the person who will decide. Waiting for it …", me.username);
    let until = Instant::now() + WAITS;
    let mut offset = None;
    let mut declined = Vec::new();
    while Instant::now() < until {
        let updates = match api.get_updates(offset, HELD, &ALLOWED_UPDATES).await {
            Ok(updates) => updates,
            Err(failure) if failure.is_conflict() => {
                bail!("another program reads this bot's updates; stop it, or make a bot of its own for pager at @BotFather")
            }
            Err(failure) => return Err(said("waiting for a message", &failure)),
        };
        offset = updates.iter().filter_map(update_id).next_back().map(|last| last + 1).or(offset);
        for writer in updates.iter().filter_map(writer) {
            let is_wanted = settings.chat_id.is_none_or(|chat| chat == writer.chat)
                && (settings.owners.is_empty() || settings.owners.contains(&writer.user));
            if !is_wanted || declined.contains(&(writer.chat, writer.user)) {
                continue;
            }
            let words =
                format!("{} (id {}) wrote in {:?}. Is that the owner, and the group?", writer.name, writer.user, writer.title);
            if asking.confirm_in_person(&words)? {
                settings.chat_id = Some(writer.chat);
                if settings.owners.is_empty() {
                    settings.owners.push(writer.user);
                }
                return Ok(());
            }
            declined.push((writer.chat, writer.user));
        }
    }
    bail!("nobody wrote in a group within ten minutes; add the bot to the group, or name both with --chat-id and --owner")
}

/// A person's message in a group. Its words are not looked at.
fn writer(update: &Value) -> Option<Writer> {
    let message = update.get("message")?;
    let (chat, from) = (message.get("chat")?, message.get("from")?);
    let is_group = matches!(chat.get("type")?.as_str()?, "group" | "supergroup");
    if !is_group || from.get("is_bot")?.as_bool()? || message.get("sender_chat").is_some() {
        return None;
    }
    let text = |value: &Value, name: &str| {
        // Names are other people's: nothing in them moves the terminal's cursor.
        let text = value.get(name).and_then(Value::as_str).unwrap_or_default();
        text.chars().filter(|letter| !letter.is_control()).take(64).collect::<String>()
    };
    let name = format!("{} {}", text(from, "first_name"), text(from, "last_name"));
    Some(Writer {
        chat: chat.get("id")?.as_i64()?,
        title: text(chat, "title"),
        user: from.get("id")?.as_i64()?,
        name: name.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use serde_json::json;

    use super::*;

    fn written(kind: &str, is_bot: bool, extra: (&str, Value)) -> Value {
        let mut message = json!({
            "chat": {"id": -1001, "type": kind, "title": "Our\u{1b}[2J group"},
            "from": {"id": 7, "is_bot": is_bot, "first_name": "Ada", "last_name": "L"},
        });
        message[extra.0] = extra.1;
        json!({"update_id": 1, "message": message})
    }

    #[test]
    fn a_person_in_a_group_is_found_and_their_names_are_harmless() {
        let found = writer(&written("supergroup", false, ("text", json!("x")))).unwrap();
        assert_eq!((found.chat, found.user, found.name.as_str(), found.title.as_str()), (-1001, 7, "Ada L", "Our[2J group"));
    }

    #[test]
    fn bots_private_chats_and_those_who_write_as_the_group_are_nobody() {
        assert!(writer(&written("supergroup", true, ("text", json!("x")))).is_none());
        assert!(writer(&written("private", false, ("text", json!("x")))).is_none());
        assert!(writer(&written("supergroup", false, ("sender_chat", json!({"id": -1001})))).is_none());
    }
}
