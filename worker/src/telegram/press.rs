//! A press: acknowledged at once, so that no button ever spins, then claimed. Losers are told what happened.

use std::time::Duration;

use pager_bot::intake::Press;
use pager_bot::render::toasts;
use pager_bot::{Act, Failure};
use pager_questions::apply::Resolution;
use pager_questions::{By, OptionId, Record, State};

use super::{Door, attached, copies, handler, marks, threads};
use crate::crash;
use crate::service::{Actor, Named, ServiceError, Spoken, Words};
use crate::store::Write;

/// Handles an owner's press.
pub(super) async fn handle(door: &Door, update: i64, press: Press) -> Result<(), ServiceError> {
    let found = match &press.data {
        Ok(data) => door.service.store.record_of(&data.incarnation).await?.zip(Some(data.act)),
        Err(_) => None,
    };
    let meant = found.and_then(|(record, act)| Some((meant(&record, act)?, record)));
    let Some((meant, record)) = meant else {
        tracing::info!(update, "a press of a button that is not known");
        toast(door, press.callback_id, toasts::unknown_button());
        return handler::done(door, update).await;
    };
    let is_open = matches!(record.state, State::Open { .. });
    let picked = match meant {
        Meant::Option(option) if !record.is_over() && attached::forbids(door, &record, option.as_str()).await? => {
            tracing::warn!(update, "a press approves what was not shown whole; it does not count");
            return told(door, update, press, &record, toasts::not_shown_whole(), Vec::new()).await;
        }
        Meant::Option(option) => vec![option],
        Meant::Mark(option) if is_open => {
            let (text, writes) = marks::toggle(door, update, &record, &option).await?;
            return told(door, update, press, &record, text, writes).await;
        }
        Meant::Marked => match marks::of(door, &record).await? {
            marked if marked.is_empty() && is_open => {
                return told(door, update, press, &record, toasts::nothing_marked(), Vec::new()).await;
            }
            marked => marked,
        },
        Meant::Mark(_) => Vec::new(),
    };
    if threads::is_late(&record) {
        return threads::pressed_late(door, update, press, &record, picked).await;
    }
    toast(door, press.callback_id.clone(), toast_for(door, &record));
    crash::point("press.acknowledged");
    let mut also = vec![Write::Handled { update }];
    also.extend(copies::seen(door, &record, press.message_id).await?);
    let chosen = Resolution::Chosen(picked);
    let actor = Actor { by: By::telegram(press.user), token: None };
    let named = Named::Incarnation(record.question.incarnation.clone());
    match door.service.decide(&actor, &named, Words::Checked, |_| Ok(chosen.clone()), Spoken::by_press(), &also).await {
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

/// What a press means to this record.
enum Meant {
    /// This option, and that settles it.
    Option(OptionId),
    /// A mark at this option.
    Mark(OptionId),
    /// The marked options settle it.
    Marked,
}

/// None for a button that this question never had.
fn meant(record: &Record, act: Act) -> Option<Meant> {
    let question = &record.question;
    let option = |place: usize| question.options.get(place).map(|option| option.id.clone());
    match act {
        Act::Pick(place) => option(place).filter(|_| !question.multi).map(Meant::Option),
        Act::Toggle(place) => option(place).filter(|_| question.multi).map(Meant::Mark),
        Act::Send => question.multi.then_some(Meant::Marked),
    }
}

/// Tells what the press did, or why nothing, and stores that it was handled.
async fn told(
    door: &Door,
    update: i64,
    press: Press,
    record: &Record,
    text: String,
    writes: Vec<Write>,
) -> Result<(), ServiceError> {
    toast(door, press.callback_id, text);
    let mut also = vec![Write::Handled { update }];
    also.extend(copies::seen(door, record, press.message_id).await?);
    also.extend(writes);
    door.service.store.commit(also).await?;
    door.service.outbox.notify_one();
    Ok(())
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
