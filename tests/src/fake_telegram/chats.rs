//! getMe, getChat, getChatMember and the bot's commands.

use serde_json::{Value, json};

use super::chat::{ChatKind, Standing};
use super::errors::{Answer, Refusal, bad};
use super::parameters::Parameters;
use super::state::State;

pub(super) fn get_me(state: &State, token: &str) -> Answer {
    let Some(bot) = state.bots.get(token) else { return Ok(Value::Null) };
    let mut me = bot.user.value();
    for (name, is_on) in [
        ("can_join_groups", true),
        ("can_read_all_group_messages", bot.reads_all_group_messages),
        ("supports_guest_queries", false),
        ("supports_inline_queries", false),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
        ("has_topics_enabled", bot.has_private_topics),
        ("allows_users_to_create_topics", bot.has_private_topics),
        ("can_manage_bots", false),
        ("supports_join_request_queries", false),
    ] {
        me[name] = is_on.into();
    }
    Ok(me)
}

pub(super) fn get_chat(state: &State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let mut full = chat.value();
    full["accent_color_id"] = 3.into();
    full["max_reaction_count"] = 11.into();
    full["accepted_gift_types"] = json!({
        "unlimited_gifts": false, "limited_gifts": false, "unique_gifts": false,
        "premium_subscription": false, "gifts_from_channels": false,
    });
    if chat.is_group() {
        full["permissions"] = json!({
            "can_send_messages": true, "can_react_to_messages": true, "can_manage_topics": false,
        });
    }
    if let Some(allowed) = &chat.reactions {
        let types = allowed.iter().map(|emoji| json!({ "type": "emoji", "emoji": emoji }));
        full["available_reactions"] = types.collect();
    }
    Ok(full)
}

pub(super) fn get_chat_member(state: &State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let user = call.integer("user_id").filter(|user| *user > 0).ok_or_else(|| bad("invalid user_id specified"))?;
    if let Some(standing) = chat.bots.get(&user) {
        return Ok(state.bot_member(user, *standing));
    }
    if chat.owner == Some(user) {
        return Ok(json!({
            "status": "creator", "user": state.user_value(user), "is_anonymous": false,
        }));
    }
    if chat.members.contains(&user) || (chat.kind == ChatKind::Private && chat.id == user) {
        return Ok(json!({ "status": "member", "user": state.user_value(user) }));
    }
    match state.users.contains_key(&user) {
        true => Ok(json!({ "status": "left", "user": state.user_value(user) })),
        false => Err(bad("member not found")),
    }
}

pub(super) fn set_commands(state: &mut State, token: &str, call: &Parameters) -> Answer {
    let commands = read_commands(call)?;
    check_scope(state, token, call)?;
    let key = commands_key(call);
    if let Some(bot) = state.bots.get_mut(token) {
        bot.commands.insert(key, commands);
    }
    Ok(json!(true))
}

pub(super) fn get_commands(state: &State, token: &str, call: &Parameters) -> Answer {
    let commands = state.bots.get(token).and_then(|bot| bot.commands.get(&commands_key(call)));
    Ok(commands.cloned().unwrap_or_else(|| json!([])))
}

/// A scope is of a known type, and one of a chat names a chat that the bot knows.
fn check_scope(state: &State, token: &str, call: &Parameters) -> Result<(), Refusal> {
    let Ok(scope) = call.json("scope") else { return Err(bad("can't parse BotCommandScope: expected an Object")) };
    let Some(scope) = scope else { return Ok(()) };
    match scope["type"].as_str() {
        Some("default" | "all_private_chats" | "all_group_chats" | "all_chat_administrators") => Ok(()),
        Some("chat" | "chat_administrators" | "chat_member") => {
            let bot = state.bots.get(token).map(|bot| bot.user.id).unwrap_or_default();
            let chat = scope["chat_id"].as_str().map_or_else(|| scope["chat_id"].to_string(), ToOwned::to_owned);
            state.chat_for_bot(bot, &chat).map(drop)
        }
        _ => Err(bad("can't parse BotCommandScope: unsupported type specified")),
    }
}

fn commands_key(call: &Parameters) -> String {
    let scope = call.json("scope").ok().flatten();
    let scope = scope.unwrap_or_else(|| json!({ "type": "default" }));
    format!("{scope} {}", call.text("language_code"))
}

fn read_commands(call: &Parameters) -> Result<Value, Refusal> {
    let wrong = || bad("can't parse commands: expected an Array of BotCommand");
    let list = match call.json("commands").map_err(|_| wrong())? {
        Some(Value::Array(list)) => list,
        _ => return Err(wrong()),
    };
    if list.len() > 100 {
        return Err(bad("BOT_COMMANDS_TOO_MUCH"));
    }
    let mut commands = Vec::new();
    for entry in list {
        let name = entry["command"].as_str().ok_or_else(wrong)?.trim_start_matches('/');
        let description = entry["description"].as_str().ok_or_else(wrong)?;
        let is_allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !(1..=32).contains(&name.len()) || !name.chars().all(is_allowed) {
            return Err(bad("BOT_COMMAND_INVALID"));
        }
        if !(1..=256).contains(&description.chars().count()) {
            return Err(bad("BOT_COMMAND_DESCRIPTION_INVALID"));
        }
        commands.push(json!({ "command": name, "description": description }));
    }
    Ok(Value::Array(commands))
}

impl State {
    /// The `ChatMember` of a bot.
    pub(super) fn bot_member(&self, bot: i64, standing: Standing) -> Value {
        let user = self.user_value(bot);
        match standing {
            Standing::Administrator { can_manage_topics, can_delete_messages } => json!({
                "status": "administrator", "user": user, "can_be_edited": false,
                "is_anonymous": false, "can_manage_chat": true,
                "can_delete_messages": can_delete_messages, "can_manage_video_chats": false,
                "can_restrict_members": false, "can_promote_members": false,
                "can_change_info": false, "can_invite_users": false, "can_post_stories": false,
                "can_edit_stories": false, "can_delete_stories": false,
                "can_pin_messages": false, "can_manage_topics": can_manage_topics,
                "can_send_welcome_messages": false,
            }),
            Standing::Member => json!({ "status": "member", "user": user }),
            Standing::Left => json!({ "status": "left", "user": user }),
            Standing::Kicked | Standing::Blocked => {
                json!({ "status": "kicked", "user": user, "until_date": 0 })
            }
        }
    }
}
