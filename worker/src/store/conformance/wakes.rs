//! Wakes of agents that keep a runner: what happens to them is kept once, and one runner at a time has a wake.

use pager_questions::wake::Reason;
use pager_questions::{By, Incarnation, Reply, ReplyId, ReplyKind, Request, RequestId, Via, WakeId};

use super::samples::{agent, change, claimed, create, incarnation, record, saved, time};
use crate::store::{CauseKind, Limits, OfInterest, Runner, Store, StoreError, StoredWake, WakeState, Write};

const MONTH: i64 = 30 * 24 * 3600 * 1000;

fn register(name: &str, since: i64) -> Vec<Write> {
    vec![Write::RegisterRunner(Runner { agent: agent(name), since: time(since) })]
}

async fn causes(store: &dyn Store, name: &str) -> Vec<(CauseKind, String, i64)> {
    let found = store.wake_causes(&agent(name), time(0), 9).await.unwrap();
    found.into_iter().map(|cause| (cause.kind, cause.subject, cause.at.as_millis())).collect()
}

/// A record of `deploy` that ended by an answer of this moment, and was saved at 3000.
async fn ended(store: &dyn Store, name: &str, at: i64) {
    let asked = record(name, |_| {});
    let answering = claimed(&asked, "Go", at);
    let done = saved(&answering);
    store.commit(vec![create(&asked), change(&answering, 1)]).await.unwrap();
    store.commit(vec![change(&done, 2)]).await.unwrap();
}

/// A record of `deploy` that ended by its deadline, and was saved at 3000.
async fn due(store: &dyn Store, name: &str) {
    let due = record(name, |question| {
        question.deadline = Some(time(2000));
        question.default = question.options.first().map(|option| option.id.clone());
    });
    let answering = pager_questions::apply(&due, pager_questions::Event::Due, time(2000)).unwrap().0;
    store.commit(vec![create(&due), change(&answering, 1)]).await.unwrap();
    store.commit(vec![change(&saved(&answering), 2)]).await.unwrap();
}

fn wake(id: WakeId) -> StoredWake {
    let agent = agent("deploy");
    StoredWake { agent, id, author: None, at: time(9), state: WakeState::Waiting, mark: None, lease_until: None, times: 0 }
}

fn marked(wake: &StoredWake, mark: &str) -> Write {
    let next = StoredWake { mark: Some(mark.to_owned()), lease_until: Some(time(50)), times: wake.times + 1, ..wake.clone() };
    Write::ChangeWake { wake: Box::new(next), from: wake.mark.clone() }
}

