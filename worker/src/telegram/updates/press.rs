//! A press on an update: acknowledged at once, then read or dismissed. Every message of it shows that.

use pager_bot::intake::UpdatePress;
use pager_bot::render::toasts;
use pager_questions::{By, Update, UpdateId};

use super::{Door, messages, topic};
use crate::service::{Actor, ServiceError, effects};
use crate::store::{JobKind, JobState, Place, Write};
use crate::telegram::{handler, press};
use crate::{clock, crash};

/// Handles an owner's press. `received` is the id of Telegram's own update.
pub(in crate::telegram) async fn handle(door: &Door, received: i64, pressed: UpdatePress) -> Result<(), ServiceError> {
    let (id, mark) = (UpdateId::of(&pressed.button.key), pressed.button.mark);
    let Some(update) = door.service.store.update(&id).await? else {
        tracing::info!(update = received, "a press of a button of an update that is not known");
        press::toast(door, pressed.callback_id, toasts::unknown_button());
        return handler::done(door, received).await;
    };
    let is_new = update.marked(mark, clock::now()) != update;
    press::toast(door, pressed.callback_id, if is_new { String::new() } else { toasts::update(&update, &door.zone) });
    crash::point("press.acknowledged");
    let mut also = vec![Write::Handled { update: received }];
    if let Some(message) = pressed.message_id {
        also.extend(seen(door, &update, message, is_new).await?);
    }
    let actor = Actor { by: By::telegram(pressed.user), token: None };
    match door.service.mark(&actor, &id, mark, &also).await {
        Ok(_) => Ok(()),
        Err(ServiceError::NotFound) => handler::done(door, received).await,
        Err(error) => Err(error),
    }
}

/// What has to be stored because a press came from this message: nobody may have told us of it, and where the press changes
/// nothing, the message does not show the state that the update is in.
async fn seen(door: &Door, update: &Update, message: i64, is_new: bool) -> Result<Vec<Write>, ServiceError> {
    let key = update.id.key();
    let mut writes = Vec::new();
    if !messages(door, update).await?.iter().any(|place| place.message == message) {
        let thread = topic::of(door, &update.source.agent).await?.unwrap_or_default();
        writes.push(Write::SetPlace(Place { incarnation: key.clone(), chat: door.seat.chat_id, thread, message }));
    }
    if !is_new {
        let jobs = door.service.store.jobs_of(&key).await?;
        let is_about_to = jobs.iter().any(|job| job.kind == JobKind::EditUpdate && job.state == JobState::Waiting);
        if !writes.is_empty() || !is_about_to {
            writes.push(Write::AddJob(effects::job_about(format!("{key}-copy-{message}"), key, JobKind::EditUpdate)));
        }
    }
    Ok(writes)
}
