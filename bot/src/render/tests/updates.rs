//! Updates as they look, and what holds for every one of them.

use pager_questions::update::Mark;
use pager_questions::{Update, UpdateDraft};
use teloxide::types::MessageEntity;

use super::*;
use crate::render::builder::units;

const PAGE: &str = "https://pager.example/updates#u-9f3c2a715be04d18";

fn published(body: Value) -> Update {
    let draft = UpdateDraft::read(body, &Author::parse("ci").unwrap()).unwrap();
    draft.publish(&Incarnation::parse("9f3c2a715be04d18").unwrap(), Time::parse("2026-11-30T13:22:15Z").unwrap())
}

fn released() -> Update {
    published(json!({
        "title": "Released 2.4", "body": "All checks passed.\nNothing is left to do.",
        "links": [{"label": "Notes", "url": "https://example.org/2.4"}, {"label": "Build", "url": "http://localhost:8080/7"}],
        "media": [{"url": "https://example.org/2.4.png", "mime_type": "image/png", "alt": "The new page"},
                  {"url": "https://example.org/2.4.pdf", "mime_type": "application/pdf"}],
        "issue": {"tracker": "github", "key": "#7", "url": "https://github.com/o/r/issues/7"},
        "source": {"task": "release"},
    }))
}

fn shown(update: &Update) -> Message {
    super::super::update(update, PAGE, &zone())
}

fn marked(update: &Update, mark: Mark) -> Update {
    update.marked(mark, Time::parse("2026-11-30T13:25:03.120Z").unwrap())
}

fn buttons(message: &Message) -> Vec<(&str, &str)> {
    message.keyboard.iter().flatten().map(|button| (button.label.as_str(), button.data.as_str())).collect()
}

/// The pieces that are links, and where they lead.
fn links(message: &Message) -> Vec<(String, String)> {
    let text: Vec<u16> = message.text.encode_utf16().collect();
    let piece = |entity: &MessageEntity| String::from_utf16(&text[entity.offset..entity.offset + entity.length]).unwrap();
    let address = |entity: &MessageEntity| match &entity.kind {
        MessageEntityKind::TextLink { url } => Some(url.to_string()),
        _ => None,
    };
    message.entities.iter().filter_map(|entity| Some((piece(entity), address(entity)?))).collect()
}

