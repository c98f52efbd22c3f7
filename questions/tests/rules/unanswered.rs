//! What counts as unanswered, at its very edges, and how that is said.

use pager_questions::unanswered::{OVER_AFTER_MILLIS, Opened, unanswered};
use pager_questions::{Author, Record, State, ThreadId, Time, Unanswered};

use crate::samples;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const HALF_AN_HOUR: i64 = 30 * MINUTE;
/// 30 November 2026, in milliseconds.
const ASKED: i64 = 1_796_000_000_000;

fn time(after: i64) -> Time {
    Time::from_millis(ASKED + after)
}

fn offer(labels: &[&str]) -> Record {
    let mut question = samples::question();
    question.options.truncate(labels.len());
    for (option, label) in question.options.iter_mut().zip(labels) {
        option.label = (*label).to_owned();
    }
    question.default = question.options.first().map(|option| option.id.clone());
    question.source.agent = Author::parse("builder").unwrap();
    Record::asked(question)
}

fn look(deadline: Option<i64>, answers: u64, clarifies: &[Record], now: i64, after: i64) -> Option<Unanswered> {
    let id = ThreadId::parse("r-17").unwrap();
    let title = "Build this\n Rust   parser";
    let opened = Opened { id: &id, title, asked_at: time(0), deadline: deadline.map(time), answers, clarifies };
    unanswered(&opened, time(now), after)
}

fn age(now: i64) -> String {
    let notice = look(Some(0), 0, &[], now, HALF_AN_HOUR).unwrap().notice;
    notice.strip_prefix("your ask 'Build this Rust parser': 0 answers after ").unwrap().to_owned()
}

#[test]
fn the_summary_is_this_document() {
    let summary = look(None, 0, &[offer(&["untested code", "no thanks"])], 31 * MINUTE, HALF_AN_HOUR).unwrap();
    let id = summary.clarifies[0].id.clone();
    assert_eq!(
        serde_json::to_value(&summary).unwrap(),
        serde_json::json!({
            "id": "r-17", "title": "Build this Rust parser", "age_secs": 1860, "answers": 0, "offers": 0,
            "clarifies": [{"id": id, "author": "builder", "options": ["untested code", "no thanks"], "default": "untested code"}],
            "notice": "your ask 'Build this Rust parser': 0 answers after 31 min · 1 clarify offering untested code",
        })
    );
}

#[test]
fn without_a_deadline_it_counts_once_it_is_older_than_the_time_that_was_set() {
    assert_eq!(look(None, 0, &[], HALF_AN_HOUR, HALF_AN_HOUR), None);
    assert!(look(None, 0, &[], HALF_AN_HOUR + 1, HALF_AN_HOUR).is_some());
    assert_eq!(look(None, 0, &[], 2 * DAY, 0), None, "0 turns those off that have no deadline");
}

#[test]
fn its_own_deadline_decides_alone_and_stays_when_the_rest_is_off() {
    assert_eq!(look(Some(2 * HOUR), 0, &[], 2 * HOUR - 1, HALF_AN_HOUR), None);
    assert!(look(Some(2 * HOUR), 0, &[], 2 * HOUR, HALF_AN_HOUR).is_some());
    assert!(look(Some(MINUTE), 0, &[], MINUTE, HALF_AN_HOUR).is_some());
    assert!(look(Some(2 * HOUR), 0, &[], 2 * HOUR, 0).is_some());
}

#[test]
fn an_answer_ends_it_and_so_do_three_days_to_the_millisecond() {
    assert_eq!(look(None, 1, &[], HOUR, HALF_AN_HOUR), None);
    assert!(look(None, 0, &[], 3 * DAY - 1, HALF_AN_HOUR).is_some());
    assert_eq!(look(None, 0, &[], 3 * DAY, HALF_AN_HOUR), None);
    assert_eq!(look(Some(HOUR), 0, &[], OVER_AFTER_MILLIS, 0), None);
}

#[test]
fn ages_are_floored_and_those_of_the_future_are_none() {
    let told: Vec<String> = [0, MINUTE - 1, MINUTE, 2 * HOUR - 1, 2 * HOUR, 2 * DAY - 1, 2 * DAY, 3 * DAY - 1].map(age).into();
    assert_eq!(told, ["0 min", "0 min", "1 min", "119 min", "2 h", "47 h", "2 d", "2 d"]);
    let ahead = look(Some(-HOUR), 0, &[], -HOUR, HALF_AN_HOUR).unwrap();
    assert_eq!((ahead.age_secs, ahead.notice.ends_with("after 0 min")), (0, true));
    assert_eq!(look(None, 0, &[], -HOUR, HALF_AN_HOUR), None, "what another clock dates in the future is new");
}

#[test]
fn the_first_option_of_each_that_waits_is_named_and_nothing_where_none_does() {
    let notice = |clarifies: &[Record]| look(None, 0, clarifies, HOUR, HALF_AN_HOUR).unwrap().notice;
    assert!(notice(&[]).ends_with("0 answers after 60 min"));
    let two = [offer(&["untested\ncode", "no thanks"]), offer(&["a \u{202e}summary", "no"])];
    assert!(notice(&two).ends_with(" · 2 clarifies offering untested code, a \\u{202e}summary"), "{}", notice(&two));
    let mut asked = offer(&[]);
    asked.question.default = None;
    assert!(notice(&[asked]).ends_with(" · 1 clarify"), "one without options offers nothing");
    let mut ended = offer(&["untested code", "no thanks"]);
    let by = pager_questions::By::agent("builder", pager_questions::Via::Cli);
    ended.state = State::Withdrawn { at: time(5), by, reason: None };
    assert!(notice(&[ended]).ends_with("0 answers after 60 min"), "what has ended does not wait");
}
