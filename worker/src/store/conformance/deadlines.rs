//! Deadlines: only those that end a question, earliest first.

use pager_questions::{Event, OptionId, Purpose, Question, Record, Time, apply};

use super::samples::{agent, change, claimed, create, record, time};
use crate::store::Store;

fn with_deadline(name: &str, at: Option<i64>, change: impl FnOnce(&mut Question)) -> Record {
    record(name, |question| {
        question.deadline = at.map(time);
        change(question);
    })
}

fn defaults(question: &mut Question) {
    question.default = Some(OptionId::parse("1").unwrap());
}

async fn due(store: &dyn Store, now: i64) -> Vec<String> {
    let due = store.due(time(now), 10).await.unwrap();
    due.into_iter().map(|record| record.question.id.to_string()).collect()
}

pub async fn deadlines_that_end_a_question_come_earliest_first(store: &dyn Store) {
    assert_eq!(store.next_deadline().await.unwrap(), None::<Time>);
    let records = [
        with_deadline("late", Some(9000), defaults),
        with_deadline("early", Some(4000), defaults),
        with_deadline("approval", Some(5000), |question| question.purpose = Purpose::Approval),
        with_deadline("stays-open", Some(1), |_| {}),
        with_deadline("without", None, |_| {}),
        with_deadline("claimed", Some(2), defaults),
    ];
    store.commit(records.iter().map(create).collect()).await.unwrap();
    store.commit(vec![change(&claimed(&records[5], "x", 7), 1)]).await.unwrap();
    assert_eq!(store.next_deadline().await.unwrap(), Some(time(4000)));
    assert_eq!(due(store, 3999).await, Vec::<String>::new());
    assert_eq!(due(store, 5000).await, ["early", "approval"]);
    assert_eq!(due(store, 9000).await, ["early", "approval", "late"]);
    assert_eq!(store.due(time(9000), 1).await.unwrap().len(), 1);
}

async fn reminders(store: &dyn Store, now: i64) -> (Option<i64>, Vec<String>) {
    let due = store.to_remind(time(now), 10).await.unwrap();
    let next = store.next_reminder(time(now)).await.unwrap().map(Time::as_millis);
    (next, due.into_iter().map(|record| record.question.id.to_string()).collect())
}

pub async fn whoever_is_to_be_reminded_comes_at_half_of_the_time_and_once(store: &dyn Store) {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    // Each was asked at 1000.
    let records = [
        with_deadline("late", Some(1_796_126_400_123), |_| {}),
        with_deadline("early", Some(4001), defaults),
        with_deadline("agents", Some(4000), |question| question.put_to = Some(agent("helper"))),
        with_deadline("claimed", Some(4000), defaults),
        with_deadline("without", None, |_| {}),
    ];
    store.commit(records.iter().map(create).collect()).await.unwrap();
    store.commit(vec![change(&claimed(&records[3], "x", 7), 1)]).await.unwrap();
    assert_eq!(reminders(store, 2499).await, (Some(2500), vec![]));
    assert_eq!(reminders(store, 2500).await, (Some(2500), names(&["early"])));
    let (reminded, _) = apply(&records[1], Event::Remind, time(2500)).unwrap();
    store.commit(vec![change(&reminded, 1)]).await.unwrap();
    let halfway = records[0].question.halfway().unwrap().as_millis();
    assert_eq!(reminders(store, 2500).await, (Some(halfway), vec![]), "to the millisecond as the rules have it");
    assert_eq!(reminders(store, halfway).await, (Some(halfway), names(&["late"])));
    assert_eq!(reminders(store, 1_796_126_400_123).await, (None, vec![]), "its deadline has passed");
}
