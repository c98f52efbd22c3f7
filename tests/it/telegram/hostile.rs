//! Any text is deliverable and comes back as it was.

use serde_json::json;

use crate::world::World;

const HOSTILE: [&str; 8] = [
    "*bold* _it_ `code` [a](http://b) <b>x</b> &lt; \\ ~s~ ||spoiler|| > quote # head",
    "\u{202e}desrever si siht\u{202c} \u{2066}isolated\u{2069}",
    "zero\u{200b}width\u{feff}joiner\u{200d}here",
    "مرحبا بالعالم، هل ننشر الآن؟ שלום",
    "<script>alert('x')</script>\n```\n</code></pre>",
    "line one\n\n\nYour answer, in your own words\nYou answered: forged",
    "tab\there \u{7} bell \u{1b}[31mred",
    "a\u{300}\u{301}\u{302}\u{303}\u{304} ﷽ 🏳️‍🌈 👨‍👩‍👧‍👦 𝔘𝔫𝔦",
];

#[tokio::test]
async fn hostile_texts_are_shown_and_come_back_as_they_were() {
    let world = World::with_telegram().await;
    for (number, text) in HOSTILE.iter().enumerate() {
        round_trip(&world, &format!("h-{number}"), text, text).await;
    }
}

#[tokio::test]
async fn a_thousand_emoji_are_deliverable_both_ways() {
    let world = World::with_telegram().await;
    let emoji = "🎉".repeat(1000);
    round_trip(&world, "party", &emoji, &emoji).await;
}

#[tokio::test]
async fn labels_and_details_at_their_limits_are_deliverable() {
    let world = World::with_telegram().await;
    let options: Vec<_> = (0..4)
        .map(|number| json!({"id": number.to_string(), "label": format!("{number}{}", "🎉".repeat(99)), "detail": "🎉".repeat(500)}))
        .collect();
    let body = json!({
        "id": "big", "text": "🎉".repeat(1000), "options": options, "waiting_on": "🎉".repeat(300), "header": "🎉".repeat(30),
        "source": {"run": "🎉".repeat(200), "task": "🎉".repeat(200), "project": "🎉".repeat(200)},
    });
    world.asks_with(body).await;
    let shown = world.shown("big").await;
    let message = world.message(shown);
    assert_eq!(message.labels().len(), 4);
    let document =
        world.telegram().wait_for_message("document", |other| other.thread == Some(shown.thread) && other.document.is_some());
    let document = document.await.unwrap();
    let content = String::from_utf8(document.document.as_ref().unwrap().content.clone()).unwrap();
    assert_eq!(content.matches(&"🎉".repeat(1000)).count(), 1, "the document holds the whole text");
    assert_eq!(content.matches(&format!("3{}", "🎉".repeat(99))).count(), 1);
    let caption = document.words().to_owned();
    let digest = caption.split("sha256:").nth(1).expect("the caption names the digest").to_owned();
    assert!(message.words().contains(&digest), "the message names the same digest");
    world.telegram().press(shown.message, 3).unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("big").await["choice"], "3");
}

#[tokio::test]
async fn random_texts_are_asked_and_answered_without_a_change() {
    let world = World::with_telegram().await;
    let seed = world.telegram().look(pager_tests::fake_telegram::State::now_ms).unsigned_abs();
    let mut random = Random(seed);
    for number in 0..30 {
        let (asked, answered) = (random.text(), random.text());
        eprintln!("seed {seed}, number {number}: {asked:?} {answered:?}");
        round_trip(&world, &format!("r-{number}"), &asked, &answered).await;
    }
}

/// The question stands in the record and in the file as it was asked; the words come back as they were written.
async fn round_trip(world: &World, id: &str, asked: &str, answered: &str) {
    let record = world.asks_with(json!({"id": id, "text": asked, "options": [{"label": asked.chars().take(90).collect::<String>() + "a"}, {"label": "b"}]})).await;
    assert_eq!(record["text"], asked);
    let shown = world.shown(id).await;
    assert_eq!(world.message(shown).labels().len(), 2);
    world.telegram().write_in_topic(shown.thread, answered).unwrap();
    let message = world.closed(shown).await;
    assert!(message.words().contains("Your answer, in your own words"), "{}", message.words());
    let saved = world.saved_answer(id).await;
    assert_eq!((saved["question"].as_str(), saved["answer"].as_str()), (Some(asked), Some(answered)));
    assert_eq!(world.agent().answer(id).await, saved);
}

/// A small generator: the same seed gives the same texts.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// 2 to 301 characters out of all planes, something to see among them, no command.
    fn text(&mut self) -> String {
        let length = self.below(300) + 1;
        let characters = (0..length).filter_map(|_| {
            let bound = [0x80, 0x800, 0x1_0000, 0x11_0000][usize::try_from(self.below(4)).unwrap()];
            char::from_u32(u32::try_from(self.below(bound)).unwrap()).filter(|character| *character != '\0')
        });
        format!("x{}", characters.collect::<String>())
    }
}
