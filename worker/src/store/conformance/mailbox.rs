//! The mailbox: its order with its ties, its pages, and how it is narrowed.

use pager_questions::Record;

use super::samples::{agent, change, claimed, create, record, saved, time, withdrawn};
use crate::store::{InMailbox, Mailbox, Store};

fn names(list: &[InMailbox]) -> Vec<&str> {
    list.iter().map(|listed| listed.record.question.id.as_str()).collect()
}

fn asked(name: &str, source: &str, at: i64) -> Record {
    record(name, |question| {
        question.source.agent = agent(source);
        question.asked_at = time(at);
    })
}

async fn whole(store: &dyn Store, source: Option<&str>, state: Option<&str>) -> Vec<InMailbox> {
    let (source, state) = (source.map(agent), state.map(str::to_owned));
    store.mailbox(&Mailbox { source, state, limit: 1000, after: None }).await.unwrap()
}

pub async fn the_newest_come_first_then_sources_by_name_then_the_newest_insertion(store: &dyn Store) {
    for (name, source, at) in [
        ("early", "zoe", 10),
        ("tie-z1", "zoe", 20),
        ("tie-a1", "ada", 20),
        ("tie-z2", "zoe", 20),
        ("tie-a2", "ada", 20),
        ("late", "bob", 30),
    ] {
        store.commit(vec![create(&asked(name, source, at))]).await.unwrap();
    }
    let list = whole(store, None, None).await;
    assert_eq!(names(&list), ["late", "tie-a2", "tie-a1", "tie-z2", "tie-z1", "early"]);
    assert_eq!(list[0].record, asked("late", "bob", 30));
    assert_eq!(names(&whole(store, Some("zoe"), None).await), ["tie-z2", "tie-z1", "early"]);
}

pub async fn pages_of_the_mailbox_join_without_gap_or_double_while_questions_arrive(store: &dyn Store) {
    let sources = ["ada", "bob", "zoe"];
    let all: Vec<Record> = (0..30).map(|n| asked(&format!("q-{n}"), sources[n % 3], (n % 4).try_into().unwrap())).collect();
    store.commit(all.iter().map(create).collect()).await.unwrap();
    store.commit(vec![change(&withdrawn(&all[3]), 1)]).await.unwrap();
    for (round, (source, state)) in
        [(None, None), (Some("bob"), None), (None, Some("open")), (Some("zoe"), Some("open"))].into_iter().enumerate()
    {
        let expected = whole(store, source, state).await;
        for size in [1, 4, 30] {
            let (mut joined, mut after): (Vec<InMailbox>, _) = (Vec::new(), None);
            loop {
                let (source, state) = (source.map(agent), state.map(str::to_owned));
                let page = store.mailbox(&Mailbox { source, state, limit: size, after }).await.unwrap();
                let Some(last) = page.last() else { break };
                after = Some(last.place.clone());
                joined.extend(page);
                if size == 4 {
                    // What is asked meanwhile is newer, and moves nothing.
                    let name = format!("new-{round}-{}", joined.len());
                    store.commit(vec![create(&asked(&name, "bob", 100))]).await.unwrap();
                }
            }
            let old = |list: &[InMailbox]| -> Vec<String> {
                names(list).into_iter().filter(|name| !name.starts_with("new")).map(str::to_owned).collect()
            };
            assert_eq!(old(&joined), old(&expected), "{source:?} {state:?}, pages of {size}");
        }
    }
}

pub async fn the_mailbox_is_narrowed_by_source_and_state(store: &dyn Store) {
    let all = [asked("a", "ada", 1), asked("b", "bob", 2), asked("c", "ada", 3), asked("d", "bob", 4)];
    store.commit(all.iter().map(create).collect()).await.unwrap();
    let (of_a, of_b) = (claimed(&all[0], "x", 9), claimed(&all[1], "x", 9));
    store.commit(vec![change(&of_a, 1), change(&of_b, 1), change(&withdrawn(&all[2]), 1)]).await.unwrap();
    store.commit(vec![change(&saved(&of_a), 2)]).await.unwrap();
    for (source, state, expected) in [
        (None, None, &["d", "c", "b", "a"][..]),
        (None, Some("open"), &["d"]),
        (None, Some("answering"), &["b"]),
        (None, Some("answered"), &["a"]),
        (None, Some("withdrawn"), &["c"]),
        (None, Some("declined"), &[]),
        (Some("ada"), None, &["c", "a"]),
        (Some("ada"), Some("answered"), &["a"]),
        (Some("ada"), Some("open"), &[]),
        (Some("bob"), Some("open"), &["d"]),
        (Some("bob"), Some("answering"), &["b"]),
        (Some("nobody"), None, &[]),
    ] {
        assert_eq!(names(&whole(store, source, state).await), expected, "{source:?} {state:?}");
    }
}
