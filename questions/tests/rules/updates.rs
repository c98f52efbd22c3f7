//! News for the owner: what may be published, and what reading and dismissing do.

use pager_questions::control::{Act, ControlEvent};
use pager_questions::update::Mark;
use pager_questions::{Incarnation, Time, Update, UpdateDraft, UpdateState};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::samples;

fn body(changes: Value) -> Value {
    let mut body = json!({"title": "Released 2.4", "body": "All checks passed."});
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    body
}

fn draft(changes: Value) -> UpdateDraft {
    UpdateDraft::read(body(changes), &samples::agent()).unwrap()
}

fn published(changes: Value) -> Update {
    draft(changes).publish(&Incarnation::from_random([7; 8]), time(1000))
}

fn time(millis: i64) -> Time {
    Time::from_millis(millis)
}

#[track_caller]
fn refused(changes: Value, code: &str, field: &str) {
    let fault = UpdateDraft::read(body(changes.clone()), &samples::agent()).expect_err("it was taken");
    assert_eq!((fault.code.as_str(), fault.field.as_str()), (code, field), "{changes}: {fault}");
    assert!(!fault.detail.is_empty());
}

#[test]
fn an_update_is_written_flat_with_these_keys_in_this_order() {
    let update = published(json!({
        "links": [{"label": "Log", "url": "https://ci.example/7"}],
        "media": [{"url": "https://ci.example/7.png", "mime_type": "image/png"}],
        "source": {"run": "7", "agent": "root"}, "publication_id": "pub-1",
    }));
    insta::assert_snapshot!(serde_json::to_string_pretty(&update).unwrap(), @r#"
    {
      "id": "u-0707070707070707",
      "title": "Released 2.4",
      "body": "All checks passed.",
      "links": [
        {
          "label": "Log",
          "url": "https://ci.example/7"
        }
      ],
      "media": [
        {
          "url": "https://ci.example/7.png",
          "mime_type": "image/png",
          "alt": null
        }
      ],
      "issue": null,
      "source": {
        "agent": "deploy",
        "run": "7",
        "task": null,
        "project": null,
        "seat_hint": null
      },
      "at": "1970-01-01T00:00:01.000Z",
      "state": "unread",
      "read_at": null,
      "dismissed_at": null,
      "publication_id": "pub-1"
    }
    "#);
}

#[test]
fn title_and_body_are_required_bounded_and_not_blank() {
    for (field, most) in [("title", 200), ("body", 2000)] {
        for wrong in [json!(null), json!(""), json!(" \u{200b}\n"), json!("a\0b"), json!("ä".repeat(most + 1)), json!(7)] {
            refused(json!({ field: wrong }), "invalid", field);
        }
        let longest = format!("  {}\n", "👍".repeat(most));
        let update = published(json!({ field: longest }));
        assert_eq!(serde_json::to_value(&update).unwrap()[field], longest, "as received");
    }
}

#[test]
fn at_most_eight_links_and_eight_media_are_taken_and_the_field_at_fault_is_named() {
    let link = json!({"label": "Log", "url": "https://ci.example/7"});
    let media = json!({"url": "http://ci.example/7.png", "mime_type": "image/svg+xml", "alt": "A chart"});
    let update = published(json!({"links": vec![link.clone(); 8], "media": vec![media.clone(); 8]}));
    assert_eq!((update.links.len(), update.media.len()), (8, 8));
    refused(json!({"links": vec![link.clone(); 9]}), "invalid", "links");
    refused(json!({"media": vec![media.clone(); 9]}), "invalid", "media");
    let with = |object: &Value, field: &str, value: Value| {
        let mut object = object.clone();
        object[field] = value;
        object
    };
    for (field, wrong) in [("label", json!(" ")), ("label", json!("ü".repeat(201))), ("url", json!(null))] {
        refused(json!({"links": [link, with(&link, field, wrong)]}), "invalid", &format!("links[1].{field}"));
    }
    for wrong in ["image", "image/", "/png", "image/png; q=1", "image png/x", "image/p/g", "-x/y", "a\u{202e}/b"] {
        refused(json!({"media": [with(&media, "mime_type", json!(wrong))]}), "invalid", "media[0].mime_type");
    }
    refused(json!({"media": [with(&media, "alt", json!("ü".repeat(201)))]}), "invalid", "media[0].alt");
    refused(json!({"links": {}}), "invalid", "links");
    refused(json!({"links": ["https://ci.example"]}), "invalid", "links[0]");
}

#[test]
fn addresses_are_http_or_https_everywhere() {
    for wrong in [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "//ci.example",
        "https://",
        "http:///x",
        "ftp://a.example",
        "https://a b",
        "https://a\u{7}",
    ] {
        refused(json!({"links": [{"label": "Log", "url": wrong}]}), "invalid", "links[0].url");
        refused(json!({"media": [{"url": wrong, "mime_type": "image/png"}]}), "invalid", "media[0].url");
        refused(json!({"issue": {"tracker": "t", "key": "k", "url": wrong}}), "invalid", "issue.url");
    }
}

#[test]
fn unknown_fields_are_refused_by_name() {
    let link = json!({"label": "Log", "url": "https://ci.example/7", "rel": "x"});
    refused(json!({"colour": "red"}), "unknown_field", "colour");
    refused(json!({"links": [link]}), "unknown_field", "links[0].rel");
    refused(json!({"media": [{"url": "https://a.b", "mime_type": "a/b", "size": 7}]}), "unknown_field", "media[0].size");
    refused(json!({"source": {"host": "x"}}), "unknown_field", "source.host");
    for stamped in ["id", "at", "state", "read_at"] {
        refused(json!({ stamped: "x" }), "unknown_field", stamped);
    }
}

#[test]
fn the_agent_is_whoever_proved_to_be_it() {
    assert_eq!(published(json!({"source": {"agent": "root", "seat_hint": "laptop"}})).source.agent, samples::agent());
    let event = json!({"type": "update", "title": "t", "body": "b", "agent": "ci", "sent_at": 5, "sender": {"id": 1}});
    let event = ControlEvent::read(event).unwrap();
    let Act::Update(draft) = event.act else { panic!("it is news") };
    assert_eq!(draft.publish(&Incarnation::from_random([1; 8]), time(5)).source.agent.as_str(), "control/ci");
    assert_eq!(ControlEvent::read(json!({"type": "update", "title": "t"})).unwrap_err().field, "body");
}

#[test]
fn a_draft_is_known_again_whatever_its_publication_and_changed_by_every_field() {
    let print = |changes: Value| draft(changes).fingerprint();
    let plain = print(json!({}));
    assert_eq!(plain, print(json!({"publication_id": "pub-1", "issue": null})));
    let update = published(json!({"publication_id": "pub-2"}));
    assert_eq!(plain, update.marked(Mark::Dismiss, time(9)).fingerprint(), "also of what was dismissed since");
    for changed in [
        json!({"title": "Released 2.5"}),
        json!({"body": "All checks passed"}),
        json!({"links": [{"label": "Log", "url": "https://ci.example/7"}]}),
        json!({"media": [{"url": "https://ci.example/7.png", "mime_type": "image/png"}]}),
        json!({"issue": {"tracker": "t", "key": "k", "url": "https://t.example/k"}}),
        json!({"source": {"task": "release"}}),
    ] {
        assert_ne!(plain, print(changed.clone()), "{changed}");
    }
}

#[test]
fn it_is_read_and_then_dismissed_and_either_may_be_repeated() {
    let unread = published(json!({}));
    let read = unread.marked(Mark::Read, time(5));
    assert_eq!(read.state, UpdateState::Read { at: time(5) });
    assert_eq!(read.marked(Mark::Read, time(6)), read);
    let dismissed = read.marked(Mark::Dismiss, time(7));
    assert_eq!(dismissed.state, UpdateState::Dismissed { at: time(7), read_at: Some(time(5)) });
    assert_eq!(dismissed.marked(Mark::Dismiss, time(8)), dismissed);
}

#[test]
fn reading_what_was_dismissed_unread_changes_nothing() {
    let dismissed = published(json!({})).marked(Mark::Dismiss, time(5));
    assert_eq!(dismissed.state, UpdateState::Dismissed { at: time(5), read_at: None });
    assert_eq!(dismissed.marked(Mark::Read, time(6)), dismissed);
}

#[test]
fn a_state_whose_times_do_not_fit_is_not_read_back() {
    let mut written = serde_json::to_value(published(json!({}))).unwrap();
    for (state, read_at, dismissed_at) in [
        ("read", Value::Null, Value::Null),
        ("dismissed", json!("2026-11-30T13:25:03.120Z"), Value::Null),
        ("unread", json!("2026-11-30T13:25:03.120Z"), Value::Null),
        ("gone", Value::Null, Value::Null),
    ] {
        written["state"] = state.into();
        (written["read_at"], written["dismissed_at"]) = (read_at, dismissed_at);
        assert!(serde_json::from_value::<Update>(written.clone()).is_err(), "{written}");
    }
}

proptest! {
    #[test]
    fn whatever_the_owner_does_it_only_moves_on_and_reads_back(marks: Vec<bool>) {
        let rank = |update: &Update| ["unread", "read", "dismissed"].iter().position(|name| *name == update.state.name());
        let mut update = published(json!({}));
        for (moment, is_read) in marks.into_iter().enumerate() {
            let mark = if is_read { Mark::Read } else { Mark::Dismiss };
            let next = update.marked(mark, time(i64::try_from(moment).unwrap()));
            prop_assert!(rank(&next) >= rank(&update));
            prop_assert_eq!(next == update, rank(&next) == rank(&update), "a stamp is set once");
            let written = serde_json::to_string(&next).unwrap();
            prop_assert_eq!(serde_json::from_str::<Update>(&written).unwrap(), next.clone());
            update = next;
        }
    }

    #[test]
    fn no_body_panics(title in "\\PC*", url in "\\PC*", mime in "\\PC*") {
        let body = json!({"title": title, "body": title, "media": [{"url": url, "mime_type": mime}], "links": [{"label": title, "url": url}]});
        let _ = UpdateDraft::read(body, &samples::agent());
    }
}
