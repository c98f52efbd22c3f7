//! Every purpose: what its draft must and must not have, what each act makes of it, and what its agent reads.

use jiff::tz::TimeZone;
use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::ends::end;
use pager_questions::resume::resume_message;
use pager_questions::{Event, Purpose, Question, Record, Refusal, apply};
use serde_json::{Value, json};

use crate::drafts::{asked, check_refused, read};
use crate::samples::{self, after, claim, later, option_id};

const DIGEST: &str = "sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

/// A body of this purpose with everything it needs, and these fields.
fn draft(purpose: &str, changes: Value) -> Value {
    let mut made = json!({"text": "Go on?", "purpose": purpose, "waiting_on": "the release"});
    match purpose {
        "question" => made["options"] = json!([{"label": "Yes"}, {"label": "No"}]),
        "decision" => {
            made["options"] = json!([{"label": "Small", "detail": "slow"}, {"label": "Large", "detail": "dear"}]);
            made["recommended"] = json!("2");
        }
        "approval" => made["gate"] = json!("merge"),
        "offer" => {
            made["about"] = json!("r-1");
            made["options"] = json!([{"label": "untested code"}, {"label": "no thanks"}]);
        }
        "action" => made["steps"] = json!(["open the safe", "sign in"]),
        _ => {}
    }
    for (name, value) in changes.as_object().unwrap() {
        made[name] = value.clone();
    }
    made
}

fn plain(purpose: &str) -> Question {
    asked(draft(purpose, json!({})))
}

fn settled(question: Question, resolution: Resolution) -> Record {
    let answering = after(&Record::asked(question), claim(resolution, None));
    let saved = samples::saved(&answering);
    after(&answering, saved)
}

fn chosen(id: &str) -> Resolution {
    Resolution::Chosen(vec![option_id(id)])
}

#[test]
fn every_purpose_is_taken_and_has_its_own_options() {
    let options = |purpose: &str| -> Vec<(String, String)> {
        let pairs = plain(purpose).options;
        pairs.into_iter().map(|option| (option.id.to_string(), option.label)).collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(id, label)| ((*id).to_owned(), (*label).to_owned())).collect()
    };
    assert_eq!(options("approval"), pairs(&[("approve", "Approve"), ("decline", "Decline")]));
    assert_eq!(options("action"), pairs(&[("done", "Done"), ("cant", "Can't do")]));
    assert_eq!(options("verify"), pairs(&[("works", "It works")]));
    assert_eq!(options("clarification"), []);
    assert_eq!(options("decision"), pairs(&[("1", "Small"), ("2", "Large")]));
    for purpose in Purpose::ALL {
        assert_eq!(Purpose::parse(purpose.rules().name), Some(purpose));
        assert_eq!(plain(purpose.rules().name).purpose, purpose);
    }
}

#[test]
fn fixed_options_are_not_the_callers_to_give() {
    for purpose in ["approval", "action", "verify"] {
        check_refused(draft(purpose, json!({"options": [{"label": "Yes"}, {"label": "No"}]})), "invalid", "options");
    }
}

#[test]
fn what_stands_still_is_said_by_all_but_a_question() {
    assert!(read(draft("question", json!({"waiting_on": null}))).is_ok());
    for purpose in ["clarification", "decision", "approval", "action", "verify"] {
        check_refused(draft(purpose, json!({"waiting_on": null})), "invalid", "waiting_on");
    }
}

#[test]
fn a_decision_names_every_trade_off_and_one_recommendation() {
    check_refused(draft("decision", json!({"recommended": null})), "invalid", "recommended");
    let options = json!([{"label": "Small", "detail": "slow"}, {"label": "Large"}]);
    check_refused(draft("decision", json!({"options": options})), "invalid", "options[1].detail");
    check_refused(draft("decision", json!({"options": null})), "invalid", "options");
}

#[test]
fn what_belongs_to_one_purpose_is_refused_at_another() {
    for purpose in ["question", "clarification", "decision", "action", "verify"] {
        for (name, value) in [("gate", json!("merge")), ("subject", json!("rm -rf /")), ("digest", json!(DIGEST))] {
            check_refused(draft(purpose, json!({ name: value })), "invalid", name);
        }
    }
    for purpose in ["question", "clarification", "decision", "approval", "verify"] {
        check_refused(draft(purpose, json!({"steps": ["one"]})), "invalid", "steps");
    }
    for purpose in ["clarification", "decision", "approval", "action", "verify"] {
        check_refused(draft(purpose, json!({"multi": true})), "invalid", "multi");
    }
    for purpose in ["decision", "approval", "action", "verify"] {
        check_refused(draft(purpose, json!({"secret": true})), "invalid", "secret");
    }
}

#[test]
fn steps_are_one_to_twenty_and_none_is_blank_or_too_long() {
    let steps = |count: usize| draft("action", json!({"steps": vec!["turn the key"; count]}));
    assert!(read(steps(20)).is_ok());
    for count in [0, 21] {
        check_refused(steps(count), "invalid", "steps");
    }
    check_refused(draft("action", json!({"steps": ["one", " "]})), "invalid", "steps[1]");
    check_refused(draft("action", json!({"steps": ["a".repeat(501)]})), "invalid", "steps[0]");
    check_refused(draft("action", json!({"steps": "one"})), "invalid", "steps");
}

