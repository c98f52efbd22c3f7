//! Handles stored updates, one after the other, each once. One that cannot be handled is set aside after three tries.

use std::time::Duration;

use pager_bot::Intent;
use pager_bot::intake::{self, withheld};
use pager_bot::render::toasts;
use serde_json::Value;

use super::commands::{self, Said};
use super::{Door, held, press, private, seat, text, topic, updates};
use crate::service::ServiceError;
use crate::store::{Received, Write};

/// How often handling one update is tried.
const MOST_TRIES: u32 = 3;
/// It looks again by itself, should a ring have been missed.
const LOOKS_AGAIN: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn run(door: &Door) {
    loop {
        match door.service.store.unhandled_updates(100).await {
            Ok(updates) if updates.is_empty() => {
                let _ = tokio::time::timeout(LOOKS_AGAIN, door.received.notified()).await;
            }
            Ok(updates) => {
                for update in updates {
                    match handle(door, &update).await {
                        Ok(()) => door.service.private.forget_update(update.id),
                        Err(error) => set_back(door, &update, &error).await,
                    }
                }
            }
            Err(error) => {
                tracing::error!(%error, "stored updates could not be read");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn handle(door: &Door, update: &Received) -> Result<(), ServiceError> {
    let stored = parsed(&update.body)?;
    let mark = withheld::mark(&stored);
    let is_private = mark.is_some();
    let raw = match mark {
        None => stored,
        Some(about) => match door.service.private.update(update.id) {
            Some(whole) => parsed(&whole)?,
            None => return private::lost(door, update.id, &stored, about).await,
        },
    };
    match intake::read(&raw, &door.seat) {
        Intent::Press(pressed) => return press::handle(door, update.id, pressed).await,
        Intent::UpdatePress(pressed) => return updates::pressed(door, update.id, pressed).await,
        Intent::HeldPress(pressed) => return held::pressed(door, update.id, pressed).await,
        // A caption behind `/answer`: it answers nothing, and may be private.
        Intent::Text(written) if is_private && written.at.thread.is_none() => {
            return private::misplaced(door, update.id, &written.at, &written.text).await;
        }
        Intent::Text(written) => return text::words(door, update.id, written).await,
        Intent::Command { at, command, rest, edited } => {
            return commands::handle(door, update.id, &Said { chat: door.seat.chat_id, at, command, rest, edited, is_private })
                .await;
        }
        Intent::PrivateCommand { at, command, rest, edited } => {
            return commands::handle(door, update.id, &Said { chat: at.user, at, command, rest, edited, is_private }).await;
        }
        Intent::NotText { at, album, .. } => return text::without_words(door, update.id, &at, album).await,
        Intent::TopicCreated { name, by_bot: true, .. } => return topic::news(door, update.id, &name).await,
        Intent::ForeignPress { callback_id, why } => {
            tracing::info!(update = update.id, why, "a press that does not count");
            press::toast(door, callback_id, toasts::not_yours());
        }
        Intent::Foreign { why } => tracing::info!(update = update.id, why, "a message that does not count"),
        Intent::Migrated { to } => {
            seat::follow(&door.service, door.configured_chat, to).await?;
            done(door, update.id).await?;
            door.leaving.cancel();
            return Ok(());
        }
        Intent::BotChanged => door.changed.notify_one(),
        Intent::TopicCreated { .. } | Intent::Nothing { .. } => {}
    }
    done(door, update.id).await
}

fn parsed(body: &str) -> Result<Value, ServiceError> {
    serde_json::from_str(body).map_err(|error| ServiceError::Unusable(error.to_string()))
}

/// Notes that an update was handled, when nothing else was to be stored with it.
pub(super) async fn done(door: &Door, update: i64) -> Result<(), ServiceError> {
    Ok(door.service.store.commit(vec![Write::Handled { update }]).await?)
}

async fn set_back(door: &Door, update: &Received, error: &ServiceError) {
    let tries = update.tries + 1;
    let aside = tries >= MOST_TRIES;
    if aside {
        tracing::error!(update = update.id, %error, "an update could not be handled and is set aside");
        door.service.private.forget_update(update.id);
        door.service.health.trouble("updates", format!("update {} could not be handled and was set aside", update.id));
    } else {
        tracing::warn!(update = update.id, %error, "an update could not be handled; it is tried again");
    }
    if let Err(error) = door.service.store.commit(vec![Write::Poison { update: update.id, tries, aside }]).await {
        tracing::error!(update = update.id, %error, "that could not be noted");
    }
    tokio::time::sleep(PAUSE).await;
}
