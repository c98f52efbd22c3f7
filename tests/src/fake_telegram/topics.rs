//! Forum topics: made, renamed, given icons, closed, reopened and deleted by bots and people.

use serde_json::{Map, Value, json};

use super::chat::{Chat, ChatKind, Topic};
use super::errors::{Answer, Refusal, TOPIC_NOT_MODIFIED, bad};
use super::message::Message;
use super::parameters::Parameters;
use super::state::State;

/// The icons the server offers. Some carry U+FE0F and some do not, as with the real one.
const ICONS: [(&str, &str); 6] = [
    ("❓", "5377316857231450742"),
    ("✅", "5237699328843200968"),
    ("📣", "5309984423003823246"),
    ("📰", "5434144690511290129"),
    ("💬", "5417915203100613993"),
    ("❗\u{fe0f}", "5379748062124056162"),
];
const COLORS: [i64; 6] = [7_322_096, 16_766_590, 13_338_331, 9_367_192, 16_749_490, 16_478_047];

/// The emoji of an icon, for people who look at the page.
pub(super) fn icon_emoji(id: &str) -> &'static str {
    ICONS.iter().find(|(_, known)| *known == id).map_or("", |(emoji, _)| emoji)
}

pub(super) fn icon_stickers() -> Value {
    let stickers = ICONS.iter().map(|(emoji, id)| {
        json!({
            "file_id": format!("icon-{id}"), "file_unique_id": format!("unique-icon-{id}"),
            "type": "custom_emoji", "width": 512, "height": 512, "is_animated": true,
            "is_video": false, "emoji": emoji, "set_name": "Topics", "custom_emoji_id": id,
        })
    });
    Value::Array(stickers.collect())
}

pub(super) fn create(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    if !chat.is_forum {
        return Err(bad("the chat is not a forum"));
    }
    if !chat.manages_topics(bot) {
        return Err(bad("not enough rights to create a topic"));
    }
    let chat = chat.id;
    let name = cleaned_name(call.text("name"));
    if name.is_empty() {
        return Err(bad("name must be non-empty"));
    }
    let color = match call.text("icon_color") {
        "" => COLORS[0],
        _ => call
            .integer("icon_color")
            .filter(|color| COLORS.contains(color))
            .ok_or_else(|| bad("invalid icon color specified"))?,
    };
    let icon = read_icon(call)?;
    let thread = state.open_topic(chat, bot, &name, color, &icon);
    let mut topic = json!({ "message_thread_id": thread, "name": name, "icon_color": color });
    if !icon.is_empty() {
        topic["icon_custom_emoji_id"] = icon.into();
    }
    Ok(topic)
}

/// Runs of blanks and line ends become one space; what is longer than 128 is cut.
fn cleaned_name(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    name.chars().take(128).collect::<String>().trim_end().to_owned()
}

fn read_icon(call: &Parameters) -> Result<String, Refusal> {
    let icon = call.text("icon_custom_emoji_id");
    if icon.is_empty() || ICONS.iter().any(|(_, id)| *id == icon) {
        return Ok(icon.to_owned());
    }
    Err(match icon.parse::<i64>() {
        Ok(_) => bad("DOCUMENT_INVALID"),
        Err(_) => bad("invalid custom emoji identifier specified"),
    })
}

pub(super) fn edit(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let thread = thread_of(call)?;
    if !chat.is_forum {
        return Err(bad("the chat is not a forum"));
    }
    let topic = existing(chat, thread)?;
    if topic.creator != bot && !chat.manages_topics(bot) {
        return Err(bad("not enough rights to edit the topic"));
    }
    let name = Some(cleaned_name(call.text("name"))).filter(|name| !name.is_empty());
    let icon = match call.has("icon_custom_emoji_id") {
        true => Some(read_icon(call)?),
        false => None,
    };
    if name.is_none() && icon.is_none() {
        return Ok(json!(true));
    }
    let name = name.filter(|name| *name != topic.name);
    let icon = icon.filter(|icon| *icon != topic.icon);
    if name.is_none() && icon.is_none() {
        return Err(bad(TOPIC_NOT_MODIFIED));
    }
    let chat = chat.id;
    let mut edited = Map::new();
    if let Some(topic) = state.topic_mut(chat, thread) {
        if let Some(name) = name {
            topic.name.clone_from(&name);
            edited.insert("name".into(), name.into());
        }
        if let Some(icon) = icon {
            topic.icon.clone_from(&icon);
            edited.insert("icon_custom_emoji_id".into(), icon.into());
        }
    }
    state.say_service(chat, thread, bot, "forum_topic_edited", Value::Object(edited));
    Ok(json!(true))
}

