//! Requests that are forgotten with their threads: only old ones, about which nothing is open or to be done.

use pager_questions::{By, Incarnation, Record, Reply, ReplyId, ReplyKind, Request, RequestId, Via, WakeId};

use super::samples::{agent, change, create, id, incarnation, job, record, time, withdrawn};
use crate::store::{
    Dispatch, DispatchKind, Job, JobKind, OldRequests, Place, Runner, Store, StoreError, StoredWake, WakeState, Write,
};

/// From when on something is old here.
fn age() -> OldRequests {
    OldRequests { quiet_since: time(5000), made_before: time(3000), woken_since: time(0) }
}

fn request(name: &str, at: i64) -> Request {
    Request {
        id: RequestId::parse(name).unwrap(),
        from: By::agent("asker", Via::Http),
        title: "Build it".to_owned(),
        text: "In Rust.".to_owned(),
        tags: Vec::new(),
        deadline: None,
        issue: None,
        about: None,
        at: time(at),
    }
}

fn reply(number: u8, name: &str, kind: ReplyKind, at: i64) -> Reply {
    Reply {
        id: ReplyId::of(&Incarnation::from_random([number; 8])),
        request: RequestId::parse(name).unwrap(),
        kind,
        author: By::agent("builder", Via::Http),
        title: None,
        text: "Built".to_owned(),
        offer: None,
        at: time(at),
    }
}

fn make(name: &str, at: i64) -> Write {
    Write::MakeRequest { request: Box::new(request(name, at)), origin: format!("o:{name}"), most: 0 }
}

fn add(reply: &Reply) -> Write {
    Write::AddReply { reply: Box::new(reply.clone()), origin: format!("o:{}", reply.id), most: 0 }
}

/// A question about it; `samples::withdrawn` ends one at 2000.
fn about(name: &str, request: &str) -> Record {
    let thread = RequestId::parse(request).unwrap().thread();
    record(name, |question| question.about = Some(thread))
}

async fn old(store: &dyn Store, old: OldRequests) -> Vec<String> {
    let found = store.forgettable_requests(old, 9).await.unwrap();
    found.iter().map(ToString::to_string).collect()
}

pub async fn only_a_request_that_is_answered_or_over_and_quiet_since_is_old(store: &dyn Store) {
    let answer = |number, name, at| add(&reply(number, name, ReplyKind::Answer, at));
    let message = |number, name, at| add(&reply(number, name, ReplyKind::Message, at));
    store
        .commit(vec![
            make("over", 2999),
            make("unanswered", 3000),
            make("answered", 4000),
            make("young", 5000),
            make("late", 1000),
        ])
        .await
        .unwrap();
    let replies = [answer(1, "answered", 4999), answer(2, "late", 1001), message(3, "late", 5000), message(4, "over", 3000)];
    store.commit(replies.to_vec()).await.unwrap();
    assert_eq!(old(store, age()).await, ["over", "answered"]);
    let later = OldRequests { quiet_since: time(5001), ..age() };
    assert_eq!(old(store, later).await, ["late", "over", "answered"], "the last word counts, not the first");
    assert_eq!(old(store, OldRequests { made_before: time(3001), ..age() }).await, ["over", "unanswered", "answered"]);
}

pub async fn a_request_about_which_something_is_open_or_ended_since_is_not_old(store: &dyn Store) {
    store.commit(vec![make("r", 10), make("other", 20), create(&about("offer", "r"))]).await.unwrap();
    assert_eq!(old(store, age()).await, ["other"]);
    store.commit(vec![change(&withdrawn(&about("offer", "r")), 1)]).await.unwrap();
    assert_eq!(old(store, OldRequests { quiet_since: time(2000), ..age() }).await, ["other"]);
    assert_eq!(old(store, OldRequests { quiet_since: time(2001), ..age() }).await, ["r", "other"]);
}

pub async fn a_request_stays_while_something_is_still_done_about_its_thread(store: &dyn Store) {
    let answer = reply(1, "r", ReplyKind::Answer, 20);
    store.commit(vec![make("r", 10), add(&answer), create(&about("offer", "r"))]).await.unwrap();
    store.commit(vec![change(&withdrawn(&about("offer", "r")), 1)]).await.unwrap();
    let id = request("r", 10).id;
    let show = Job {
        incarnation: Some(id.key()),
        kind: JobKind::ShowReply { request: id.clone(), reply: answer.id.clone() },
        ..job("show", 1, 0)
    };
    let text = DispatchKind::Text { request: id, reply: None, chat: None, topic: None, message: None, link: None };
    let late = DispatchKind::Answered { incarnation: incarnation("offer"), reason: "late_pick".to_owned() };
    let dispatch =
        |kind| Dispatch { id: "d".to_owned(), line: "d".to_owned(), kind, made_at: time(0), due_at: time(0), attempts: 0 };
    let sent = Write::FinishDispatch { id: "d".to_owned() };
    for (begun, done) in [
        (Write::AddJob(show), Write::FinishJob { job: "show".to_owned() }),
        (Write::AddDispatch(dispatch(text)), sent.clone()),
        (Write::AddDispatch(dispatch(late)), sent),
    ] {
        store.commit(vec![begun]).await.unwrap();
        assert_eq!(old(store, age()).await, [""; 0], "{done:?}");
        store.commit(vec![done]).await.unwrap();
        assert_eq!(old(store, age()).await, ["r"]);
    }
}

