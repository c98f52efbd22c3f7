//! Threads: requests and replies once each, within what somebody may have; what is put to an agent, and what is about something.

use pager_questions::{By, Incarnation, Party, Reply, ReplyId, ReplyKind, Request, RequestId, Time, Via};

use super::samples::{agent, create, id, record, time};
use crate::store::{RequestListing, Store, StoreError, Write};

fn request(name: &str, from: By, at: i64, tags: &[&str]) -> Request {
    Request {
        id: RequestId::parse(name).unwrap(),
        from,
        title: format!("Build {name} \u{202e}ü"),
        text: "In Rust, please.".to_owned(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        deadline: None,
        issue: None,
        about: None,
        at: time(at),
    }
}

fn by(name: &str) -> By {
    By::agent(name, Via::Http)
}

fn make(request: &Request, most: u32) -> Vec<Write> {
    vec![Write::MakeRequest { request: Box::new(request.clone()), origin: format!("o:{}", request.id), most }]
}

fn reply(number: u8, request: &Request, kind: ReplyKind, author: By) -> Reply {
    Reply {
        id: ReplyId::of(&Incarnation::from_random([number; 8])),
        request: request.id.clone(),
        kind,
        author,
        title: Some("Built".to_owned()),
        text: "It is there.".to_owned(),
        offer: None,
        at: time(500),
    }
}

fn add(reply: &Reply, origin: &str, most: u32) -> Vec<Write> {
    vec![Write::AddReply { reply: Box::new(reply.clone()), origin: origin.to_owned(), most }]
}

async fn titles(store: &dyn Store, listing: RequestListing) -> Vec<String> {
    let found = store.requests(&RequestListing { limit: 9, ..listing }).await.unwrap();
    found.into_iter().map(|listed| listed.request.id.to_string()).collect()
}

pub async fn a_request_takes_an_id_that_no_question_has_and_keeps_it(store: &dyn Store) {
    let parser = request("parser", by("asker"), 10, &[]);
    store.commit(make(&parser, 0)).await.unwrap();
    assert!(matches!(store.commit(make(&parser, 0)).await, Err(StoreError::Conflict)));
    assert!(matches!(store.commit(vec![create(&record("parser", |_| {}))]).await, Err(StoreError::Conflict)));
    store.commit(vec![create(&record("question", |_| {}))]).await.unwrap();
    assert!(matches!(store.commit(make(&request("question", by("asker"), 10, &[]), 0)).await, Err(StoreError::Conflict)));
    assert_eq!(store.request_from("o:parser").await.unwrap(), Some(parser));
    assert_eq!(store.request_from("o:question").await.unwrap(), None);
}

pub async fn whoever_asks_too_much_has_no_room_until_something_is_answered_or_over(store: &dyn Store) {
    let first = request("one", by("asker"), 10, &[]);
    store.commit(make(&first, 2)).await.unwrap();
    store.commit(make(&request("two", by("asker"), 11, &[]), 2)).await.unwrap();
    let third = request("three", by("asker"), 12, &[]);
    assert!(matches!(store.commit(make(&third, 2)).await, Err(StoreError::Full(full)) if full.records == 2));
    store.commit(make(&request("other", by("else"), 12, &[]), 2)).await.unwrap();
    store.commit(add(&reply(1, &first, ReplyKind::Answer, by("builder")), "a", 0)).await.unwrap();
    store.commit(make(&third, 2)).await.unwrap();
    let days = 3 * 24 * 3600 * 1000;
    store.commit(make(&request("four", by("asker"), 12 + days, &[]), 2)).await.unwrap();
}

pub async fn a_reply_is_stored_once_for_its_origin_and_within_the_room_of_whoever_writes(store: &dyn Store) {
    let parser = request("parser", by("asker"), 10, &[]);
    store.commit(make(&parser, 0)).await.unwrap();
    let (first, second) =
        (reply(1, &parser, ReplyKind::Answer, by("builder")), reply(2, &parser, ReplyKind::Answer, by("builder")));
    store.commit(add(&first, "a", 1)).await.unwrap();
    assert!(matches!(store.commit(add(&second, "a", 0)).await, Err(StoreError::Conflict)));
    assert!(matches!(store.commit(add(&second, "b", 1)).await, Err(StoreError::Full(_))));
    let message = reply(3, &parser, ReplyKind::Message, by("asker"));
    store.commit(add(&message, "c", 1)).await.unwrap();
    assert_eq!(store.replies(&parser.id).await.unwrap(), [first.clone(), message]);
    assert_eq!(store.answers(&parser.id).await.unwrap(), 1);
    assert_eq!(store.reply(&first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.reply_from("a").await.unwrap(), Some(first));
}

pub async fn requests_are_found_by_their_side_their_tag_and_whether_they_are_answered(store: &dyn Store) {
    let (owner, asker) = (By::telegram(7), by("asker"));
    let parser = request("parser", asker.clone(), 10, &["cap:rust", "cap:parsing"]);
    for request in [&parser, &request("docs", asker, 20, &["cap:rust-docs"]), &request("chat", owner, 30, &[])] {
        store.commit(make(request, 0)).await.unwrap();
    }
    let party = Party::Agent(agent("asker"));
    let of = |party: &Party| RequestListing { party: Some(party.clone()), ..RequestListing::default() };
    assert_eq!(titles(store, of(&party)).await, ["docs", "parser"]);
    assert_eq!(titles(store, of(&Party::Owner)).await, ["chat"]);
    let tagged = |tag: &str| RequestListing { tag: Some(tag.to_owned()), ..RequestListing::default() };
    assert_eq!(titles(store, tagged("cap:rust")).await, ["parser"]);
    store.commit(add(&reply(1, &parser, ReplyKind::Message, by("asker")), "a", 0)).await.unwrap();
    let answered = |is| RequestListing { answered: Some(is), ..RequestListing::default() };
    assert_eq!(titles(store, answered(true)).await, Vec::<String>::new(), "its author's further words are no answer");
    store.commit(add(&reply(2, &parser, ReplyKind::Answer, by("builder")), "b", 0)).await.unwrap();
    assert_eq!((titles(store, answered(true)).await, titles(store, answered(false)).await.len()), (vec!["parser".to_owned()], 2));
    let unanswered = |since| async move { store.unanswered_requests(None, time(since), 9).await.unwrap().len() };
    assert_eq!((unanswered(0).await, unanswered(20).await), (2, 1));
    assert_eq!(store.unanswered_requests(Some(&party), Time::from_millis(0), 9).await.unwrap()[0].id.as_str(), "docs");
}

pub async fn what_is_put_to_an_agent_is_not_among_what_waits_for_the_owner(store: &dyn Store) {
    let thread = RequestId::parse("parser").unwrap().thread();
    let offer = record("offer", |question| {
        question.about = Some(thread.clone());
        question.put_to = Some(agent("asker"));
    });
    let linked = record("linked", |question| question.about = Some(thread.clone()));
    store.commit(vec![create(&offer), create(&linked), create(&record("plain", |_| {}))]).await.unwrap();
    let open = store.open(9, None).await.unwrap();
    let open: Vec<&str> = open.iter().map(|listed| listed.record.question.id.as_str()).collect();
    assert_eq!((open, store.count_open().await.unwrap()), (vec!["linked", "plain"], 2));
    assert_eq!(store.put_to(&agent("asker"), 9).await.unwrap(), std::slice::from_ref(&offer));
    assert_eq!(store.put_to(&agent("deploy"), 9).await.unwrap(), []);
    assert_eq!(store.about(&thread).await.unwrap(), [offer.clone(), linked.clone()]);
    let other = RequestId::parse("docs").unwrap().thread();
    assert_eq!(store.about_any(&[other.clone(), thread]).await.unwrap(), [offer, linked]);
    assert_eq!((store.about_any(&[other]).await.unwrap(), store.about_any(&[]).await.unwrap()), (vec![], vec![]));
    let opened = store.opened_by(&agent("deploy"), time(0), 9).await.unwrap();
    assert_eq!(opened.iter().map(|record| &record.question.id).collect::<Vec<_>>(), [&id("plain")]);
    assert_eq!(store.opened_by(&agent("deploy"), time(1000), 9).await.unwrap(), []);
}
