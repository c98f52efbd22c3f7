//! Records and updates for the tests of the terminal.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use pager_questions::Time;
use serde_json::{Value, json};

use super::wire::{Question, Update};

/// 30 November 2026, 13:25:03.
pub fn now() -> Time {
    Time::parse("2026-11-30T13:25:03.000Z").unwrap()
}

/// Sixteen digits that are the same for the same id.
pub fn incarnation(id: &str) -> String {
    let sum = id.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("{sum:016x}")
}

/// An open question with two options, as pagerd sends it.
pub fn record(id: &str) -> Value {
    json!({
        "id": id, "incarnation": incarnation(id), "purpose": "question", "text": format!("Release {id} now?"),
        "options": [{"id": "yes", "label": "Yes, release"}, {"id": "no", "label": "No", "detail": "The next window is on Monday"}],
        "recommended": "yes", "multi": false, "header": null, "group": null, "reversibility": "reversible", "waiting_on": null,
        "deadline": null, "default": null, "gate": null, "subject": null, "digest": null, "steps": null, "secret": false,
        "issue": null, "about": null, "source": {"agent": "deployer", "run": null, "task": null, "project": null, "seat_hint": null},
        "wake": null, "publication_id": null, "asked_at": "2026-11-30T13:22:15.004Z", "state": "open", "uncertain": false,
        "delivery": {"state": "stored", "reason": null, "link": null}, "save": null, "revision": 1, "resolved_by": null,
        "resolved_at": null, "reason": null, "answer": null,
    })
}

/// The record with some members changed.
pub fn with(id: &str, changes: Value) -> Question {
    let mut record = record(id);
    for (name, value) in changes.as_object().unwrap() {
        record[name] = value.clone();
    }
    serde_json::from_value(record).unwrap()
}

/// The record as a question.
pub fn question(id: &str) -> Question {
    with(id, json!({}))
}

/// The answer of an outcome.
pub fn answer(id: &str, outcome: &str) -> Value {
    let by = match outcome {
        "defaulted" | "expired" => json!({"kind": "deadline", "id": null, "via": null}),
        _ => json!({"kind": "owner", "id": "telegram:4242", "via": "telegram"}),
    };
    let said = match outcome {
        "chosen" => json!("Yes, release"),
        "own_words" => json!("after lunch"),
        _ => Value::Null,
    };
    json!({
        "id": id, "incarnation": incarnation(id), "outcome": outcome, "answer": said, "at": "2026-11-30T13:25:03.120Z", "by": by,
        "default": (outcome == "defaulted").then_some("no"), "reason": (outcome == "cancelled").then_some("owner_cancelled"),
    })
}

/// The question after it ended so.
pub fn ended(id: &str, outcome: &str) -> Question {
    let answer = answer(id, outcome);
    let state = if matches!(outcome, "chosen" | "own_words") { "answered" } else { outcome };
    if outcome == "withdrawn" {
        let by = json!({"kind": "agent", "id": "agent:deployer", "via": "http"});
        return with(
            id,
            json!({"state": state, "resolved_by": by, "resolved_at": "2026-11-30T13:25:03.120Z", "reason": "the tests settled it"}),
        );
    }
    with(
        id,
        json!({
            "state": state, "resolved_by": answer["by"], "resolved_at": answer["at"], "reason": answer["reason"], "answer": answer,
            "revision": 3,
        }),
    )
}

/// An update.
pub fn update(number: u64, state: &str) -> Update {
    serde_json::from_value(json!({
        "id": format!("u-{number:016x}"), "title": format!("Nightly {number} finished"), "body": "All 1,204 tests passed.\nTook 31 minutes.",
        "links": [{"label": "The run", "url": "https://ci.example/runs/7"}], "media": [{"url": "https://ci.example/plot.png", "mime_type": "image/png", "alt": "How long it took"}],
        "issue": {"tracker": "github", "key": "#12", "url": "https://github.example/12"},
        "source": {"agent": "nightly", "run": "7", "task": null, "project": "website", "seat_hint": null},
        "at": "2026-11-30T12:25:03.000Z", "state": state, "read_at": null, "dismissed_at": null, "publication_id": null,
    }))
    .unwrap()
}
