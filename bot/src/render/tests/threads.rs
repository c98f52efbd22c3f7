//! Requests and replies as they look.

use pager_questions::{By, Reply, ReplyId, ReplyKind, Request, RequestDraft, RequestId, Unanswered, Via};
use teloxide::types::MessageEntity;

use super::*;
use crate::render::builder::units;
use crate::render::{replies, thread};

fn request(body: Value) -> Request {
    let draft = RequestDraft::read(body).unwrap();
    draft.ask(RequestId::parse("parser").unwrap(), By::agent("builder", Via::Http), Time::parse("2026-11-30T13:22:15Z").unwrap())
}

fn parser() -> Request {
    request(json!({
        "title": "Build\u{202e} this", "text": "In *Rust*,\nplease.", "tags": ["cap:rust", "cap:go"],
        "issue": {"tracker": "github", "key": "#7", "url": "https://github.com/o/r/issues/7"},
    }))
}

fn answer(text: &str) -> Reply {
    Reply {
        id: ReplyId::of(&Incarnation::parse("9f3c2a715be04d18").unwrap()),
        request: RequestId::parse("parser").unwrap(),
        kind: ReplyKind::Answer,
        author: By::agent("helper", Via::Http),
        title: Some("Half of it, <b>untested</b>".to_owned()),
        text: text.to_owned(),
        offer: None,
        at: Time::parse("2026-11-30T13:25:03Z").unwrap(),
    }
}

#[test]
fn a_request_shows_its_title_text_tags_issue_and_who_asks() {
    insta::assert_snapshot!(thread::request(&parser(), &zone()).text, @r"
    Build\u{202e} this

    In *Rust*,
    please.

    For cap:rust, cap:go
    Issue github #7
    Asked by builder
    30 Nov 2026, 14:22
    ");
}

#[test]
fn an_owner_s_text_has_no_title_above_it() {
    let number = Incarnation::parse("9f3c2a715be04d18").unwrap();
    let text = format!("{}\nIn Rust.", "long ".repeat(60));
    let request = Request::of_words(&number, By::telegram(4242), &text, None, Time::from_millis(0)).unwrap();
    let shown = thread::request(&request, &zone()).text;
    assert!(shown.starts_with("long long") && shown.matches("long").count() == 60, "{shown}");
}

#[test]
fn a_reply_shows_its_title_text_and_author_and_outside_a_topic_its_request() {
    let reply = answer("zero\u{200b}width `c`");
    let (inside, outside) = (thread::reply(&reply, None, &zone()), thread::reply(&reply, Some(&parser()), &zone()));
    assert!(
        inside.text.starts_with("Half of it, <b>untested</b>\n\nzero\\u{200b}width `c`\n\nAnswered by helper\n"),
        "{}",
        inside.text
    );
    assert!(outside.text.starts_with("To ‘Build\\u{202e} this’ (parser)\n\nHalf of it"), "{}", outside.text);
    assert!(inside.documents.is_empty() && inside.keyboard.is_empty());
}

#[test]
fn whatever_is_written_fits_and_is_whole_in_a_document() {
    for text in ["👍".repeat(4096), "\u{202e}".repeat(4096), "ü\n".repeat(2048)] {
        let reply = answer(&text);
        for request in [None, Some(&parser())] {
            let message = thread::reply(&reply, request, &zone());
            assert!(units(&message.text) <= MOST_UNITS, "{}", units(&message.text));
            let end = |entity: &MessageEntity| entity.offset + entity.length;
            assert!(message.entities.iter().all(|entity| end(entity) <= units(&message.text)));
            let cut = message.text.contains("Too long for a message.");
            assert_eq!(cut, message.documents.len() == 1);
            for document in &message.documents {
                let whole = String::from_utf8(document.bytes.clone()).unwrap();
                assert!(whole.contains(pager_questions::text::reveal(&text).trim_end()));
            }
        }
    }
}

fn unanswered(notice: &str) -> Unanswered {
    let id = RequestId::parse("parser").unwrap().thread();
    Unanswered { id, title: String::new(), age_secs: 0, answers: 0, offers: 0, clarifies: Vec::new(), notice: notice.to_owned() }
}

#[test]
fn status_is_the_count_and_each_notice_and_nothing_else() {
    assert_eq!(replies::status(0, &[]), "Nothing waits for you, and nothing that you asked is unanswered.");
    assert_eq!(replies::status(2, &[]), "2 questions wait.");
    assert_eq!(replies::status(0, &[unanswered("your ask 'a': 0 answers")]), "your ask 'a': 0 answers");
    assert_eq!(replies::status(1, &[unanswered("a"), unanswered("b")]), "1 question waits.\n\na\n\nb");
    let many = vec![unanswered(&"👍".repeat(400)); 20];
    let told = replies::status(1, &many);
    assert!(units(&told) <= MOST_UNITS && told.ends_with("… and 15 more unanswered."), "{told}");
}
