//! Jobs from the first to the last day of their life, and where questions are shown.

use pager_questions::State;
use pager_questions::record::Note;

use super::samples::{claimed, create, incarnation, job, place, plain, time, update};
use crate::store::{Figures, Job, JobKind, JobState, Store, Write};

async fn add(store: &dyn Store, jobs: &[Job]) {
    store.commit(jobs.iter().cloned().map(Write::AddJob).collect()).await.unwrap();
}

async fn next(store: &dyn Store, now: i64) -> Option<String> {
    store.next_job(time(now)).await.unwrap().map(|job| job.id)
}

fn attempt(job: &str) -> Write {
    Write::Attempt { job: job.to_owned() }
}

fn retry(job: &str, due_at: i64, attempts: u32) -> Write {
    Write::Retry { job: job.to_owned(), due_at: time(due_at), attempts }
}

pub async fn jobs_go_by_class_then_by_age(store: &dyn Store) {
    // The due times run against the order on purpose: age is the order of adding.
    add(store, &[job("late", 5, 0), job("first", 1, 9), job("second", 1, 3), job("third", 2, 0)]).await;
    let mut order = Vec::new();
    while let Some(job) = next(store, 10).await {
        store.commit(vec![Write::FinishJob { job: job.clone() }]).await.unwrap();
        order.push(job);
    }
    assert_eq!(order, ["first", "second", "third", "late"]);
}

pub async fn a_job_waits_until_it_is_due(store: &dyn Store) {
    assert_eq!(store.next_due().await.unwrap(), None);
    add(store, &[job("urgent", 1, 200), job("cosmetic", 5, 100)]).await;
    assert_eq!(next(store, 99).await, None);
    assert_eq!(store.next_due().await.unwrap(), Some(time(100)));
    assert_eq!(next(store, 100).await.as_deref(), Some("cosmetic"), "what is not due holds nobody up");
    assert_eq!(next(store, 200).await.as_deref(), Some("urgent"));
    store.commit(vec![attempt("cosmetic")]).await.unwrap();
    assert_eq!(store.next_due().await.unwrap(), Some(time(200)), "what is being tried does not wait");
}

pub async fn a_job_lives_until_it_is_finished(store: &dyn Store) {
    let added = job("j", 1, 0);
    add(store, std::slice::from_ref(&added)).await;
    assert_eq!(store.next_job(time(0)).await.unwrap(), Some(added.clone()));
    assert_eq!(store.tried_jobs().await.unwrap(), []);

    store.commit(vec![attempt("j")]).await.unwrap();
    let attempting = Job { state: JobState::Attempting, attempts: 1, ..added.clone() };
    assert_eq!(store.tried_jobs().await.unwrap(), [attempting]);
    assert_eq!(next(store, 100).await, None, "nobody else takes it");

    store.commit(vec![retry("j", 50, 1)]).await.unwrap();
    let unknown = Job { due_at: time(50), attempts: 1, ..added.clone() };
    assert_eq!(store.tried_jobs().await.unwrap(), std::slice::from_ref(&unknown), "its last outcome is unknown");
    assert_eq!(store.next_job(time(50)).await.unwrap(), Some(unknown));

    store.commit(vec![attempt("j"), retry("j", 60, 0)]).await.unwrap();
    assert_eq!(store.tried_jobs().await.unwrap(), [], "its last try was surely not applied");
    assert_eq!(store.jobs_of(&incarnation("a")).await.unwrap().len(), 1);
    assert_eq!(store.jobs_of(&incarnation("b")).await.unwrap(), []);

    store.commit(vec![Write::FinishJob { job: "j".to_owned() }]).await.unwrap();
    assert_eq!(store.jobs_of(&incarnation("a")).await.unwrap(), []);
    assert_eq!((next(store, 100).await, store.next_due().await.unwrap()), (None, None));
}

pub async fn a_job_may_be_about_no_question(store: &dyn Store) {
    let kind = JobKind::Say { chat: 4242, thread: None, to: Some(5), text: "Nothing waits for you.".to_owned() };
    let said = Job { incarnation: None, kind, ..job("said", 2, 0) };
    add(store, std::slice::from_ref(&said)).await;
    assert_eq!(store.next_job(time(0)).await.unwrap(), Some(said));
    assert_eq!(store.jobs_of(&incarnation("a")).await.unwrap(), []);
}

