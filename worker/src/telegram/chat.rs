//! Finding the seat: who the bot is, whether the chat has topics, what the bot may do there, which icons there are.

use std::time::Duration;

use pager_bot::api::{Me, Scope, icon_of};
use pager_bot::commands::menu;
use pager_bot::render::SIGNS_OF_UPDATES;
use pager_bot::render::thread::SIGN_OF_REQUESTS;
use pager_bot::{ChatKind, Failure, Kind, Seat, Telegram};

use super::{Icons, backlog, seat};
use crate::configuration::{self, Receiving};
use crate::service::Service;

/// The pauses between tries while Telegram cannot be reached or the chat is not ready.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(15);

/// Tries until the bot has its seat. What is in the way is shown in the health of pagerd.
pub(super) async fn sit_down(service: &Service, settings: &configuration::Telegram) -> (Telegram, Seat, ChatKind, Icons) {
    let health = &service.health;
    let mut pause = FIRST_PAUSE;
    loop {
        match attempt(service, settings).await {
            Ok(seated) => {
                health.well("telegram");
                return seated;
            }
            Err(reason) => {
                tracing::error!(reason, "Telegram is not ready; questions wait in the store");
                if let Err(error) = backlog::explain(service, &format!("Telegram is not ready: {reason}")).await {
                    tracing::warn!(%error, "askers could not be told why their questions wait");
                }
                health.trouble("telegram", reason);
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LAST_PAUSE);
            }
        }
    }
}

async fn attempt(service: &Service, settings: &configuration::Telegram) -> Result<(Telegram, Seat, ChatKind, Icons), String> {
    let chat_id = seat::chat(service, settings.chat_id).await.map_err(|error| error.to_string())?;
    let said = |call: &'static str| move |failure: Failure| format!("{call}: {}", explain(&failure));
    let api = Telegram::new(&settings.api_url, settings.token.clone()).map_err(said("telegram.api_url"))?;
    let api = api.watched(service.metrics.watch());
    let me = api.get_me().await.map_err(said("getMe"))?;
    let chat = api.get_chat(chat_id).await;
    if let Some(Kind::Migrated { to }) = chat.as_ref().err().and_then(Failure::kind) {
        seat::follow(service, settings.chat_id, *to).await.map_err(|error| error.to_string())?;
    }
    let chat = chat.map_err(said("getChat"))?;
    let kind = ChatKind::of(&chat, &me).map_err(|error| error.to_string())?;
    if chat.kind == "private" {
        check_owner(settings)?;
    }
    match kind {
        ChatKind::Forum => check_rights(&api, chat_id, &me).await?,
        ChatKind::PrivateTopics => {}
        ChatKind::Flat => tracing::info!("the chat has no topics: a question is a message, own words come by /answer"),
    }
    // Polling and a webhook exclude each other; what waits for delivery is kept. The poller tries again when it is refused.
    if matches!(settings.receiving, Receiving::Polling)
        && let Err(failure) = api.delete_webhook().await
    {
        tracing::warn!(reason = failure.reason(), "a webhook could not be taken out of the way");
    }
    let icons = match api.icon_stickers().await {
        _ if !kind.has_topics() => Icons { open: None, ended: None, updates: None, requests: None },
        Ok(icons) => Icons {
            open: icon_of(&icons, "❓").map(str::to_owned),
            ended: icon_of(&icons, "✅").map(str::to_owned),
            requests: icon_of(&icons, SIGN_OF_REQUESTS).map(str::to_owned),
            updates: SIGNS_OF_UPDATES.into_iter().find_map(|sign| icon_of(&icons, sign)).map(str::to_owned),
        },
        Err(failure) => {
            tracing::warn!(reason = failure.reason(), "topics get no icons; their names carry the sign");
            Icons { open: None, ended: None, updates: None, requests: None }
        }
    };
    set_menus(&api, chat_id, kind).await;
    let seat = Seat { chat_id, owners: settings.owners.clone(), bot_id: me.id, bot_username: me.username };
    Ok((api, seat, kind, icons))
}

/// In a private chat nobody else can be.
fn check_owner(settings: &configuration::Telegram) -> Result<(), String> {
    if !settings.owners.contains(&settings.chat_id) {
        return Err("the chat is the private one of somebody who is not in telegram.owners; a private chat serves one owner: \
                    set telegram.chat_id to that owner's user id"
            .to_owned());
    }
    if settings.owners.len() > 1 {
        tracing::warn!("a private chat serves one owner: the others of telegram.owners see no questions there");
    }
    Ok(())
}

async fn check_rights(api: &Telegram, chat: i64, me: &Me) -> Result<(), String> {
    match api.get_chat_member(chat, me.id).await {
        Ok(member) if !member.makes_topics() => {
            Err("the bot may not manage topics; make it an administrator with that right".to_owned())
        }
        Ok(_) => Ok(()),
        // Only a clear no is one: making a topic will tell.
        Err(failure) => {
            tracing::warn!(reason = failure.reason(), "the bot's rights could not be looked up");
            Ok(())
        }
    }
}

/// Each place lists what works there.
async fn set_menus(api: &Telegram, chat: i64, kind: ChatKind) {
    let menus =
        [(menu::ELSEWHERE, Scope::Everywhere), (menu::PRIVATE, Scope::PrivateChats), (menu::menu(kind), Scope::Chat(chat))];
    for (menu, scope) in menus {
        if let Err(failure) = api.set_my_commands(menu, scope).await {
            tracing::warn!(reason = failure.reason(), "a menu of commands could not be set");
        }
    }
}

fn explain(failure: &Failure) -> String {
    match failure.kind() {
        Some(Kind::BadToken) => "Telegram does not take the token; check telegram.token".to_owned(),
        Some(Kind::ChatGone) => format!("{}; check telegram.chat_id and that the bot is in the chat", failure.reason()),
        _ => failure.reason().to_owned(),
    }
}
