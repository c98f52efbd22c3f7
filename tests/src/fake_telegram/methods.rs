//! From a method's name to what carries it out, and the flood limit before all that write.

use super::chat::Chat;
use super::errors::{Answer, NOT_MODIFIED, TOPIC_NOT_MODIFIED, method_not_found, too_many};
use super::parameters::Parameters;
use super::state::State;
use super::{callbacks, chats, messages, reactions, topics, webhook};

/// The calls that share one budget a group: sends, edits and topics together.
const WRITING: [&str; 9] = [
    "sendmessage",
    "senddocument",
    "editmessagetext",
    "editmessagereplymarkup",
    "createforumtopic",
    "editforumtopic",
    "closeforumtopic",
    "reopenforumtopic",
    "deleteforumtopic",
];
const WINDOW_MS: i64 = 60_000;

/// Carries out any method but getUpdates; `method` is in lower case.
pub(super) fn call(state: &mut State, token: &str, method: &str, call: &Parameters) -> Answer {
    let Some(bot) = state.bots.get(token).map(|bot| bot.user.id) else {
        return Err(method_not_found());
    };
    let group = WRITING
        .contains(&method)
        .then(|| state.chat_for_bot(bot, call.text("chat_id")).ok())
        .flatten()
        .filter(|chat| chat.is_group())
        .map(|chat| chat.id);
    if let Some(group) = group {
        check_flood(state, group)?;
    }
    let answer = match method {
        "getme" => chats::get_me(state, token),
        "getchat" => chats::get_chat(state, bot, call),
        "getchatmember" => chats::get_chat_member(state, bot, call),
        "setmycommands" => chats::set_commands(state, token, call),
        "getmycommands" => chats::get_commands(state, token, call),
        "getforumtopiciconstickers" => Ok(topics::icon_stickers()),
        "createforumtopic" => topics::create(state, bot, call),
        "editforumtopic" => topics::edit(state, bot, call),
        "closeforumtopic" => topics::close(state, bot, call, true),
        "reopenforumtopic" => topics::close(state, bot, call, false),
        "deleteforumtopic" => topics::delete(state, bot, call),
        "sendmessage" => messages::send_message(state, bot, call),
        "senddocument" => messages::send_document(state, bot, call),
        "editmessagetext" => messages::edit_text(state, bot, call),
        "editmessagereplymarkup" => messages::edit_markup(state, bot, call),
        "deletemessage" => messages::delete(state, bot, call),
        "setmessagereaction" => reactions::set(state, bot, call),
        "answercallbackquery" => callbacks::answer(state, bot, call),
        "setwebhook" => webhook::set(state, token, call),
        "deletewebhook" => webhook::delete(state, token, call),
        "getwebhookinfo" => webhook::info(state, token),
        _ => Err(method_not_found()),
    };
    if let Some(group) = group {
        let reached_the_end = match &answer {
            Ok(_) => true,
            Err(refusal) => refusal.description.ends_with(NOT_MODIFIED) || refusal.description.ends_with(TOPIC_NOT_MODIFIED),
        };
        let now = state.now_ms();
        if let Some(chat) = state.chats.get_mut(&group).filter(|_| reached_the_end) {
            chat.spent.push_back(now);
        }
    }
    answer
}

/// Refuses when the last 60 seconds hold a whole budget of writing calls.
fn check_flood(state: &mut State, group: i64) -> Result<(), super::errors::Refusal> {
    let now = state.now_ms();
    let Some(budget) = state.rules.group_budget else { return Ok(()) };
    let Some(chat) = state.chats.get_mut(&group) else { return Ok(()) };
    forget_old(chat, now);
    if chat.spent.len() < budget {
        return Ok(());
    }
    // The call whose end of life makes room; with a budget of none, a whole window.
    let over = chat.spent.len() - budget;
    let frees_at = chat.spent.get(over).copied().unwrap_or(now) + WINDOW_MS;
    let seconds = (frees_at - now).max(1).unsigned_abs().div_ceil(1000);
    Err(too_many(seconds))
}

fn forget_old(chat: &mut Chat, now: i64) {
    while chat.spent.front().is_some_and(|at| now - at >= WINDOW_MS) {
        chat.spent.pop_front();
    }
}