#[test]
fn a_subject_has_a_digest_made_or_checked() {
    let of = |changes| asked(draft("approval", changes));
    let digest = "sha256:95fd5ce63ddc8c1e3d3e6f6ba2ca8b0e5ed09ec8f0b3c2b3f32bd2f0d57f9a4c";
    let made = of(json!({"subject": "DROP TABLE users;"})).digest.unwrap();
    assert_eq!(of(json!({"subject": "DROP TABLE users;", "digest": made})).digest.as_deref(), Some(made.as_str()));
    check_refused(draft("approval", json!({"subject": "DROP TABLE users;", "digest": digest})), "invalid", "digest");
    assert_eq!(of(json!({"digest": digest})).digest.as_deref(), Some(digest), "a digest of what only the agent has");
    for bad in ["sha256:00", "md5:00", digest.trim_start_matches("sha256:"), &digest.to_uppercase()] {
        check_refused(draft("approval", json!({"digest": bad})), "invalid", "digest");
    }
    assert!(read(draft("approval", json!({"subject": "a".repeat(32_000)}))).is_ok());
    check_refused(draft("approval", json!({"subject": "a".repeat(32_001)})), "invalid", "subject");
    check_refused(draft("approval", json!({"gate": "Merge it"})), "invalid", "gate");
}

#[test]
fn the_digest_is_the_sha_256_of_the_subject() {
    let digest = asked(draft("approval", json!({"subject": "hello world"}))).digest;
    assert_eq!(digest.as_deref(), Some("sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"));
}

#[test]
fn a_private_answer_needs_somebody_who_waits_at_the_service() {
    let through_control = pager_questions::Author::through_control(None);
    let fault = pager_questions::Draft::read(draft("clarification", json!({"secret": true})), &through_control).unwrap_err();
    assert_eq!(fault.field, "secret");
    assert!(asked(draft("clarification", json!({"secret": true}))).secret);
}

#[test]
fn several_picks_stand_in_the_questions_order_each_once() {
    let options = json!([{"label": "A"}, {"label": "B"}, {"label": "C"}]);
    let question = asked(draft("question", json!({"multi": true, "options": options})));
    let record = settled(question.clone(), Resolution::Chosen(vec![option_id("3"), option_id("1")]));
    let answer = record.answer().unwrap();
    assert_eq!(answer.choice.as_deref(), Some("1,3"));
    assert_eq!(answer.choices, Some(vec![option_id("1"), option_id("3")]));
    assert_eq!((answer.answer.as_deref(), answer.recorded.as_deref()), (Some("A, C"), Some("A, C")));
    let file = String::from_utf8(answer.file()).unwrap();
    let place = |key: &str| file.find(&format!("\n  \"{key}\"")).unwrap();
    assert!(place("answer") < place("choices") && place("choices") < place("at"));
    let refused = |question: &Question, ids: &[&str]| {
        let ids = ids.iter().map(|id| option_id(id)).collect();
        apply(&Record::asked(question.clone()), claim(Resolution::Chosen(ids), None), later()).unwrap_err()
    };
    for ids in [&[][..], &["1", "1"], &["1", "9"]] {
        assert_eq!(refused(&question, ids), Refusal::NotAnOption, "{ids:?}");
    }
    assert_eq!(refused(&plain("question"), &["1", "2"]), Refusal::NotAnOption, "only one where not several may be picked");
}

#[test]
fn a_decision_takes_no_words_and_resumes_with_the_trade_off() {
    let open = Record::asked(plain("decision"));
    let words = claim(Resolution::OwnWords("neither".to_owned()), None);
    assert_eq!(apply(&open, words, later()).unwrap_err(), Refusal::TakesNoWords);
    let record = settled(plain("decision"), chosen("2"));
    let answer = record.answer().unwrap();
    assert_eq!((answer.answer.as_deref(), answer.recorded.as_deref()), (Some("Large"), Some("Large: dear")));
    let body = pager_questions::words::AnswerBody::read(json!({"answer": "Large"})).unwrap();
    assert_eq!(body.resolution(&plain("decision")).unwrap_err().field, "option");
}

#[test]
fn words_for_the_agent_alone_are_in_no_record() {
    let question = asked(draft("clarification", json!({"secret": true})));
    let record = settled(question, Resolution::OwnWords("hunter2-the-launch-code".to_owned()));
    let answer = record.answer().unwrap();
    assert_eq!((answer.private, answer.answer.as_deref(), answer.recorded.as_deref()), (Some(true), None, None));
    assert!(!serde_json::to_string(&record).unwrap().contains("hunter2"));
    assert_eq!(end(&record, &TimeZone::UTC).unwrap().text, "You answered: Private answer");
    assert!(!resume_message(&record).unwrap().contains("hunter2"));
}