#[test]
fn an_update_shows_its_title_its_body_its_links_and_whose_it_is() {
    let message = shown(&released());
    insta::assert_snapshot!(message.text, @r"
    Released 2.4

    All checks passed.
    Nothing is left to do.

    🔗 Notes
    🔗 Build: http://localhost:8080/7
    🖼 The new page
    📎 application/pdf

    Published by ci
    Task release
    Issue github #7
    30 Nov 2026, 14:22
    ");
    assert_eq!((&message.entities[0].kind, message.entities[0].length), (&MessageEntityKind::Bold, "Released 2.4".len()));
    let leads = |name: &str, url: &str| (name.to_owned(), url.to_owned());
    let expected = [
        leads("Notes", "https://example.org/2.4"),
        leads("The new page", "https://example.org/2.4.png"),
        leads("application/pdf", "https://example.org/2.4.pdf"),
        leads("github #7", "https://github.com/o/r/issues/7"),
    ];
    assert_eq!(links(&message), expected);
}

#[test]
fn its_buttons_are_what_can_still_be_done_with_it() {
    let unread = released();
    let (read, dismiss) = (("Read", "u:9f3c2a715be04d18:r"), ("Dismiss", "u:9f3c2a715be04d18:d"));
    assert_eq!(shown(&unread).keyboard.len(), 1, "in one row");
    assert_eq!(buttons(&shown(&unread)), [read, dismiss]);
    assert_eq!(buttons(&shown(&marked(&unread, Mark::Read))), [dismiss]);
    let dismissed = shown(&marked(&unread, Mark::Dismiss));
    assert_eq!(buttons(&dismissed), []);
    assert!(dismissed.text.ends_with("\n30 Nov 2026, 14:22\n\nDismissed 30 Nov 2026, 14:25"), "{}", dismissed.text);
}

#[test]
fn what_does_not_fit_is_cut_with_a_mark_and_the_way_to_the_page() {
    // Each of these takes ten units when it is shown as an escape.
    let hidden = "\u{e0041}".repeat(1999);
    let message = shown(&published(json!({"title": "Long", "body": format!("x{hidden}")})));
    assert!(units(&message.text) <= MOST_UNITS && units(&message.text) > MOST_UNITS - 200, "{}", units(&message.text));
    assert!(message.text.ends_with("…\n\nPublished by ci\n30 Nov 2026, 14:22\n\nCut. The page has it whole"), "{}", message.text);
    assert_eq!(links(&message), [("The page has it whole".to_owned(), PAGE.to_owned())]);
    let local =
        super::super::update(&published(json!({"title": "Long", "body": format!("x{hidden}")})), "http://localhost/#u", &zone());
    assert!(local.text.ends_with("Cut. The page has it whole: http://localhost/#u"), "what cannot be a link: {}", local.text);
}

#[test]
fn what_hides_is_shown_in_every_part() {
    let message = shown(&published(json!({
        "title": "a\u{202e}b\nc", "body": "d\u{200b}e", "links": [{"label": "f\u{2066}g", "url": "https://example.org"}],
        "media": [{"url": "https://example.org", "mime_type": "image/png", "alt": "h\u{feff}i"}], "source": {"run": "j\u{202d}k"},
    })));
    for shown in ["a\\u{202e}b c\n", "d\\u{200b}e", "f\\u{2066}g", "h\\u{feff}i", "j\\u{202d}k"] {
        assert!(message.text.contains(shown), "{shown}: {}", message.text);
    }
}

#[test]
fn the_largest_update_fits_with_its_links_and_its_source() {
    let widest = |count: usize| "👍".repeat(count);
    let link = json!({"label": widest(200), "url": format!("http://localhost/{}", "a".repeat(1900))});
    let media = json!({"url": format!("http://localhost/{}", "a".repeat(1900)), "mime_type": "image/png", "alt": widest(200)});
    let update = published(json!({
        "title": widest(200), "body": widest(2000), "links": vec![link; 8], "media": vec![media; 8],
        "issue": {"tracker": widest(50), "key": widest(100), "url": "http://localhost/"},
        "source": {"run": widest(200), "task": widest(200), "project": widest(200), "seat_hint": widest(200)},
    }));
    for update in [marked(&update, Mark::Dismiss), update] {
        let message = shown(&update);
        assert!(units(&message.text) <= MOST_UNITS);
        assert!(message.text.contains("🔗 👍") && message.text.contains("Published by ci"), "{}", message.text);
    }
}

#[test]
fn a_topic_of_updates_is_named_after_its_source() {
    let source = Author::parse("control/ci").unwrap();
    assert_eq!(updates_topic_name(&source), "Updates of control/ci");
    assert_eq!(updates_topic_name_with_sign(&source), "🗞 Updates of control/ci");
}

#[test]
fn a_press_on_what_was_done_before_says_when() {
    let said = |update: &Update| toasts::update(update, &zone());
    let unread = released();
    assert_eq!(said(&unread), "");
    assert_eq!(said(&marked(&unread, Mark::Read)), "Read before, 30 Nov 2026, 14:25.");
    assert_eq!(said(&marked(&unread, Mark::Dismiss)), "Dismissed before, 30 Nov 2026, 14:25.");
}

proptest! {
    #[test]
    fn any_update_fits_and_its_entities_lie_in_order_within_it(title in "\\PC{1,200}", body in "[\\PC\\n\u{e0000}-\u{e00ff}\u{200b}]{1,2000}", label in "\\PC{1,200}", address in "\\PC{0,60}") {
        let body = json!({
            "title": format!("x{}", title.chars().take(199).collect::<String>()), "body": format!("x{}", body.chars().take(1999).collect::<String>()),
            "links": [{"label": format!("x{}", label.chars().take(199).collect::<String>()), "url": format!("https://{address}")}],
        });
        let Ok(draft) = UpdateDraft::read(body, &Author::parse("ci").unwrap()) else { return Ok(()) };
        let message = shown(&draft.publish(&Incarnation::from_random([1; 8]), Time::from_millis(0)));
        let length = units(&message.text);
        prop_assert!((1..=MOST_UNITS).contains(&length));
        let mut end = 0;
        for entity in &message.entities {
            prop_assert!(entity.length > 0 && entity.offset >= end, "{:?}", message.entities);
            end = entity.offset + entity.length;
        }
        prop_assert!(end <= length);
    }
}