pub(super) fn close(state: &mut State, bot: i64, call: &Parameters, closed: bool) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let thread = thread_of(call)?;
    if chat.kind == ChatKind::Private {
        return Err(bad("the chat is not a supergroup forum"));
    }
    if !chat.is_forum {
        return Err(bad("the chat is not a forum"));
    }
    let topic = existing(chat, thread)?;
    if topic.creator != bot && !chat.manages_topics(bot) {
        return Err(bad("not enough rights to close or open the topic"));
    }
    if topic.is_closed == closed {
        return Err(bad(TOPIC_NOT_MODIFIED));
    }
    let chat = chat.id;
    state.set_topic_closed(chat, thread, bot, closed);
    Ok(json!(true))
}

pub(super) fn delete(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let thread = thread_of(call)?;
    if !chat.is_forum {
        return Err(bad("the chat is not a forum"));
    }
    existing(chat, thread)?;
    if chat.kind != ChatKind::Private && !chat.deletes_messages(bot) {
        return Err(bad("not enough rights to delete the topic"));
    }
    let chat = chat.id;
    state.remove_topic(chat, thread);
    Ok(json!(true))
}

fn thread_of(call: &Parameters) -> Result<i64, Refusal> {
    call.integer("message_thread_id").filter(|thread| *thread > 0).ok_or_else(|| bad("invalid forum topic identifier specified"))
}

fn existing(chat: &Chat, thread: i64) -> Result<&Topic, Refusal> {
    let topic = chat.topics.get(&thread).ok_or_else(|| bad("TOPIC_ID_INVALID"))?;
    if topic.is_deleted {
        return Err(bad("TOPIC_DELETED"));
    }
    Ok(topic)
}

impl State {
    fn topic_mut(&mut self, chat: i64, thread: i64) -> Option<&mut Topic> {
        self.chats.get_mut(&chat)?.topics.get_mut(&thread)
    }

    /// Makes a topic; gives back the id of its first message, which is its thread id.
    pub(super) fn open_topic(&mut self, chat: i64, creator: i64, name: &str, icon_color: i64, icon: &str) -> i64 {
        let mut created = json!({ "name": name, "icon_color": icon_color });
        if !icon.is_empty() {
            created["icon_custom_emoji_id"] = icon.into();
        }
        let thread = self.chats[&chat].last_message + 1;
        let topic = Topic {
            thread,
            name: name.to_owned(),
            icon_color,
            icon: icon.to_owned(),
            is_closed: false,
            is_deleted: false,
            creator,
        };
        if let Some(chat) = self.chats.get_mut(&chat) {
            chat.topics.insert(thread, topic);
        }
        self.say_service(chat, thread, creator, "forum_topic_created", created);
        thread
    }

    pub(super) fn set_topic_closed(&mut self, chat: i64, thread: i64, by: i64, closed: bool) {
        if let Some(topic) = self.topic_mut(chat, thread) {
            topic.is_closed = closed;
        }
        let what = if closed { "forum_topic_closed" } else { "forum_topic_reopened" };
        self.say_service(chat, thread, by, what, json!({}));
    }

    pub(super) fn remove_topic(&mut self, chat: i64, thread: i64) {
        if let Some(chat) = self.chats.get_mut(&chat) {
            if let Some(topic) = chat.topics.get_mut(&thread) {
                topic.is_deleted = true;
            }
            chat.messages.retain(|_, message| message.thread != Some(thread));
        }
    }

    fn say_service(&mut self, chat: i64, thread: i64, by: i64, what: &str, content: Value) {
        let mut extra = Map::new();
        extra.insert(what.to_owned(), content);
        let message = Message { from: by, thread: Some(thread), extra, ..Message::default() };
        let id = self.add_message(chat, message);
        self.deliver("message", chat, id);
    }
}
