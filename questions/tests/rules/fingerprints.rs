//! Which drafts are the same question asked again, and which are another.

use serde_json::json;

use crate::drafts::{asked, body, read};

#[test]
fn the_id_the_publication_and_the_time_do_not_make_another_question() {
    let plain = read(body(json!({}))).unwrap();
    let named = read(body(json!({"id": "rel-42", "publication_id": "p-1"}))).unwrap();
    assert_eq!(plain.fingerprint(), named.fingerprint());
    let mut question = asked(body(json!({})));
    assert_eq!(pager_questions::draft::fingerprint(&question), plain.fingerprint());
    question.asked_at = question.asked_at.plus_millis(1);
    question.incarnation = pager_questions::Incarnation::from_random([9; 8]);
    assert_eq!(pager_questions::draft::fingerprint(&question), plain.fingerprint());
    assert_eq!(plain.fingerprint().len(), 64);
}

#[test]
fn everything_that_is_asked_makes_another_question() {
    let mut seen = vec![read(body(json!({}))).unwrap().fingerprint()];
    let changes = [
        json!({"text": "Release then?"}),
        json!({"options": [{"label": "Yes"}, {"label": "Later"}]}),
        json!({"options": [{"label": "No"}, {"label": "Yes"}]}),
        json!({"options": [{"id": "y", "label": "Yes"}, {"label": "No"}]}),
        json!({"options": [{"label": "Yes", "detail": "at once"}, {"label": "No"}]}),
        json!({"recommended": "1"}),
        json!({"header": "Release"}),
        json!({"reversibility": "reversible"}),
        json!({"reversibility": "hard_to_reverse"}),
        json!({"waiting_on": "the release"}),
        json!({"issue": {"tracker": "gh", "key": "1", "url": "https://x.example/1"}}),
        json!({"issue": {"tracker": "gh", "key": "2", "url": "https://x.example/1"}}),
        json!({"multi": true}),
        json!({"group": "set-1"}),
        json!({"secret": true}),
        json!({"wake": "nightly"}),
        json!({"source": {"task": "t"}}),
        json!({"source": {"project": "t"}}),
        json!({"source": {"run": "t"}}),
        json!({"source": {"seat_hint": "t"}}),
    ];
    for change in changes {
        let fingerprint = read(body(change.clone())).unwrap().fingerprint();
        assert!(!seen.contains(&fingerprint), "{change}");
        seen.push(fingerprint);
    }
}
