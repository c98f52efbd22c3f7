//! Deadlines: only those that end a question, earliest first.

use pager_questions::{OptionId, Purpose, Question, Record, Time};

use super::samples::{change, claimed, create, record, time};
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
