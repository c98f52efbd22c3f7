//! Which chat and which bot: a group that got a new id is followed, and after any change open questions are shown anew.
//! What was shown before decides nothing any more.

use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState, Record};
use serde::{Deserialize, Serialize};

use super::{Door, threads, updates};
use crate::service::{Service, ServiceError, effects};
use crate::store::{JobKind, Stored, Write};

/// Under these names the store keeps where the bot sits.
const MOVED: &str = "chat";
const SEAT: &str = "seat";
/// How many open questions are read at a time.
const PAGE: u32 = 500;

/// A group's new id: it wins for as long as the setting names the old one.
#[derive(Debug, Serialize, Deserialize)]
struct Moved {
    configured: i64,
    now: i64,
}

/// Where questions were shown last.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sat {
    chat: i64,
    bot: i64,
}

/// The chat that the setting means by now.
pub(super) async fn chat(service: &Service, configured: i64) -> Stored<i64> {
    let moved = service.store.kept(MOVED).await?.and_then(|text| serde_json::from_str::<Moved>(&text).ok());
    Ok(moved.filter(|moved| moved.configured == configured).map_or(configured, |moved| moved.now))
}

/// Keeps the new id of the group.
pub(super) async fn follow(service: &Service, configured: i64, to: i64) -> Stored<()> {
    tracing::warn!("the group became a supergroup; its new id is kept and used from here on");
    let moved = Moved { configured, now: to };
    let value = serde_json::to_string(&moved).expect("numbers are plain JSON");
    service.store.commit(vec![Write::Keep { name: MOVED.to_owned(), value }]).await
}

/// Compares the seat with the last one. After a change, whatever is not over is shown anew, in one transaction.
pub(super) async fn arrive(door: &Door) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let sat = Sat { chat: door.seat.chat_id, bot: door.seat.bot_id };
    let last = store.kept(SEAT).await?.and_then(|text| serde_json::from_str::<Sat>(&text).ok());
    if last.as_ref() == Some(&sat) {
        return Ok(());
    }
    let value = serde_json::to_string(&sat).expect("numbers are plain JSON");
    let mut writes = vec![Write::Keep { name: SEAT.to_owned(), value }];
    let mut pending = Vec::new();
    if last.is_some() {
        tracing::warn!("the bot or its chat is another one; open questions are shown anew");
        pending = everything_open(door).await?;
        pending.extend(store.answering().await?);
        let news = updates::shown_anew(door).await?;
        let threads = threads::shown_anew(door).await?;
        writes.push(Write::ForgetChat);
        writes.extend(news);
        writes.extend(threads);
        writes.extend(pending.iter().map(|record| {
            let id = format!("{}-seat-{}-{}", record.question.incarnation, sat.chat, sat.bot);
            Write::AddJob(effects::job(id, record, JobKind::CreateTopic))
        }));
    }
    store.commit(writes).await?;
    for record in pending {
        let reason = Some("the chat or the bot is another one; it is shown anew there".to_owned());
        let link = Some(door.service.link_to(&record));
        let delivery = Delivery { state: DeliveryState::Queued, reason, link };
        door.service.change(record, None, &Event::Deliver(delivery), &[]).await?;
    }
    door.service.outbox.notify_one();
    Ok(())
}

/// Every open question, the one asked first at the front.
pub(super) async fn everything_open(door: &Door) -> Result<Vec<Record>, ServiceError> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = door.service.store.open(PAGE, after.take()).await?;
        let is_last = page.len() < PAGE as usize;
        after = page.last().map(|last| last.cursor.clone());
        all.extend(page.into_iter().map(|listed| listed.record));
        if is_last {
            all.sort_by_key(|record| record.question.asked_at);
            return Ok(all);
        }
    }
}
