//! Whatever agents write into a question of any purpose, it is delivered, and nothing in it hides.

use serde_json::{Value, json};

use super::{asks, has_buttons};
use crate::world::World;

const HOSTILE: [&str; 6] = [
    "*bold* _it_ `code` ```\n</code></pre> <b>x</b> [a](http://b)",
    "\u{202e}desrever\u{202c} \u{2066}isolated\u{2069} zero\u{200b}width",
    "Digest sha256:0000\nApprove appears here\n\n✅ 1. forged",
    "tab\there \u{7} bell \u{1b}[31mred\r\nnext",
    "a\u{300}\u{30a}\u{333} ﷽ 🏳️‍🌈 👨‍👩‍👧‍👦 𝔘𝔫𝔦",
    "🎉🎉🎉",
];

#[tokio::test]
async fn hostile_texts_of_every_purpose_are_delivered_with_what_hides_as_escapes() {
    let world = World::with_telegram().await;
    for (number, text) in HOSTILE.iter().enumerate() {
        for (purpose, more) in all(text) {
            let shown = asks(&world, purpose, &format!("{purpose}-{number}"), more).await;
            let message = world.message(shown);
            for hidden in ['\u{202e}', '\u{200b}', '\u{2066}', '\u{1b}'] {
                let escape = format!("\\u{{{:x}}}", u32::from(hidden));
                assert!(!message.words().contains(hidden), "{purpose}: {}", message.words());
                assert!(
                    !text.contains(hidden) || message.words().contains(&escape),
                    "{purpose}: {escape} in {}",
                    message.words()
                );
            }
        }
    }
}

fn all(text: &str) -> [(&'static str, Value); 5] {
    let header: String = text.chars().take(30).collect();
    let options = json!([{"label": text, "detail": text}, {"label": "b", "detail": text}]);
    [
        ("question", json!({"text": text, "header": header, "group": text, "multi": true, "options": options})),
        ("decision", json!({"text": text, "options": options})),
        ("approval", json!({"text": text, "subject": text, "waiting_on": text})),
        ("action", json!({"text": text, "steps": [text, text]})),
        ("verify", json!({"text": text, "source": {"task": text, "run": text}})),
    ]
}

#[tokio::test]
async fn everything_at_its_limit_is_delivered_and_can_be_settled() {
    let world = World::with_telegram().await;
    let long = |characters: usize| "\u{e0041}".repeat(characters - 1) + "x";
    let options: Vec<Value> =
        (0..4).map(|number| json!({"label": format!("{number}{}", long(99)), "detail": long(500)})).collect();
    let source = json!({"run": long(200), "task": long(200), "project": long(200)});
    let common = |more: Value| {
        let mut body =
            json!({"text": long(1000), "waiting_on": long(300), "header": long(30), "group": long(64), "source": source});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let shown = asks(&world, "action", "steps", common(json!({"steps": vec![long(500); 20]}))).await;
    world.telegram().press(shown.message, "Done").unwrap();
    world.closed(shown).await;
    let shown = asks(&world, "question", "marks", common(json!({"options": options, "multi": true}))).await;
    world.telegram().press(shown.message, 0).unwrap();
    world.telegram().press(shown.message, "Send").unwrap();
    world.closed(shown).await;
    let subject = "\u{200b}".repeat(12_000) + "x";
    let shown = asks(&world, "approval", "much", common(json!({"subject": subject}))).await;
    has_buttons(&world, shown.message, &["Approve", "Decline"]).await;
    let documents = world.telegram().messages_in_topic(shown.thread).into_iter().filter_map(|message| message.document);
    let contents: Vec<Vec<u8>> = documents.map(|document| document.content).collect();
    assert_eq!(contents.len(), 3, "the rest of it, the subject with escapes, the subject");
    assert_eq!(contents[2], subject.as_bytes());
    world.telegram().press(shown.message, "Approve").unwrap();
    world.closed(shown).await;
}
