//! May the bot still do its work in the chat? Looked at when Telegram tells of a change, and on a timer. Once all is well,
//! what was set aside because of the chat goes out.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pager_bot::{ChatKind, Failure, Kind};
use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState};
use tokio::time::Instant;

use super::Door;
use crate::clock;
use crate::service::ServiceError;
use crate::store::{JobKind, Write};

/// Its part in the health of pagerd.
pub(super) const PART: &str = "chat";
/// What is in the way when questions have to stand in the chat itself.
const NO_TOPICS: &str = "the chat has no topics; switch Topics on in the group's settings";
/// The first pause before a look after something was set aside, and the longest between two looks.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LAST_PAUSE: Duration = Duration::from_secs(60);

/// Looks for ever.
pub(super) async fn run(door: &Door) {
    let mut pause = FIRST_PAUSE;
    let mut next_look = Instant::now() + FIRST_PAUSE;
    loop {
        let was_told = tokio::select! {
            () = door.changed.notified() => true,
            () = door.parked.notified() => {
                next_look = next_look.min(Instant::now() + pause);
                continue;
            }
            () = tokio::time::sleep_until(next_look) => false,
        };
        if was_told {
            pause = FIRST_PAUSE;
        }
        match look(door).await {
            Look::Well => match release(door).await {
                // It may be refused again; then it is left alone for longer each time.
                Ok(true) => pause = (pause * 2).min(LAST_PAUSE),
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "what was set aside could not be taken up"),
            },
            Look::InTheWay(reason) => {
                tracing::error!(reason, "the bot cannot do its work in the chat; questions wait in the store");
                door.service.health.trouble(PART, reason);
            }
            Look::NotKnown => {}
        }
        next_look = Instant::now() + LAST_PAUSE;
    }
}

/// What a look at the chat came to.
enum Look {
    /// The bot can work.
    Well,
    /// It cannot, and what to do.
    InTheWay(String),
    /// Telegram did not say.
    NotKnown,
}

/// Looks at the chat and at what the bot is in it.
async fn look(door: &Door) -> Look {
    let (api, chat) = (&door.api, door.seat.chat_id);
    match api.get_chat(chat).await {
        Ok(info) if door.kind == ChatKind::Forum => door.lost_topics.store(!info.is_forum, Ordering::Relaxed),
        Ok(_) => return Look::Well,
        Err(Failure::Permanent { kind, reason }) => return Look::InTheWay(advice(&kind, &reason)),
        Err(_) => return Look::NotKnown,
    }
    if door.kind() != ChatKind::Forum {
        return Look::InTheWay(NO_TOPICS.to_owned());
    }
    match api.get_chat_member(chat, door.seat.bot_id).await {
        Ok(member) if !member.makes_topics() => {
            Look::InTheWay("the bot may not manage topics; make it an administrator with that right".to_owned())
        }
        Ok(_) => Look::Well,
        Err(Failure::Permanent { kind, reason }) => Look::InTheWay(advice(&kind, &reason)),
        Err(_) => Look::NotKnown,
    }
}

/// A topic could be made.
pub(super) fn topics_are_on(door: &Door) {
    if door.lost_topics.swap(false, Ordering::Relaxed) {
        tracing::info!("the group has topics again");
        door.service.health.well(PART);
    }
}

/// A call told that the group has no topics any more: questions stand in the chat itself until it has them again.
pub(super) fn topics_are_off(door: &Door) {
    if !door.lost_topics.swap(true, Ordering::Relaxed) {
        tracing::error!("the group's topics were switched off; questions stand in the chat itself meanwhile");
        door.parked.notify_one();
    }
    door.service.health.trouble(PART, NO_TOPICS);
}

/// Why a refusal is the chat's fault, with the one thing to do; the question itself is fine. None for another refusal.
pub(super) fn is_the_chats(kind: &Kind) -> bool {
    match kind {
        Kind::NoRights | Kind::ChatGone | Kind::BadToken => true,
        Kind::ThreadNotFound
        | Kind::TopicClosed
        | Kind::NotAForum
        | Kind::Migrated { .. }
        | Kind::NotModified
        | Kind::MessageGone
        | Kind::NotDeletable
        | Kind::ReactionRefused
        | Kind::QueryTooOld
        | Kind::Other => false,
    }
}

/// The reason, and what would help.
pub(super) fn advice(kind: &Kind, reason: &str) -> String {
    match kind {
        Kind::ChatGone => format!("the bot is not in the chat any more ({reason}); add it again as an administrator"),
        Kind::NoRights => {
            format!("the bot lacks the right to do so ({reason}); make it an administrator that may manage topics")
        }
        Kind::NotAForum => format!("the chat has no topics ({reason}); switch Topics on in the group's settings"),
        Kind::BadToken => format!("Telegram does not take the token ({reason}); check telegram.token"),
        _ => reason.to_owned(),
    }
}

/// All is well: lets go of what was set aside. Tells whether there was something.
async fn release(door: &Door) -> Result<bool, ServiceError> {
    let store = &door.service.store;
    door.service.health.well(PART);
    let parked = store.parked_jobs().await?;
    if parked.is_empty() {
        return Ok(false);
    }
    for job in &parked {
        let shows = matches!(job.kind, JobKind::CreateTopic | JobKind::SendQuestion { .. });
        let Some(incarnation) = job.incarnation.as_ref().filter(|_| shows) else { continue };
        if let Some(record) = store.record_of(incarnation).await? {
            let delivery = Delivery { state: DeliveryState::Queued, reason: None, link: None };
            door.service.change(record, None, &Event::Deliver(delivery), &[]).await?;
        }
    }
    store.commit(vec![Write::Unpark { due_at: clock::now() }]).await?;
    door.service.outbox.notify_one();
    tracing::info!(count = parked.len(), "the chat is well again; what was set aside goes out");
    Ok(true)
}
