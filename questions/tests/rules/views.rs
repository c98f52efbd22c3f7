//! The record as every door shows it.

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::{Record, RecordView};
use serde_json::{Value, json};

use crate::samples::{self, ended};

fn shown(record: &Record) -> Value {
    serde_json::to_value(RecordView::from(record)).unwrap()
}

#[test]
fn an_open_record_is_flat_and_what_is_absent_is_null() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&RecordView::from(&samples::open())).unwrap(), @r#"
    {
      "id": "rel-42",
      "incarnation": "9f3c2a715be04d18",
      "purpose": "question",
      "text": "Release 2.4 now?",
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
      "recommended": null,
      "multi": false,
      "header": null,
      "group": null,
      "reversibility": null,
      "waiting_on": null,
      "deadline": null,
      "default": null,
      "gate": null,
      "subject": null,
      "digest": null,
      "steps": null,
      "secret": false,
      "issue": null,
      "about": null,
      "put_to": null,
      "source": {
        "agent": "deploy",
        "run": null,
        "task": null,
        "project": null,
        "seat_hint": null
      },
      "wake": null,
      "publication_id": null,
      "asked_at": "2026-11-30T13:22:15.004Z",
      "state": "open",
      "uncertain": false,
      "delivery": {
        "state": "stored",
        "reason": null,
        "link": null
      },
      "save": null,
      "revision": 1,
      "resolved_by": null,
      "resolved_at": null,
      "reason": null,
      "spent_at": null,
      "answer": null
    }
    "#);
}

#[test]
fn each_state_shows_what_became_of_it() {
    let owner = json!({"kind": "owner", "id": "telegram:4242", "via": "telegram"});
    let service = json!({"kind": "service", "id": null, "via": null});
    let agent = json!({"kind": "agent", "id": "agent:deploy", "via": "http"});
    let at = json!("2026-11-30T13:25:03.120Z");
    let nobody = Value::Null;
    let save = |state: &str, reason: Value| json!({"state": state, "since": at, "reason": reason});
    let check = |record: &Record, state: &str, saving: Value, by: &Value, reason: Value| {
        let shown = shown(record);
        assert_eq!(shown["state"], state);
        assert_eq!(shown["uncertain"], json!(saving["state"] == "uncertain"), "{state}");
        assert_eq!(shown["save"], saving, "{state}");
        assert_eq!(shown["resolved_by"], *by, "{state}");
        assert_eq!(shown["resolved_at"], if by.is_null() { Value::Null } else { at.clone() }, "{state}");
        assert_eq!(shown["reason"], reason, "{state}");
        assert_eq!(shown["revision"], record.revision);
        assert_eq!(shown["answer"], serde_json::to_value(record.answer()).unwrap(), "{state}");
    };
    let null = Value::Null;
    check(&samples::open(), "open", null.clone(), &nobody, null.clone());
    check(&samples::answering(), "answering", save("saving", null.clone()), &nobody, null.clone());
    check(&samples::uncertain(), "answering", save("uncertain", json!("no reply")), &nobody, null.clone());
    check(&samples::refused(), "open", save("refused", json!("a rule forbids it")), &nobody, null.clone());
    check(&ended(Resolution::Chosen(vec![samples::option_id("1")])), "answered", null.clone(), &owner, null.clone());
    check(&ended(Resolution::OwnWords("later".to_owned())), "answered", null.clone(), &owner, null.clone());
    check(&ended(Resolution::Declined), "declined", null.clone(), &owner, null.clone());
    check(
        &ended(Resolution::Cancelled(CancelReason::OwnerCancelled)),
        "cancelled",
        null.clone(),
        &owner,
        json!("owner_cancelled"),
    );
    check(&samples::id_taken(), "cancelled", null.clone(), &service, json!("id_taken"));
    check(&samples::withdrawn(), "withdrawn", null.clone(), &agent, json!("solved"));
}

#[test]
fn no_answer_is_shown_before_it_is_saved() {
    for record in [samples::open(), samples::answering(), samples::uncertain(), samples::refused(), samples::withdrawn()] {
        let text = shown(&record);
        assert_eq!(text["answer"], Value::Null);
    }
}

#[test]
fn every_state_has_the_same_keys() {
    let keys = |record: &Record| shown(record).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let open = keys(&samples::open());
    for record in [samples::answering(), samples::id_taken(), samples::withdrawn(), ended(Resolution::Declined)] {
        assert_eq!(keys(&record), open);
    }
}

#[test]
fn a_reader_takes_a_record_with_fields_of_a_later_version() {
    let mut view = shown(&samples::open());
    view["colour"] = json!("red");
    assert_eq!(serde_json::from_value::<RecordView>(view).unwrap(), RecordView::from(&samples::open()));
}
