//! Lengths at their edges: measured in characters after trimming, by one rule, and kept as received.

use serde_json::{Value, json};

use crate::drafts::{asked, body, check_refused, read};

/// Sets the field at the path of a body that is otherwise fine.
fn with(path: &str, text: &str) -> Value {
    let mut body = body(json!({
        "issue": {"tracker": "gh", "key": "12", "url": "https://x.example"},
        "source": {},
    }));
    let (parent, name) = path.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap()[name] = json!(text);
    body
}

const LIMITS: [(&str, &str, usize); 15] = [
    ("/text", "text", 1000),
    ("/header", "header", 30),
    ("/group", "group", 64),
    ("/waiting_on", "waiting_on", 300),
    ("/publication_id", "publication_id", 200),
    ("/options/1/label", "options[1].label", 100),
    ("/options/0/detail", "options[0].detail", 500),
    ("/issue/tracker", "issue.tracker", 50),
    ("/issue/key", "issue.key", 100),
    ("/source/run", "source.run", 200),
    ("/source/task", "source.task", 200),
    ("/source/project", "source.project", 200),
    ("/source/seat_hint", "source.seat_hint", 200),
    ("/options/0/id", "options[0].id", 32),
    ("/id", "id", 64),
];

#[test]
fn each_text_is_taken_up_to_its_limit_and_not_one_character_beyond() {
    for (path, field, most) in LIMITS {
        let fits = "a".repeat(most);
        assert!(read(with(path, &fits)).is_ok(), "{field} with {most} characters");
        check_refused(with(path, &format!("{fits}a")), "invalid", field);
    }
}

#[test]
fn a_character_is_one_whatever_it_takes_in_bytes_and_the_rim_is_not_counted() {
    for (path, field, most) in LIMITS.into_iter().filter(|(path, ..)| !path.ends_with("id") || *path == "/publication_id") {
        assert!(read(with(path, &format!(" \n{}\t ", "é".repeat(most)))).is_ok(), "{field}");
        assert!(read(with(path, &"😀".repeat(most))).is_ok(), "{field}");
        check_refused(with(path, &"😀".repeat(most + 1)), "invalid", field);
    }
}

#[test]
fn no_text_is_blank_or_holds_u_0000() {
    for (path, field, _) in LIMITS.into_iter().filter(|(path, ..)| !path.ends_with("/id")) {
        for blank in ["", "  \n", "\u{200b}\u{200d}", "\u{202e} \u{2066}", "\u{feff}", "\u{fe0f}", "\u{3164}"] {
            check_refused(with(path, blank), "invalid", field);
        }
        check_refused(with(path, "a\u{0}b"), "invalid", field);
    }
}

#[test]
fn texts_stay_as_received() {
    let question = asked(body(json!({"text": "  Release\r\n\u{202e}now? ", "waiting_on": " x "})));
    assert_eq!(question.text, "  Release\r\n\u{202e}now? ");
    assert_eq!(question.waiting_on.as_deref(), Some(" x "));
}

#[test]
fn a_question_has_two_to_four_options() {
    let many = |count: usize| {
        let options: Vec<Value> = (0..count).map(|index| json!({"label": format!("Option {index}")})).collect();
        body(json!({"options": options}))
    };
    for count in 2..=4 {
        assert!(read(many(count)).is_ok(), "{count}");
    }
    for count in [1, 5, 100] {
        check_refused(many(count), "invalid", "options");
    }
}

#[test]
fn a_link_has_at_most_2000_characters() {
    let url = |length: usize| format!("https://x.example/{}", "a".repeat(length - 18));
    assert!(read(with("/issue/url", &url(2000))).is_ok());
    check_refused(with("/issue/url", &url(2001)), "invalid", "issue.url");
}
