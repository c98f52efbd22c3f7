//! The approvals of a run.

use pager_questions::{Purpose, Record};

use super::samples::{agent, change, create, record, withdrawn};
use crate::store::Store;

pub async fn the_approvals_of_a_run_are_found_open_and_ended_each_agent_s_own(store: &dyn Store) {
    let of = |name: &str, by: &str, run: Option<&str>, purpose: Purpose| {
        record(name, |question| {
            question.source.agent = agent(by);
            question.source.run = run.map(str::to_owned);
            question.purpose = purpose;
        })
    };
    let records = [
        of("one", "deploy", Some("7"), Purpose::Approval),
        of("two", "deploy", Some("7"), Purpose::Approval),
        of("other-run", "deploy", Some("70"), Purpose::Approval),
        of("no-run", "deploy", None, Purpose::Approval),
        of("no-gate", "deploy", Some("7"), Purpose::Decision),
        of("theirs", "other", Some("7"), Purpose::Approval),
    ];
    store.commit(records.iter().map(create).collect()).await.unwrap();
    let gone = withdrawn(&records[0]);
    store.commit(vec![change(&gone, 1)]).await.unwrap();
    let names = |records: Vec<Record>| records.iter().map(|record| record.question.id.to_string()).collect::<Vec<_>>();
    let deploy = agent("deploy");
    assert_eq!(store.gates(Some(&deploy), "7", 9).await.unwrap(), [gone, records[1].clone()]);
    assert_eq!(names(store.gates(Some(&agent("other")), "7", 9).await.unwrap()), ["theirs"]);
    assert_eq!(names(store.gates(None, "7", 9).await.unwrap()), ["one", "two", "theirs"]);
    assert_eq!(names(store.gates(None, "7", 2).await.unwrap()), ["one", "two"], "at most so many");
    assert!(store.gates(None, "", 9).await.unwrap().is_empty(), "no run is no name of one");
}