pub async fn a_failed_job_is_kept_and_never_tried(store: &dyn Store) {
    add(store, &[job("j", 1, 0)]).await;
    let fail = Write::FailJob { job: "j".to_owned(), reason: "chat not found".to_owned() };
    store.commit(vec![attempt("j"), fail]).await.unwrap();
    assert_eq!((next(store, 100).await, store.next_due().await.unwrap()), (None, None));
    assert_eq!(store.tried_jobs().await.unwrap(), []);
    let kept = store.jobs_of(&incarnation("a")).await.unwrap();
    assert_eq!(kept.iter().map(|job| job.state).collect::<Vec<_>>(), [JobState::Failed]);
    add(store, &[job("j", 1, 0)]).await;
    assert_eq!(next(store, 100).await, None, "a replay does not revive it");
}

pub async fn a_job_that_is_there_already_stays_as_it_is(store: &dyn Store) {
    add(store, &[job("j", 1, 0)]).await;
    store.commit(vec![attempt("j")]).await.unwrap();
    add(store, &[job("j", 9, 9), job("k", 1, 0)]).await;
    let jobs = store.jobs_of(&incarnation("a")).await.unwrap();
    let seen: Vec<_> = jobs.iter().map(|job| (job.id.as_str(), job.class, job.attempts)).collect();
    assert_eq!(seen, [("j", 1, 1), ("k", 1, 0)], "and what else the list holds is added");
}

pub async fn a_topic_leads_to_its_question_and_back(store: &dyn Store) {
    let set = |place| Write::SetPlace(place);
    store.commit(vec![set(place("a", 7, 0)), set(place("b", 8, 0))]).await.unwrap();
    assert_eq!(store.place_in(-1001, 7).await.unwrap(), Some(place("a", 7, 0)));
    assert_eq!(store.place_in(-1002, 7).await.unwrap(), None, "another chat");
    assert_eq!(store.place_in(-1001, 9).await.unwrap(), None);
    store.commit(vec![set(place("a", 7, 70))]).await.unwrap();
    assert_eq!(store.places(&incarnation("a")).await.unwrap(), [place("a", 7, 70)], "the topic got its message");
    store.commit(vec![set(place("a", 7, 70)), set(place("a", 7, 71)), set(place("a", 9, 0))]).await.unwrap();
    let all = [place("a", 7, 70), place("a", 7, 71), place("a", 9, 0)];
    assert_eq!(store.places(&incarnation("a")).await.unwrap(), all, "every copy is known, each once");
    assert_eq!(store.places(&incarnation("b")).await.unwrap(), [place("b", 8, 0)]);
}

pub async fn what_is_held_is_counted_and_a_try_makes_no_job_younger(store: &dyn Store) {
    assert_eq!(store.figures().await.unwrap(), Figures::default());
    let (open, answering, uncertain) = (plain("a"), claimed(&plain("b"), "Yes", 5), claimed(&plain("c"), "No", 6));
    let uncertain = {
        let mut record = uncertain;
        let State::Answering(claim) = &mut record.state else { panic!("it is claimed") };
        claim.uncertain = Some(Note { at: time(7), reason: "no reply".to_owned() });
        record
    };
    for record in [open, answering, uncertain] {
        store.commit(vec![create(&record)]).await.unwrap();
    }
    add(store, &[job("old", 1, 10), job("young", 1, 20), job("given up", 1, 5)]).await;
    store.commit(vec![attempt("old"), retry("old", 500, 1), fail("given up")]).await.unwrap();
    store.commit(vec![Write::Receive(update(1, 1))]).await.unwrap();
    store.commit(vec![Write::Receive(update(2, 1)), Write::Handled { update: 2 }]).await.unwrap();
    let figures = store.figures().await.unwrap();
    assert_eq!((figures.open, figures.answering, figures.uncertain), (1, 2, 1));
    assert_eq!(figures.oldest_job, Some(time(10)));
    let kind = figures.jobs[0].0.clone();
    assert_eq!(figures.jobs, [(kind.clone(), "failed".to_owned(), 1), (kind, "waiting".to_owned(), 2)]);
    assert_eq!(figures.updates, [("handled".to_owned(), 1), ("new".to_owned(), 1)]);
    assert_eq!(store.oldest_job().await.unwrap(), Some(time(10)));
}

