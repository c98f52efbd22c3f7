//! What an owner writes in the topic of a request: a further message there, sent on as such; of an agent's request, an answer. It is
//! never a new request.

use pager_bot::intake::{Place, Text};
use pager_bot::render::replies;
use pager_questions::{By, Reply, ReplyDraft, Request, RequestId, text as texts};

use super::Door;
use crate::hub;
use crate::service::{Actor, Replied, ServiceError, effects};
use crate::store::{JobKind, Write};
use crate::telegram::{handler, request, text};

/// The request whose topic this is.
pub(in crate::telegram) async fn request_in(door: &Door, thread: Option<i64>) -> Result<Option<Request>, ServiceError> {
    let store = &door.service.store;
    let Some(thread) = thread else { return Ok(None) };
    let Some(place) = store.place_in(door.seat.chat_id, thread).await? else { return Ok(None) };
    let Some(id) = store.kept(&topic_name(place.incarnation.as_str())).await? else { return Ok(None) };
    let Ok(id) = RequestId::parse(&id) else { return Ok(None) };
    Ok(store.request(&id).await?)
}

/// Keeps which request has this key: its topic is looked up by that.
pub(super) fn keep_topic(request: &RequestId) -> Write {
    Write::Keep { name: topic_name(request.key().as_str()), value: request.to_string() }
}

/// Keeps where in the chat a request was written.
pub(in crate::telegram) fn keep_origin(door: &Door, request: &RequestId, thread: Option<i64>, message: i64) -> Write {
    let value = format!("{}:{}:{message}", door.seat.chat_id, thread.unwrap_or_default());
    Write::Keep { name: origin_name(request), value }
}

/// The topic and the message in which a request was written, in this chat.
pub(super) async fn origin(door: &Door, request: &Request) -> Result<Option<(Option<i64>, i64)>, ServiceError> {
    let kept = door.service.store.kept(&origin_name(&request.id)).await?.unwrap_or_default();
    let numbers: Vec<i64> = kept.split(':').filter_map(|number| number.parse().ok()).collect();
    Ok(match numbers.as_slice() {
        [chat, thread, message] if *chat == door.seat.chat_id => Some(((*thread != 0).then_some(*thread), *message)),
        _ => None,
    })
}

/// Stores the text in the thread, together with *this update was handled*.
pub(in crate::telegram) async fn handle(door: &Door, update: i64, written: &Text, of: &Request) -> Result<(), ServiceError> {
    if texts::is_blank(&written.text) || (written.edited && request::is_counted(door, written).await?) {
        return handler::done(door, update).await;
    }
    let at = &written.at;
    let draft = ReplyDraft {
        title: None,
        text: written.text.clone(),
        publication_id: Some(format!("telegram:{update}:{}:{}", door.seat.chat_id, at.message_id.unwrap_or_default())),
    };
    let mut stored = vec![Write::Handled { update }];
    stored.extend(text::remember(door, written));
    if written.has_media {
        stored.extend(written.album.as_deref().map(text::told_of_album));
        stored.push(say(door, update, at, replies::only_the_caption()));
    }
    let also = |reply: &Reply| [stored.clone(), leaves(door, written, of, reply)].concat();
    let actor = Actor { by: By::telegram(at.user), token: None };
    match door.service.reply(&actor, &of.id, &draft, &also).await {
        Ok(Replied { is_new: true, .. }) => {}
        Ok(Replied { is_new: false, .. }) => return handler::done(door, update).await,
        // The thread has no room for more of the owner's: it is kept as a request.
        Err(ServiceError::Capacity(_)) => return request::store(door, update, written, None).await,
        Err(error) => return Err(error),
    }
    door.service.outbox.notify_one();
    door.service.outlet.ring();
    Ok(())
}

/// What goes out with an owner's message in a thread: its event, where one leaves; 👀 follows it, or comes at once where none does.
pub(super) fn leaves(door: &Door, written: &Text, of: &Request, reply: &Reply) -> Vec<Write> {
    let at = &written.at;
    let place = hub::Place { chat: door.seat.chat_id, topic: at.thread, message: at.message_id };
    let event = door.service.leaving_further(of, reply, Some(place));
    let mut writes = Vec::new();
    if let Some(message) = at.message_id {
        writes.push(request::counted(door, message, reply.id.as_str()));
        if event.is_none() {
            let see = JobKind::See { chat: door.seat.chat_id, message };
            writes.push(Write::AddJob(effects::job_about_none(format!("{}-see", reply.id), see)));
        }
    }
    writes.extend(event);
    writes
}

/// A reply to what stands in the topic of a request.
pub(in crate::telegram) fn say(door: &Door, update: i64, at: &Place, text: String) -> Write {
    let said = JobKind::Say { chat: door.seat.chat_id, thread: at.thread, to: at.message_id, text };
    Write::AddJob(effects::job_about_none(format!("thread-update-{update}-{}", door.seat.chat_id), said))
}

fn topic_name(key: &str) -> String {
    format!("thread-of:{key}")
}

fn origin_name(request: &RequestId) -> String {
    format!("written:{request}")
}
