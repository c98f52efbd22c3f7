//! `answers/<id>.json`, byte by byte.

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::{Answer, QuestionOption, Record};

use crate::samples::{self, after, claim, ended};

fn file(record: &Record) -> String {
    String::from_utf8(record.answer().unwrap().file()).unwrap()
}

/// The keys of the file's object in the order in which they stand.
fn keys(file: &str) -> Vec<&str> {
    file.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect()
}

#[test]
fn the_file_of_a_chosen_answer_is_the_one_of_the_specification() {
    let file = file(&ended(Resolution::Chosen(vec![samples::option_id("1")])));
    insta::assert_snapshot!(file, @r#"
    {
      "id": "rel-42",
      "incarnation": "9f3c2a715be04d18",
      "outcome": "chosen",
      "choice": "1",
      "answer": "Yes, release",
      "at": "2026-11-30T13:25:03.120Z",
      "asked_at": "2026-11-30T13:22:15.004Z",
      "by": {
        "kind": "owner",
        "id": "telegram:4242",
        "via": "telegram"
      },
      "question": "Release 2.4 now?",
      "options": [
        {
          "id": "1",
          "label": "Yes, release"
        },
        {
          "id": "2",
          "label": "No"
        }
      ],
      "recorded": "Yes, release",
      "digest": null,
      "signature": "ed25519:KB5frTYOzeD1dhfaqDWDz5IINLzylfiM7WN/uLqAhhUJCUffF1OUHu6V+p8+7pV/jPLzG7+qvJi0kyH0e8WJBA=="
    }
    "#);
    assert!(file.starts_with("{\n  \"id\"") && file.ends_with("\"\n}\n"), "two spaces, one final newline");
    assert!(!file.contains('\t') && !file.contains('\r'));
}

#[test]
fn what_only_some_answers_have_stands_before_the_time() {
    let declined = file(&ended(Resolution::Declined));
    let before = ["id", "incarnation", "outcome", "choice", "answer"];
    let behind = ["at", "asked_at", "by", "question", "options", "recorded", "digest", "signature"];
    assert_eq!(keys(&declined), [&before[..], &["note"], &behind[..]].concat());
    let cancelled = file(&ended(Resolution::Cancelled(CancelReason::OwnerCancelled)));
    assert_eq!(keys(&cancelled), [&before[..], &["reason"], &behind[..]].concat());
    let words = file(&ended(Resolution::OwnWords("later".to_owned())));
    assert_eq!(keys(&words), [&before[..], &behind[..]].concat());
}

#[test]
fn each_outcome_says_only_what_somebody_chose_or_wrote() {
    let table = |resolution| {
        let record = ended(resolution);
        let answer = record.answer().unwrap();
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_owned());
        let choice = answer.choice.as_ref().map_or("null", |choice| choice.as_str()).to_owned();
        [answer.outcome.as_str().to_owned(), choice, text(&answer.answer), text(&answer.recorded)]
    };
    assert_eq!(table(Resolution::Chosen(vec![samples::option_id("2")])), ["chosen", "2", "No", "No"]);
    assert_eq!(table(Resolution::OwnWords("Yes, release".to_owned())), ["own_words", "null", "Yes, release", "Yes, release"]);
    assert_eq!(table(Resolution::Declined), ["declined", "null", "null", "null"]);
    assert_eq!(table(Resolution::Cancelled(CancelReason::OwnerCancelled)), ["cancelled", "null", "null", "null"]);
    let declined = ended(Resolution::Declined);
    assert_eq!(declined.answer().unwrap().note.as_deref(), Some(pager_questions::answer::DECLINED_NOTE));
    let cancelled = ended(Resolution::Cancelled(CancelReason::OwnerCancelled));
    assert_eq!(cancelled.answer().unwrap().reason.as_deref(), Some("owner_cancelled"));
}

#[test]
fn options_are_an_empty_list_without_and_show_a_detail_where_there_is_one() {
    let mut question = samples::question();
    question.options.clear();
    let open = Record::asked(question);
    let answering = after(&open, claim(Resolution::OwnWords("port 8080".to_owned()), None));
    assert!(file(&after(&answering, samples::saved(&answering))).contains("\n  \"options\": [],\n"));

    let mut question = samples::question();
    let yes = question.options[0].clone();
    question.options[0] = QuestionOption { detail: Some("in ten minutes".to_owned()), ..yes };
    let answering = after(&Record::asked(question), samples::choose());
    let file = file(&after(&answering, samples::saved(&answering)));
    assert_eq!(file.matches("\"detail\"").count(), 1);
    assert!(file.contains("\"detail\": \"in ten minutes\""));
}

#[test]
fn the_time_is_that_of_the_claim_and_the_commit_tells_no_words() {
    let record = ended(Resolution::OwnWords("the launch code is 0000".to_owned()));
    let answer = record.answer().unwrap();
    assert_eq!((answer.at, answer.asked_at), (samples::later(), samples::asked_at()));
    assert_eq!(answer.commit_message(), "answer rel-42: own_words");
}

#[test]
fn writing_it_twice_gives_the_same_bytes() {
    let record = samples::answering();
    let unsigned = &samples::claim_of(&record).answer;
    let (one, two) = (unsigned.signed(&samples::key()), unsigned.signed(&samples::key()));
    assert_eq!(one.file(), two.file());
    assert_eq!(one.signed(&samples::key()), one, "signing what is signed");
    assert_eq!(serde_json::from_slice::<Answer>(&one.file()).unwrap(), one);
}
