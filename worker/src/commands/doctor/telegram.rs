//! Telegram: the token, the clock, the chat, the bot's rights in it, and whether the owners are there.

use pager_bot::api::{ChatInfo, Me, Member};
use pager_bot::chat::IsChannel;
use pager_bot::{ChatKind, Failure, Kind, Telegram};

use super::{Report, clocks};
use crate::{clock, configuration};

/// A supergroup's id is its number below this one: it is written with `-100` before the number.
const SUPERGROUPS: i64 = -1_000_000_000_000;

/// Looks at everything but the receiving. The client, when the token is good.
///
/// A chat without topics serves, but a set-up that is to have them must not end in one: `needs_topics`.
pub(super) async fn check(settings: &configuration::Telegram, needs_topics: bool, report: &mut Report) -> Option<Telegram> {
    let (api, me) = token(settings, report).await?;
    let Some(chat) = chat(&api, settings.chat_id, report).await else { return Some(api) };
    let kind = ChatKind::of(&chat, &me);
    topics(kind, needs_topics, report);
    if kind == Ok(ChatKind::Forum) {
        rights(&api, &me, settings.chat_id, report).await;
    }
    for owner in &settings.owners {
        self::owner(&api, settings.chat_id, *owner, report).await;
    }
    Some(api)
}

/// The token and the clock.
async fn token(settings: &configuration::Telegram, report: &mut Report) -> Option<(Telegram, Me)> {
    let api = match Telegram::new(&settings.api_url, settings.token.clone()) {
        Ok(api) => api,
        Err(failure) => {
            report.fail("token", failure.reason(), "correct telegram.api_url");
            return None;
        }
    };
    let before = clock::now().as_millis();
    match api.get_me_and_time().await {
        Ok((me, time)) => {
            report.ok("token", format!("it belongs to @{}", me.username));
            clocks::compare("Telegram", time, (before + clock::now().as_millis()) / 2, report);
            Some((api, me))
        }
        Err(failure) => {
            let fix = match failure.kind() {
                Some(Kind::BadToken) => {
                    "copy the token from @BotFather anew (/mybots, API Token) into telegram.token or its file"
                }
                _ => "look at the network, at a proxy, and at telegram.api_url",
            };
            report.fail("token", format!("Telegram does not take it or cannot be reached: {}", failure.reason()), fix);
            None
        }
    }
}

async fn chat(api: &Telegram, id: i64, report: &mut Report) -> Option<ChatInfo> {
    let failure = match api.get_chat(id).await {
        Ok(chat) => {
            report.ok("chat", "the bot finds it");
            return Some(chat);
        }
        Err(failure) => failure,
    };
    let with_prefix = (id > SUPERGROUPS).then(|| SUPERGROUPS.saturating_sub(id.saturating_abs()));
    if let Some(with_prefix) = with_prefix
        && api.get_chat(with_prefix).await.is_ok()
    {
        report.fail("chat", "telegram.chat_id lacks its beginning", "put -100 before its digits: -100 and the number");
        return None;
    }
    let fix = match failure.kind() {
        Some(Kind::Migrated { .. }) => "set telegram.chat_id to the group's new id, which begins with -100",
        Some(Kind::ChatGone) => "add the bot to the group, or correct telegram.chat_id (pagerd setup finds it)",
        _ => "look at the network and try again",
    };
    report.fail("chat", failure.reason(), fix);
    None
}

fn topics(kind: Result<ChatKind, IsChannel>, needs_topics: bool, report: &mut Report) {
    match kind {
        Ok(ChatKind::Forum) => report.ok("topics", "the group has topics"),
        Ok(ChatKind::PrivateTopics) => report.ok("topics", "the private chat has topics"),
        Ok(ChatKind::Flat) => {
            let fix = "switch Topics on in the group's settings, in a private chat Threaded Mode at @BotFather";
            if needs_topics {
                report.fail("topics", "the chat has no topics", fix);
            } else {
                report.warn("topics", "the chat has none, so own words are taken only by /answer KEY words", fix);
            }
        }
        Err(is_channel) => {
            report.fail("topics", is_channel.to_string(), "make a group, switch Topics on, and set telegram.chat_id to it")
        }
    }
}

async fn rights(api: &Telegram, me: &Me, chat: i64, report: &mut Report) {
    let member = match api.get_chat_member(chat, me.id).await {
        Ok(member) => member,
        Err(failure) => {
            return report.warn("rights", format!("they could not be looked up: {}", failure.reason()), "run this again");
        }
    };
    let is_administrator = matches!(member.status.as_str(), "administrator" | "creator");
    match &member {
        member if member.makes_topics() => report.ok("rights", "the bot may manage topics"),
        Member { .. } if is_administrator => report.fail(
            "rights",
            "the bot is an administrator without the right to manage topics",
            "switch Manage Topics on among its rights, in the group's list of administrators",
        ),
        Member { .. } => report.fail(
            "rights",
            "the bot is no administrator of the group",
            "make it an administrator with the right Manage Topics",
        ),
    }
    if is_administrator || me.can_read_all_group_messages {
        report.ok("privacy mode", "the bot sees what is written in the group");
    } else {
        report.fail(
            "privacy mode",
            "it is on and the bot is no administrator, so the bot sees no texts",
            "make the bot an administrator; an administrator sees everything",
        );
    }
}

async fn owner(api: &Telegram, chat: i64, owner: i64, report: &mut Report) {
    match api.get_chat_member(chat, owner).await {
        Ok(member) if matches!(member.status.as_str(), "left" | "kicked") => report.fail(
            "owner",
            format!("{owner} is not in the group"),
            "invite them, or correct telegram.owners (pagerd setup finds the id)",
        ),
        Ok(_) => report.ok("owner", format!("{owner} is in the group")),
        Err(failure @ Failure::Permanent { .. }) => report.fail(
            "owner",
            format!("{owner} is not known in the group: {}", failure.reason()),
            "correct telegram.owners: numeric user ids (pagerd setup finds them)",
        ),
        Err(failure) => {
            report.warn("owner", format!("{owner} could not be looked up: {}", failure.reason()), "run this again");
        }
    }
}