fn fail(job: &str) -> Write {
    Write::FailJob { job: job.to_owned(), reason: "chat not found".to_owned() }
}

pub async fn a_job_that_was_set_aside_waits_again_once_all_are_let_go(store: &dyn Store) {
    add(store, &[job("one", 1, 0), job("two", 1, 0), job("failed", 1, 0)]).await;
    let park = |job: &str| Write::Park { job: job.to_owned(), reason: "kicked".to_owned() };
    let fail = Write::FailJob { job: "failed".to_owned(), reason: "refused".to_owned() };
    store.commit(vec![attempt("one"), park("one"), park("two"), fail]).await.unwrap();
    assert_eq!(next(store, 100).await, None);
    assert_eq!(store.next_due().await.unwrap(), None);
    let parked = store.parked_jobs().await.unwrap();
    assert_eq!(
        parked.iter().map(|job| (job.id.as_str(), job.state)).collect::<Vec<_>>(),
        [("one", JobState::Parked), ("two", JobState::Parked)]
    );
    store.commit(vec![Write::Unpark { due_at: time(50) }]).await.unwrap();
    assert_eq!(store.parked_jobs().await.unwrap(), []);
    assert_eq!(next(store, 49).await, None);
    assert_eq!(next(store, 50).await.as_deref(), Some("one"));
}

pub async fn questions_that_wait_to_be_shown_are_told_in_the_order_of_the_queue(store: &dyn Store) {
    let of = |question: &str, name: &str, kind: JobKind, class: i64| Job {
        incarnation: Some(incarnation(question)),
        kind,
        ..job(name, class, 0)
    };
    let jobs = [
        of("a", "one", JobKind::CreateTopic, 2),
        of("b", "two", JobKind::CreateTopic, 2),
        of("c", "three", JobKind::SendQuestion { thread: 7 }, 1),
        of("d", "four", JobKind::EditQuestion, 0),
        of("e", "five", JobKind::CreateTopic, 2),
    ];
    add(store, &jobs).await;
    store.commit(vec![Write::Park { job: "five".to_owned(), reason: "kicked".to_owned() }]).await.unwrap();
    let now = time(5);
    assert_eq!(store.unshown(now).await.unwrap(), [incarnation("c"), incarnation("a"), incarnation("b")]);
    let later = |attempts| Write::Retry { job: "one".to_owned(), due_at: time(9), attempts };
    store.commit(vec![later(1)]).await.unwrap();
    assert_eq!(store.unshown(now).await.unwrap().len(), 3, "what was tried waits for its turn");
    store.commit(vec![later(0)]).await.unwrap();
    assert_eq!(store.unshown(now).await.unwrap(), [incarnation("c"), incarnation("b")], "what is held back waits for none");
    assert_eq!(store.unshown(time(9)).await.unwrap().len(), 3);
}

pub async fn a_place_is_forgotten_by_message_by_topic_and_with_its_chat(store: &dyn Store) {
    let places = [place("a", 7, 8), place("a", 7, 9), place("a", 10, 11), place("b", 12, 13)];
    store.commit(places.iter().cloned().map(Write::SetPlace).collect()).await.unwrap();
    add(store, &[job("j", 1, 0)]).await;
    store.commit(vec![Write::ForgetPlace(place("a", 7, 8))]).await.unwrap();
    assert_eq!(store.places(&incarnation("a")).await.unwrap(), [place("a", 7, 9), place("a", 10, 11)]);
    store.commit(vec![Write::ForgetPlace(place("a", 7, 0))]).await.unwrap();
    assert_eq!(store.places(&incarnation("a")).await.unwrap(), [place("a", 10, 11)]);
    store.commit(vec![Write::ForgetChat]).await.unwrap();
    assert_eq!(store.place_in(-1001, 12).await.unwrap(), None);
    assert_eq!(next(store, 100).await, None);
}