pub async fn a_request_outlasts_what_its_author_or_a_helper_is_still_to_be_woken_for(store: &dyn Store) {
    let register = |name| Write::RegisterRunner(Runner { agent: agent(name), since: time(0) });
    store.commit(vec![register("asker"), register("deploy"), make("r", 10), make("s", 20)]).await.unwrap();
    let answer = reply(1, "r", ReplyKind::Answer, 30);
    store.commit(vec![add(&answer), create(&about("offer", "s"))]).await.unwrap();
    store.commit(vec![change(&withdrawn(&about("offer", "s")), 1)]).await.unwrap();
    assert_eq!(old(store, age()).await, [""; 0]);
    assert_eq!(old(store, OldRequests { woken_since: time(31), ..age() }).await, ["r"], "not for longer than so");
    for name in ["asker", "deploy"] {
        store.commit(vec![Write::SettleCauses { agent: agent(name), since: time(0), up_to: i64::MAX }]).await.unwrap();
    }
    assert_eq!(old(store, age()).await, ["r", "s"]);
    let listed = |name: &str, id| {
        let (agent, state) = (agent(name), WakeState::Waiting);
        Box::new(StoredWake { agent, id, author: None, at: time(30), state, mark: None, lease_until: None, times: 0 })
    };
    let offer = WakeId::parse(&format!("{}.late_pick", incarnation("offer"))).unwrap();
    let wakes = [listed("asker", WakeId::of_reply(&answer.id)), listed("deploy", offer)];
    store.commit(wakes.iter().cloned().map(Write::AddWake).collect()).await.unwrap();
    assert_eq!(old(store, age()).await, [""; 0]);
    store.commit(wakes.iter().cloned().map(Write::AcknowledgeWake).collect()).await.unwrap();
    assert_eq!(old(store, age()).await, ["r", "s"]);
    // A helper that never came to the request itself holds up nothing.
    store.commit(vec![Write::AddWake(listed("deploy", WakeId::of_request(&request("s", 20).id)))]).await.unwrap();
    assert_eq!(old(store, age()).await, ["r", "s"]);
}

pub async fn a_forgotten_request_is_gone_with_its_thread_and_its_id_stays_used(store: &dyn Store) {
    let register = |name| Write::RegisterRunner(Runner { agent: agent(name), since: time(0) });
    store.commit(vec![register("deploy"), make("r", 10), make("s", 10)]).await.unwrap();
    let (answer, other) = (reply(1, "r", ReplyKind::Answer, 20), reply(2, "s", ReplyKind::Answer, 20));
    store.commit(vec![add(&answer), add(&other)]).await.unwrap();
    let [r, s] = ["r", "s"].map(|name| request(name, 10).id);
    let wake = |id: &RequestId| StoredWake {
        agent: agent("deploy"),
        id: WakeId::of_request(id),
        author: None,
        at: time(20),
        state: WakeState::Waiting,
        mark: None,
        lease_until: None,
        times: 0,
    };
    let place = |id: &RequestId| Place { incarnation: id.key(), chat: -1001, thread: 7, message: 8 };
    let kept = |id: &RequestId| format!("written:{id}");
    for id in [&r, &s] {
        let keep = Write::Keep { name: kept(id), value: "1".to_owned() };
        store.commit(vec![Write::AddWake(Box::new(wake(id))), Write::SetPlace(place(id)), keep]).await.unwrap();
    }
    let forget = |id: &RequestId, old| vec![Write::ForgetRequest { request: id.clone(), old }];
    store.commit(forget(&r, OldRequests { quiet_since: time(20), ..age() })).await.unwrap();
    assert!(store.request(&r).await.unwrap().is_some(), "somebody wrote there since it was looked for");
    store.commit(forget(&r, age())).await.unwrap();
    for (id, reply, is_there) in [(&r, &answer, false), (&s, &other, true)] {
        assert_eq!(store.request(id).await.unwrap().is_some(), is_there, "{id}");
        assert_eq!(store.request_from(&format!("o:{id}")).await.unwrap().is_some(), is_there, "{id}");
        assert_eq!(store.reply(&reply.id).await.unwrap().is_some(), is_there, "{id}");
        assert_eq!(store.wake(&agent("deploy"), &WakeId::of_request(id)).await.unwrap().is_some(), is_there, "{id}");
        assert_eq!(store.places(&id.key()).await.unwrap(), if is_there { vec![place(id)] } else { vec![] }, "{id}");
        assert_eq!(store.kept(&kept(id)).await.unwrap().is_some(), is_there, "{id}");
    }
    assert!(store.is_used(&id("r")).await.unwrap());
    assert!(matches!(store.commit(vec![make("r", 9000)]).await, Err(StoreError::Conflict)));
}
