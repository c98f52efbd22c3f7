//! What an owner picks of an offer whose default holds: kept in the thread of its request, its helper woken once. Whoever picked is
//! told who went on with what, and when. A text goes out as every text of the owner's does, and is no new request.

use pager_bot::intake::{Press, Text};
use pager_bot::render::{replies, thread as render, toasts};
use pager_questions::apply::Resolution;
use pager_questions::{By, OptionId, Record, Reply, ReplyKind, text as texts};

use super::{Door, words as thread};
use crate::service::{Actor, LatePick, ServiceError, Words, late_pick_origin, told_of_reply};
use crate::store::{StoreError, Write};
use crate::telegram::{copies, handler, press, request, text};

/// Is it an offer to an owner whose default holds, or is being saved?
pub(in crate::telegram) fn is_late(record: &Record) -> bool {
    record.is_defaulted_offer() && record.question.put_to.is_none()
}

/// Handles a press on it.
pub(in crate::telegram) async fn pressed(
    door: &Door,
    update: i64,
    pressed: Press,
    record: &Record,
    picked: Vec<OptionId>,
) -> Result<(), ServiceError> {
    let mut also = vec![Write::Handled { update }];
    also.extend(copies::seen(door, record, pressed.message_id).await?);
    let (actor, picked) = (Actor { by: By::telegram(pressed.user), token: None }, Resolution::Chosen(picked));
    let is_first = door.service.keep_late_pick(&actor, record, Words::Checked, &picked, &also).await?;
    // Whose thread was forgotten has none in which a pick could be kept.
    let origin = late_pick_origin(&record.question.incarnation);
    let is_kept = is_first || door.service.store.reply_from(&origin).await?.is_some();
    press::toast(
        door,
        pressed.callback_id,
        match is_kept {
            true => toasts::picked_late(record, is_first, &door.zone),
            false => toasts::ended(record, &door.zone),
        },
    );
    door.service.outbox.notify_one();
    Ok(())
}

/// Handles a text in its topic. False when it is not about such an offer.
pub(in crate::telegram) async fn words(door: &Door, update: i64, written: &Text, record: &Record) -> Result<bool, ServiceError> {
    if !is_late(record) {
        return Ok(false);
    }
    if texts::is_blank(&written.text) || (written.edited && request::is_counted(door, written).await?) {
        return handler::done(door, update).await.map(|()| true);
    }
    let actor = Actor { by: By::telegram(written.at.user), token: None };
    let picked = Resolution::OwnWords(written.text.clone());
    let mut stored = vec![Write::Handled { update }];
    stored.extend(text::remember(door, written));
    let LatePick { request: of, reply, writes } = match door.service.late_pick(&actor, record, Words::Checked, &picked).await {
        Ok(Some(pick)) => pick,
        Ok(None) => return Ok(false),
        Err(ServiceError::LooksSecret(looks)) => {
            stored.push(text::reply(door, record, update, &written.at, replies::late_and_secret(looks)));
            return text::store(door, stored).await.map(|()| true);
        }
        Err(error) => return Err(error),
    };
    let with = |reply: &Reply, is_first| {
        let told = render::picked_late(record, is_first, &door.zone);
        let mut also = stored.clone();
        also.push(text::reply(door, record, update, &written.at, told));
        also.extend(thread::leaves(door, written, &of, reply));
        also
    };
    match door.service.store.commit([writes, with(&reply, true)].concat()).await {
        Err(StoreError::Conflict) => {
            // Somebody picked before: the words are a further message.
            let reply = Reply { kind: ReplyKind::Message, ..reply };
            let origin = format!("telegram:{update}:{}", door.seat.chat_id);
            let mut writes =
                vec![Write::AddReply { reply: Box::new(reply.clone()), origin, most: 0 }, told_of_reply(&of, &reply)];
            writes.extend(with(&reply, false));
            door.service.store.commit(writes).await?;
        }
        stored => stored?,
    }
    door.service.outbox.notify_one();
    door.service.outlet.ring();
    Ok(true)
}
