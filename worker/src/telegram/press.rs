//! A press: acknowledged at once, so that no button ever spins, then claimed. Losers are told what happened.

use std::time::Duration;

use pager_bot::Failure;
use pager_bot::intake::Press;
use pager_bot::render::toasts;
use pager_questions::apply::Resolution;
use pager_questions::{By, Record, State};

use super::{Door, copies, handler};
use crate::crash;
use crate::service::{Actor, Named, ServiceError};
use crate::store::Write;

/// Handles an owner's press.
pub(super) async fn handle(door: &Door, update: i64, press: Press) -> Result<(), ServiceError> {
    let found = match &press.data {
        Ok(data) => door.service.store.record_of(&data.incarnation).await?,
        Err(_) => None,
    };
    let option = found.as_ref().zip(press.data.as_ref().ok()).and_then(|(record, data)| record.question.options.get(data.option));
    let (Some(record), Some(option)) = (&found, option) else {
        tracing::info!(update, "a press of a button that is not known");
        toast(door, press.callback_id, toasts::unknown_button());
        return handler::done(door, update).await;
    };
    toast(door, press.callback_id.clone(), toast_for(door, record));
    crash::point("press.acknowledged");
    let mut also = vec![Write::Handled { update }];
    also.extend(copies::seen(door, record, press.message_id).await?);
    let chosen = Resolution::Chosen(vec![option.id.clone()]);
    let actor = Actor { by: By::telegram(press.user), token: None };
    let named = Named::Incarnation(record.question.incarnation.clone());
    match door.service.decide(&actor, &named, |_| Ok(chosen.clone()), None, &also).await {
        Ok(_) => Ok(()),
        Err(ServiceError::Refused(_, newest)) => {
            // By now it may have an end that this copy does not show.
            let mut also = vec![Write::Handled { update }];
            also.extend(copies::seen(door, &newest, press.message_id).await?);
            door.service.store.commit(also).await?;
            door.service.outbox.notify_one();
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// What the press is answered with; nothing when it is about to count.
fn toast_for(door: &Door, record: &Record) -> String {
    match record.state {
        State::Open { .. } => String::new(),
        State::Answering(_) => toasts::being_saved(),
        State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => toasts::ended(record, &door.zone),
    }
}

/// The pauses between tries to answer a callback query. Telegram takes an answer for some ten seconds.
const PAUSES: [Duration; 4] =
    [Duration::from_millis(200), Duration::from_millis(800), Duration::from_secs(2), Duration::from_secs(4)];

/// Answers a callback query, outside the chat's budget and without waiting for it: a failure changes nothing, and answering
/// twice does no harm. What Telegram does not take in time leaves a button that spins for a while.
pub(super) fn toast(door: &Door, callback_id: String, text: String) {
    let api = door.api.clone();
    tokio::spawn(async move {
        for pause in PAUSES {
            let wait = match api.answer_callback(&callback_id, &text).await {
                Ok(()) => return,
                Err(Failure::Permanent { reason, .. }) => return tracing::debug!(reason, "a press could not be answered"),
                Err(Failure::NotApplied { retry_after, .. }) => retry_after.unwrap_or(pause),
                Err(Failure::Unknown { .. }) => pause,
            };
            tokio::time::sleep(wait).await;
        }
    });
}