fn request(name: &str, from: &str, at: i64, tags: &[&str]) -> Request {
    Request {
        id: RequestId::parse(name).unwrap(),
        from: By::agent(from, Via::Http),
        title: name.to_owned(),
        text: "Please.".to_owned(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        deadline: None,
        issue: None,
        about: None,
        at: time(at),
    }
}

fn make(request: &Request) -> Write {
    Write::MakeRequest { request: Box::new(request.clone()), origin: format!("o:{}", request.id), most: 0 }
}

fn reply(number: u8, request: &Request, kind: ReplyKind, from: &str, offer: Option<&str>) -> Reply {
    Reply {
        id: ReplyId::of(&Incarnation::from_random([number; 8])),
        request: request.id.clone(),
        kind,
        author: By::agent(from, Via::Http),
        title: None,
        text: "There.".to_owned(),
        offer: offer.map(super::samples::id),
        at: time(700),
    }
}

fn add(reply: &Reply) -> Vec<Write> {
    vec![Write::AddReply { reply: Box::new(reply.clone()), origin: reply.id.to_string(), most: 0 }]
}

pub async fn what_happens_to_an_agent_is_kept_from_its_registration_on_and_once(store: &dyn Store) {
    ended(store, "before", 10).await;
    ended(store, "since", 30).await;
    store.commit(register("deploy", 20)).await.unwrap();
    store.commit(register("deploy", 0)).await.unwrap();
    assert_eq!(store.runner(&agent("deploy")).await.unwrap().map(|runner| runner.since), Some(time(20)));
    let name = |id: &str| incarnation(id).to_string();
    let since = (CauseKind::Ended, name("since"), 30);
    assert_eq!(causes(store, "deploy").await, std::slice::from_ref(&since));
    // An answer that waited for its save counts from when it was stored.
    ended(store, "late", 5).await;
    assert_eq!(causes(store, "deploy").await, [since, (CauseKind::Ended, name("late"), 3000)]);
    let last = store.wake_causes(&agent("deploy"), time(0), 9).await.unwrap()[0].number;
    store.commit(vec![Write::SettleCauses { agent: agent("deploy"), since: time(0), up_to: last }]).await.unwrap();
    assert_eq!(causes(store, "deploy").await, [(CauseKind::Ended, name("late"), 3000)]);
    assert_eq!(causes(store, "asker").await, []);
}

pub async fn a_deadline_that_passed_within_a_month_before_the_registration_is_kept(store: &dyn Store) {
    due(store, "due").await;
    ended(store, "answered", 2500).await;
    store.commit(register("deploy", 1999 + MONTH)).await.unwrap();
    assert_eq!(causes(store, "deploy").await, [(CauseKind::Ended, incarnation("due").to_string(), 2000)]);
}

pub async fn a_deadline_that_passed_longer_before_the_registration_is_left_alone(store: &dyn Store) {
    due(store, "due").await;
    store.commit(register("deploy", 2000 + MONTH)).await.unwrap();
    assert_eq!(causes(store, "deploy").await, []);
}

pub async fn replies_late_picks_and_what_is_put_to_an_agent_are_kept_for_whom_they_concern(store: &dyn Store) {
    let parser = request("parser", "asker", 10, &[]);
    let put = |name: &str| {
        record(name, |question| {
            question.about = Some(parser.id.thread());
            question.put_to = Some(agent("asker"));
        })
    };
    store.commit(vec![make(&parser), create(&put("early"))]).await.unwrap();
    store.commit(add(&reply(1, &parser, ReplyKind::Answer, "other", None))).await.unwrap();
    for name in ["asker", "deploy"] {
        store.commit(register(name, 0)).await.unwrap();
    }
    store.commit(vec![create(&put("offer"))]).await.unwrap();
    store.commit(add(&reply(2, &parser, ReplyKind::Message, "asker", None))).await.unwrap();
    store.commit(add(&reply(3, &parser, ReplyKind::Answer, "deploy", None))).await.unwrap();
    store.commit(add(&reply(4, &parser, ReplyKind::LatePick, "asker", Some("offer")))).await.unwrap();
    let key = |number: u8| ReplyId::of(&Incarnation::from_random([number; 8])).to_string();
    let of_asker: Vec<_> = causes(store, "asker").await.into_iter().map(|(kind, subject, _)| (kind, subject)).collect();
    let name = |id: &str| incarnation(id).to_string();
    assert_eq!(
        of_asker,
        [
            (CauseKind::Reply, key(1)),
            (CauseKind::Awaiting, name("early")),
            (CauseKind::Awaiting, name("offer")),
            (CauseKind::Reply, key(3))
        ]
    );
    assert_eq!(causes(store, "deploy").await, [(CauseKind::LatePick, name("offer"), 700)]);
}

pub async fn a_wake_is_changed_by_whoever_has_its_mark_alone(store: &dyn Store) {
    let id = WakeId::of_awaiting(&incarnation("a"));
    let listed = wake(id.clone());
    store.commit(vec![Write::AddWake(Box::new(listed.clone()))]).await.unwrap();
    store.commit(vec![Write::AddWake(Box::new(StoredWake { author: Some("x".to_owned()), ..listed.clone() }))]).await.unwrap();
    assert_eq!(store.waiting_wakes(&agent("deploy"), 9).await.unwrap(), std::slice::from_ref(&listed));
    let (one, other) = tokio::join!(store.commit(vec![marked(&listed, "m-1")]), store.commit(vec![marked(&listed, "m-2")]));
    assert!(matches!((&one, &other), (Ok(()), Err(StoreError::Conflict)) | (Err(StoreError::Conflict), Ok(()))));
    let stored = store.wake(&agent("deploy"), &id).await.unwrap().unwrap();
    assert_eq!((stored.times, stored.lease_until), (1, Some(time(50))));
    assert_eq!(store.wake(&agent("asker"), &id).await.unwrap(), None);
    store.commit(vec![Write::AcknowledgeWake(Box::new(stored.clone()))]).await.unwrap();
    assert!(matches!(store.commit(vec![marked(&stored, "m-3")]).await, Err(StoreError::Conflict)));
    // One that was acknowledged before it was listed is never listed.
    let unlisted = wake(WakeId::of_late_pick(&incarnation("a")));
    store.commit(vec![Write::AcknowledgeWake(Box::new(unlisted.clone())), Write::AddWake(Box::new(unlisted))]).await.unwrap();
    assert_eq!(store.waiting_wakes(&agent("deploy"), 9).await.unwrap(), []);
}

pub async fn requests_of_interest_are_others_that_nobody_answered_and_the_agent_left_alone(store: &dyn Store) {
    let requests = [
        request("old", "asker", 5, &[]),
        request("plain", "asker", 20, &[]),
        request("rust", "asker", 30, &["cap:rust", "cap:x"]),
        request("go", "asker", 40, &["cap:go"]),
        request("own", "deploy", 50, &[]),
        request("answered", "asker", 60, &[]),
        request("offered", "asker", 70, &[]),
        request("written", "asker", 80, &[]),
        request("woken", "asker", 90, &[]),
        request("new", "asker", 200, &[]),
    ];
    store.commit(requests.iter().map(make).collect()).await.unwrap();
    store.commit(add(&reply(1, &requests[5], ReplyKind::Answer, "other", None))).await.unwrap();
    store.commit(vec![create(&record("o", |question| question.about = Some(requests[6].id.thread())))]).await.unwrap();
    store.commit(add(&reply(2, &requests[7], ReplyKind::Message, "deploy", None))).await.unwrap();
    store.commit(vec![Write::AddWake(Box::new(wake(WakeId::of_request(&requests[8].id))))]).await.unwrap();
    let found = async |skills: &[&str], reason, limit| {
        let skills: Vec<String> = skills.iter().map(|tag| (*tag).to_owned()).collect();
        let wanted =
            OfInterest { agent: agent("deploy"), skills: skills.clone(), since: time(5), until: time(100), reason, limit };
        let found = store.requests_of_interest(&wanted).await.unwrap();
        assert!(found.iter().all(|request| request.is_of_interest(&skills)), "the store and the rule agree");
        found.into_iter().map(|request| request.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[], Reason::Request, 9).await, ["plain", "rust", "go"]);
    assert_eq!(found(&["cap:rust"], Reason::Request, 9).await, ["plain", "rust"]);
    assert_eq!(found(&["cap:c"], Reason::Older, 9).await, ["plain", "woken"]);
    assert_eq!(found(&[], Reason::Request, 2).await, ["plain", "rust"]);
    for (request, is) in [(1, true), (5, false), (6, false), (7, false), (8, true)] {
        assert_eq!(store.is_still_of_interest(&agent("deploy"), &requests[request].id).await.unwrap(), is, "{request}");
    }
}

pub async fn of_too_many_wakes_the_agents_own_come_first_and_no_author_hides_another(store: &dyn Store) {
    let listed = |name: &str, author: Option<&str>, at: i64| {
        let id = WakeId::of_awaiting(&incarnation(name));
        Write::AddWake(Box::new(StoredWake { author: author.map(str::to_owned), at: time(at), ..wake(id) }))
    };
    let mut writes: Vec<Write> =
        (0..5).map(|number| listed(&format!("noisy-{number}"), Some("noisy"), 10 + i64::from(number))).collect();
    writes.extend([listed("other", Some("other"), 30), listed("own", None, 40), listed("last", None, 20)]);
    store.commit(writes).await.unwrap();
    let found = async |limit| {
        let found = store.waiting_wakes(&agent("deploy"), limit).await.unwrap();
        found.into_iter().map(|wake| (wake.author, wake.at.as_millis())).collect::<Vec<_>>()
    };
    let noisy = |at| (Some("noisy".to_owned()), at);
    let (other, own) = ((Some("other".to_owned()), 30), [(None, 20), (None, 40)]);
    assert_eq!(found(2).await, own.clone());
    assert_eq!(found(4).await, [noisy(10), own[0].clone(), other.clone(), own[1].clone()], "and the oldest first of those");
    assert_eq!(found(5).await, [noisy(10), noisy(11), own[0].clone(), other, own[1].clone()]);
    assert_eq!(found(9).await.len(), 8);
}

pub async fn what_is_too_old_for_one_runner_stays_for_another(store: &dyn Store) {
    store.commit(register("deploy", 0)).await.unwrap();
    ended(store, "answered", 10).await;
    due(store, "due").await;
    let of = async |since| -> Vec<String> {
        let found = store.wake_causes(&agent("deploy"), time(since), 9).await.unwrap();
        found.into_iter().map(|cause| cause.subject).collect()
    };
    let name = |id: &str| incarnation(id).to_string();
    assert_eq!(of(3000).await, [name("due")], "a deadline counts however old it is");
    assert_eq!(of(2999).await, [name("answered"), name("due")]);
    store.commit(vec![Write::SettleCauses { agent: agent("deploy"), since: time(3000), up_to: i64::MAX }]).await.unwrap();
    assert_eq!((of(3000).await, of(2999).await), (vec![], vec![name("answered")]));
}

pub async fn a_record_that_is_still_to_be_woken_for_is_kept_for_so_long(store: &dyn Store) {
    store.commit(register("deploy", 0)).await.unwrap();
    due(store, "due").await;
    ended(store, "answered", 2100).await;
    let limits = Limits { records: 1, ..Limits::NONE };
    let newer = Box::new(record("newer", |_| {}));
    store.commit(vec![Write::Create { record: newer, fingerprint: String::new(), is_unnamed: false, limits }]).await.unwrap();
    let forgettable = async |woken_since| store.forgettable(time(9000), time(woken_since), 9).await.unwrap();
    let (due, answered) = (incarnation("due"), incarnation("answered"));
    let both = [due.clone(), answered.clone()];
    assert_eq!(forgettable(2000).await, []);
    assert_eq!(forgettable(2001).await, std::slice::from_ref(&due), "what ended before is forgotten all the same");
    assert_eq!(forgettable(2101).await, both);
    store.commit(vec![Write::SettleCauses { agent: agent("deploy"), since: time(0), up_to: i64::MAX }]).await.unwrap();
    assert_eq!(forgettable(0).await, both);
    let listed = Box::new(wake(WakeId::parse(&format!("{due}.deadline")).unwrap()));
    store.commit(vec![Write::AddWake(listed.clone())]).await.unwrap();
    assert_eq!(forgettable(0).await, [answered]);
    store.commit(vec![Write::AcknowledgeWake(listed)]).await.unwrap();
    assert_eq!(forgettable(0).await, both);
}

pub async fn old_wakes_that_are_over_are_forgotten_and_a_passed_deadline_is_not(store: &dyn Store) {
    store.commit(register("deploy", 0)).await.unwrap();
    ended(store, "answered", 10).await;
    due(store, "due").await;
    let (over, waiting) = (wake(WakeId::of_awaiting(&incarnation("a"))), wake(WakeId::of_awaiting(&incarnation("b"))));
    store.commit(vec![Write::AcknowledgeWake(Box::new(over.clone())), Write::AddWake(Box::new(waiting.clone()))]).await.unwrap();
    store.commit(vec![Write::ForgetWakes { wakes_before: time(10), causes_before: time(9000) }]).await.unwrap();
    assert_eq!(store.wake(&agent("deploy"), &over.id).await.unwrap(), None);
    assert_eq!(store.waiting_wakes(&agent("deploy"), 9).await.unwrap(), [waiting]);
    assert_eq!(causes(store, "deploy").await, [(CauseKind::Ended, incarnation("due").to_string(), 3000)]);
}
