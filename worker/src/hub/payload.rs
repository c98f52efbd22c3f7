//! What an event carries: one key, `pager`, with its fields below, in a size that GitHub takes.

use pager_questions::resume::resume_message;
use pager_questions::wake::late_pick_message;
use pager_questions::{Record, Reply, Request};
use serde_json::{Value, json};

use super::{LATE_PICK, PART};
use crate::service::{Service, late_pick_origin};
use crate::store::{Dispatch, DispatchKind, Stored};

/// GitHub refuses 65,536 characters.
const MOST_BYTES: usize = 60_000;
/// Stands at the end of a text that was cut.
const CUT: &str = "\n[… cut here by pagerd: too long for GitHub. The request has the whole text.]";

/// The `client_payload`; None when what it is about is gone.
pub(super) async fn of(service: &Service, dispatch: &Dispatch) -> Stored<Option<Value>> {
    let fields = match &dispatch.kind {
        DispatchKind::Text { request, reply: None, chat, topic, link, .. } => {
            service.store.request(request).await?.map(|request| text(&request, *chat, *topic, link.as_deref()))
        }
        DispatchKind::Text { request, reply: Some(reply), chat, topic, link, .. } => {
            let found = service.store.request(request).await?.zip(service.store.reply(reply).await?);
            found.map(|(request, reply)| further(text(&request, *chat, *topic, link.as_deref()), &reply))
        }
        DispatchKind::Answered { incarnation, reason } => {
            let record = service.store.record_of(incarnation).await?;
            let late = match (&record, reason.as_str()) {
                (Some(_), LATE_PICK) => service.store.reply_from(&late_pick_origin(incarnation)).await?,
                _ => None,
            };
            record.and_then(|record| answered(&record, late.as_ref(), reason, &dispatch.id))
        }
    };
    if fields.is_none() {
        let event = dispatch.kind.event_type();
        tracing::error!(event, id = dispatch.id, "what an event is about is gone; it is not sent");
        service.health.trouble(PART, format!("what an event {event} is about is gone"));
    }
    Ok(fields.map(|fields| whole(fields, dispatch)))
}

fn text(request: &Request, chat: Option<i64>, topic: Option<i64>, link: Option<&str>) -> Value {
    let mut fields = json!({"text": request.text, "request": request.id, "chat": chat, "message_link": link, "at": request.at});
    if let Some(topic) = topic {
        fields["topic"] = topic.into();
    }
    if let Some(about) = &request.about {
        fields["about"] = about.as_str().into();
    }
    fields
}

/// What was written further into the thread, in place of the request's own words.
fn further(mut fields: Value, reply: &Reply) -> Value {
    fields["text"] = reply.text.as_str().into();
    fields["at"] = json!(reply.at);
    fields["reply"] = reply.id.as_str().into();
    if let Some(offer) = &reply.offer {
        fields["about"] = offer.as_str().into();
    }
    fields
}

/// `late`: what was picked after the default held, where that is the reason.
fn answered(record: &Record, late: Option<&Reply>, reason: &str, delivery: &str) -> Option<Value> {
    let (id, incarnation) = (&record.question.id, &record.question.incarnation);
    let message = match late {
        Some(reply) => late_pick_message(&record.question, reply),
        None => resume_message(record)?,
    };
    Some(json!({"id": id, "incarnation": incarnation, "reason": reason, "delivery": delivery, "message": message}))
}

/// With what every event carries, in a size that is taken.
fn whole(mut fields: Value, dispatch: &Dispatch) -> Value {
    fields["event"] = dispatch.id.as_str().into();
    fields["sent_at"] = json!(dispatch.made_at);
    let payload = |fields: &Value| json!({"pager": fields});
    let size = |fields: &Value| payload(fields).to_string().len();
    if size(&fields) > MOST_BYTES && fields.get("message").is_some() {
        // Half a message would leave a fence open.
        let id = fields["id"].as_str().unwrap_or_default();
        let told = format!("The message is too long for GitHub. Read it: GET /v1/questions/{id}/resume\n");
        fields["message"] = told.into();
    }
    while size(&fields) > MOST_BYTES {
        let Some(text) = fields["text"].as_str().map(|text| text.strip_suffix(CUT).unwrap_or(text)) else { break };
        let kept: String = text.chars().take(text.chars().count() * 3 / 4).collect();
        fields["text"] = format!("{kept}{CUT}").into();
    }
    payload(&fields)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use pager_questions::{By, ReplyId, ReplyKind, RequestId};

    use super::*;
    use crate::store::conformance::samples::{record, time};

    fn dispatch() -> Dispatch {
        let kind = DispatchKind::Text {
            request: RequestId::parse("r-1").unwrap(),
            reply: None,
            chat: Some(1),
            topic: None,
            message: None,
            link: None,
        };
        Dispatch { id: "uuid".to_owned(), line: String::new(), kind, made_at: time(0), due_at: time(0), attempts: 0 }
    }

    #[test]
    fn everything_stands_below_one_key_with_the_event_and_its_time() {
        let payload = whole(json!({"text": "Hello"}), &dispatch());
        let expected = json!({"pager": {"text": "Hello", "event": "uuid", "sent_at": "1970-01-01T00:00:00.000Z"}});
        assert_eq!(payload, expected);
    }

    #[test]
    fn a_text_that_is_too_long_is_cut_where_everybody_sees_it() {
        for long in ["ü".repeat(100_000), "\u{1}".repeat(20_000)] {
            let payload = whole(json!({"text": long}), &dispatch());
            assert!(payload.to_string().len() <= MOST_BYTES);
            let text = payload["pager"]["text"].as_str().unwrap();
            let kept = text.strip_suffix(CUT).unwrap();
            assert!(long.starts_with(kept) && kept.len() > 5_000, "{}", kept.len());
        }
        let longest = "👩".repeat(4096);
        assert_eq!(whole(json!({"text": longest}), &dispatch())["pager"]["text"], longest, "what Telegram takes fits whole");
    }

    #[test]
    fn a_late_pick_says_what_was_picked_after_the_default_held() {
        let offer = record("offer", |question| question.default = question.options.first().map(|option| option.id.clone()));
        let reply = Reply {
            id: ReplyId::parse("y-00000000000000a1").unwrap(),
            request: RequestId::parse("r-1").unwrap(),
            kind: ReplyKind::LatePick,
            author: By::telegram(7),
            title: None,
            text: "No".to_owned(),
            offer: Some(offer.question.id.clone()),
            at: time(0),
        };
        let fields = answered(&offer, Some(&reply), "late_pick", "uuid").unwrap();
        let message = fields["message"].as_str().unwrap();
        assert_eq!(fields["reason"], "late_pick");
        assert!(message.starts_with("[pager offer LATE_PICK]\n"), "{message}");
        assert!(message.contains("What was picked afterwards:\n<task-data>\nNo\n</task-data>"), "{message}");
    }

    #[test]
    fn a_message_that_is_too_long_is_never_cut_inside_a_fence() {
        let payload = whole(json!({"id": "rel-1", "message": "x".repeat(70_000)}), &dispatch());
        assert_eq!(payload["pager"]["message"], "The message is too long for GitHub. Read it: GET /v1/questions/rel-1/resume\n");
    }
}
