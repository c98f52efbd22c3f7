//! Replies that list questions.

use super::*;

#[test]
fn what_waits_is_listed_with_its_link_and_how_much_more_there_is() {
    let mut hard = release();
    hard.delivery.link = Some("https://t.me/c/1001/7/8".to_owned());
    insta::assert_snapshot!(replies::open(&[hard.clone(), clarification()], 14, ChatKind::Forum), @"
    14 questions wait.

    • ⚠️ Release 2.4 now?
       https://t.me/c/1001/7/8

    • Which region?

    … and 12 more.
    ");
    insta::assert_snapshot!(replies::open(&[hard], 1, ChatKind::Flat), @"
    1 question waits.

    • ⚠️ Release 2.4 now?
       key 9f3c2a
       https://t.me/c/1001/7/8
    ");
    assert_eq!(replies::open(&[], 0, ChatKind::Flat), "Nothing waits for you.");
}

#[test]
fn lists_of_the_longest_titles_fit_a_message() {
    let mut record = asked(json!({"text": "😀".repeat(1000), "waiting_on": "all", "reversibility": "hard_to_reverse"}));
    record.delivery.link = Some(format!("https://pager.example/{}", "x".repeat(1000)));
    let records = vec![record; 10];
    for text in [replies::open(&records, 1_000_000, ChatKind::Flat), replies::ambiguous_key("9f3c", &records)] {
        assert!(text.encode_utf16().count() <= MOST_UNITS, "{}", text.encode_utf16().count());
    }
}