#[test]
fn the_answer_to_an_approval_carries_its_digest() {
    let question = asked(draft("approval", json!({"subject": "merge 42"})));
    let digest = question.digest.clone();
    for resolution in [chosen("approve"), chosen("decline"), Resolution::OwnWords("no".to_owned()), Resolution::Declined] {
        assert_eq!(settled(question.clone(), resolution).answer().unwrap().digest, digest);
    }
}

#[test]
fn only_the_one_choice_means_yes() {
    for (purpose, yes) in [("approval", "approve"), ("action", "done"), ("verify", "works")] {
        let question = plain(purpose);
        let is_yes = |resolution| {
            let record = settled(question.clone(), resolution);
            question.is_yes(record.answer().unwrap())
        };
        assert_eq!(is_yes(chosen(yes)), Some(true), "{purpose}");
        for option in question.options.iter().filter(|option| option.id.as_str() != yes) {
            assert_eq!(is_yes(chosen(option.id.as_str())), Some(false), "{purpose} {}", option.id);
        }
        for words in ["approve", "Approve", "yes", "It works", "Done"] {
            assert_eq!(is_yes(Resolution::OwnWords(words.to_owned())), Some(false), "{purpose}: {words}");
        }
        assert_eq!(is_yes(Resolution::Declined), Some(false));
        assert_eq!(is_yes(Resolution::Cancelled(CancelReason::SourceReset)), Some(false));
    }
    let record = settled(plain("question"), chosen("1"));
    assert_eq!(plain("question").is_yes(record.answer().unwrap()), None);
}

#[test]
fn the_owner_reads_what_an_answer_means_and_the_agent_reads_a_verb() {
    let check = |purpose: &str, resolution: Resolution, text: &str, meant: &str, verb: &str| {
        let record = settled(plain(purpose), resolution);
        let end = end(&record, &TimeZone::UTC).unwrap();
        assert_eq!(end.text, text, "{purpose}");
        assert!(end.signed.starts_with(meant), "{purpose}: {}", end.signed);
        let message = resume_message(&record).unwrap();
        assert!(message.starts_with(&format!("[pager made {verb}]\n")), "{purpose}: {message}");
    };
    let words = || Resolution::OwnWords("after lunch".to_owned());
    let by = "telegram:4242 in Telegram";
    check("approval", chosen("approve"), "You answered: Approve", by, "APPROVED");
    check("approval", chosen("decline"), "You answered: Decline", "Not approved. telegram", "REJECTED");
    check("approval", words(), "You answered: after lunch", "Not approved. telegram", "REJECTED");
    check("approval", Resolution::Declined, "Declined: not approved.", by, "DECLINED");
    check("action", chosen("done"), "You answered: Done", by, "ANSWERED");
    check("action", chosen("cant"), "You answered: Can't do", "Not done. telegram", "ANSWERED");
    check("action", words(), "You answered: after lunch", "Not done. telegram", "ANSWERED");
    check("action", Resolution::Declined, "Declined: not done.", by, "DECLINED");
    check("verify", chosen("works"), "You answered: It works", by, "ANSWERED");
    check("verify", words(), "You answered: after lunch", "Not verified. telegram", "ANSWERED");
    check("verify", Resolution::Declined, "Declined: not verified.", by, "DECLINED");
    check("decision", chosen("1"), "You answered: Small", by, "ANSWERED");
    check("decision", Resolution::Declined, "Declined: the agent goes on by its own judgement.", by, "DECLINED");
}

#[test]
fn the_note_of_a_decline_is_the_one_of_its_purpose() {
    let note = |purpose: &str| settled(plain(purpose), Resolution::Declined).answer().unwrap().note.clone().unwrap();
    for purpose in ["question", "clarification", "decision"] {
        assert_eq!(note(purpose), pager_questions::answer::DECLINED_NOTE);
    }
    assert_eq!(note("approval"), "Not approved. Do not go on with it, nor by another way.");
    assert_eq!(note("action"), "Not done.");
    assert_eq!(note("verify"), "Not verified.");
}

#[test]
fn an_approval_is_spent_once_and_only_when_it_was_given() {
    let spend = |record: &Record| apply(record, Event::Consume, later()).map(|(record, _)| record);
    let approved = settled(plain("approval"), chosen("approve"));
    let spent = spend(&approved).unwrap();
    assert_eq!((spent.spent_at, spent.revision), (Some(later()), approved.revision + 1));
    assert_eq!(spend(&spent).unwrap_err(), Refusal::Spent);
    for resolution in [chosen("decline"), Resolution::OwnWords("approve".to_owned()), Resolution::Declined] {
        assert_eq!(spend(&settled(plain("approval"), resolution)).unwrap_err(), Refusal::NotApproved);
    }
    let open = Record::asked(plain("approval"));
    let answering = after(&open, claim(chosen("approve"), None));
    let taken = after(&answering, Event::Taken { claim: 2 });
    for record in [open.clone(), answering, taken, settled(plain("verify"), chosen("works"))] {
        assert_eq!(spend(&record).unwrap_err(), Refusal::NotApproved);
    }
    let withdrawn = after(&open, Event::Withdraw { by: samples::asking_agent(), reason: None });
    assert_eq!(spend(&withdrawn).unwrap_err(), Refusal::Withdrawn);
}
