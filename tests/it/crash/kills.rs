//! `kill -9` at random moments under load: what was acknowledged is stored, and nothing is answered twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::world::{Caller, World, a_moment, until};

const KILLS: usize = 30;
const ASKERS: usize = 4;

#[derive(Default)]
struct Acknowledged {
    asked: Mutex<BTreeMap<String, Value>>,
    answered: Mutex<BTreeMap<String, Value>>,
    count: AtomicUsize,
}

#[tokio::test]
async fn what_was_acknowledged_is_never_lost_and_nothing_is_answered_twice() {
    let mut world = World::start().await;
    let acknowledged = Arc::new(Acknowledged::default());
    let load: Vec<_> = (0..ASKERS)
        .map(|asker| tokio::spawn(ask_and_answer(asker, world.agent(), world.owner(), acknowledged.clone())))
        .collect();
    for kill in 0..KILLS {
        // Some more acknowledgements, another number each time; the moment within a request is chance.
        let goal = acknowledged.count.load(Ordering::SeqCst) + 1 + (kill * 7) % 11;
        until("the load goes on", async || (acknowledged.count.load(Ordering::SeqCst) >= goal).then_some(())).await;
        world.kill9().await;
        world.serve().await;
    }
    load.iter().for_each(tokio::task::JoinHandle::abort);

    let asked = acknowledged.asked.lock().unwrap().clone();
    for (id, record) in &asked {
        let found = world.agent().get(&format!("/v1/questions/{id}")).await.with(200);
        assert_eq!(found["incarnation"], record["incarnation"], "{id}");
    }
    for id in asked.keys() {
        world.record_when(id, "not being saved", |record| record["state"] != "answering").await;
    }
    let answered = acknowledged.answered.lock().unwrap().clone();
    assert!(answered.len() > KILLS, "{} answers", answered.len());
    for (id, answer) in &answered {
        let text = world.answer_file(id).unwrap_or_else(|| panic!("the answer of {id} is lost"));
        assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), answer, "{id}");
    }
    let touched = world.git(&["log", "--format=", "--name-status", "main", "--", "answers"]);
    let mut seen = BTreeMap::new();
    for line in touched.lines().filter(|line| !line.is_empty()) {
        let (status, path) = line.split_once('\t').unwrap();
        assert_eq!(status, "A", "{line}");
        assert_eq!(seen.insert(path, ()), None, "{path} was written twice");
    }
    assert_eq!(world.git(&["fsck", "--strict", "--full", "--no-dangling"]), "");
}

/// Asks and answers one question after the other, and notes what pagerd acknowledged.
async fn ask_and_answer(asker: usize, agent: Caller, owner: Caller, acknowledged: Arc<Acknowledged>) {
    for number in 0.. {
        let id = format!("load-{asker}-{number}");
        let draft = json!({"id": id, "text": format!("{id}?"), "options": [{"label": "Yes"}, {"label": "No"}]});
        loop {
            match agent.try_post("/v1/questions", &draft).await {
                Ok(reply) if [200, 201].contains(&reply.status) => {
                    acknowledged.asked.lock().unwrap().insert(id.clone(), reply.json());
                    break;
                }
                Ok(reply) => assert_eq!(reply.status, 503, "{reply:?}"),
                Err(_) => a_moment().await,
            }
        }
        acknowledged.count.fetch_add(1, Ordering::SeqCst);
        loop {
            let path = format!("/v1/questions/{id}/answer");
            match owner.try_post(&path, &json!({"answer": format!("Answer to {id}")})).await {
                Ok(reply) if reply.status == 200 => {
                    acknowledged.answered.lock().unwrap().insert(id.clone(), reply.json());
                    break;
                }
                // The first try counted, though its acknowledgement was lost.
                Ok(reply) if reply.status == 409 => break,
                Ok(reply) => assert!([202, 503].contains(&reply.status), "{reply:?}"),
                Err(_) => a_moment().await,
            }
        }
        acknowledged.count.fetch_add(1, Ordering::SeqCst);
    }
}
