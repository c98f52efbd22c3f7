//! The history: every end, newest first, and what is found by which words.

use pager_questions::{Incarnation, Question, Record, State};

use super::samples::{change, claimed, create, incarnation, plain, record, saved, withdrawn};
use crate::store::{HistoryPlace, InHistory, Limits, Store, Write};

fn names(list: &[InHistory]) -> Vec<&str> {
    list.iter().map(|listed| listed.record.question.id.as_str()).collect()
}

async fn found(store: &dyn Store, search: &str) -> Vec<String> {
    let list = store.history(Some(search), 1000, None).await.unwrap();
    names(&list).into_iter().map(str::to_owned).collect()
}

async fn answer(store: &dyn Store, open: &Record, words: &str, at: i64) {
    let claim = claimed(open, words, at);
    store.commit(vec![create(open), change(&claim, 1), change(&saved(&claim), 2)]).await.unwrap();
}

pub async fn ends_of_every_kind_come_newest_first_and_pages_join(store: &dyn Store) {
    answer(store, &plain("answered"), "Go", 3000).await;
    store.commit(vec![create(&plain("open")), create(&plain("withdrawn")), create(&plain("taken"))]).await.unwrap();
    store.commit(vec![change(&withdrawn(&plain("withdrawn")), 1)]).await.unwrap();
    let mut taken = claimed(&plain("taken"), "x", 2500);
    if let State::Answering(claim) = &taken.state {
        taken.state = State::IdTaken { answer: Box::new(claim.answer.clone()) };
    }
    store.commit(vec![change(&taken, 1)]).await.unwrap();
    let whole = store.history(None, 9, None).await.unwrap();
    assert_eq!(names(&whole), ["answered", "taken", "withdrawn"]);
    assert_eq!(names(&store.history(Some("  "), 9, None).await.unwrap()), names(&whole));
    let (mut joined, mut after): (Vec<InHistory>, Option<HistoryPlace>) = (Vec::new(), None);
    while let Some(one) = store.history(None, 1, after).await.unwrap().pop() {
        after = Some(one.place);
        joined.push(one);
    }
    assert_eq!(names(&joined), names(&whole));
}

/// A question whose every text is another word.
fn wordy(question: &mut Question) {
    question.text = "Shall the lighthouse go dark?".to_owned();
    question.header = Some("Harbour".to_owned());
    question.options[0].label = "Extinguish".to_owned();
    question.source.task = Some("maintenance-17".to_owned());
    question.source.project = Some("coastguard".to_owned());
    question.source.run = Some("nightly".to_owned());
}

pub async fn words_are_found_wherever_they_stand(store: &dyn Store) {
    answer(store, &record("rel-42", wordy), "Only after midnight", 2000).await;
    answer(store, &plain("other"), "Tomorrow", 2001).await;
    for search in [
        "lighthouse",
        "harbour",
        "extinguish",
        "maintenance-17",
        "17",
        "coastguard",
        "nightly",
        "rel-42",
        "midnight",
        "lightho",
        "only midnight coast",
    ] {
        assert_eq!(found(store, search).await, ["rel-42"], "{search}");
    }
    assert_eq!(found(store, "deploy").await, ["other", "rel-42"], "the source");
    assert_eq!(found(store, "house").await, [""; 0], "a word is found by its beginning");
}

pub async fn every_word_has_to_be_there_and_case_and_accents_do_not_matter(store: &dyn Store) {
    let text = |name: &str, text: &str| record(name, |question| text.clone_into(&mut question.text));
    answer(store, &text("umlaut", "Größe der ÜBERSICHT prüfen"), "Ja", 2000).await;
    answer(store, &text("greek", "Να ΣΒΗΣΤΕΊ το αρχείο;"), "Ναι", 2001).await;
    answer(store, &text("japanese", "今日リリースしますか?"), "はい", 2002).await;
    answer(store, &text("cyrillic", "Удалить СТАРЫЕ журналы"), "Нет", 2003).await;
    for (search, expected) in [
        ("übersicht", &["umlaut"][..]),
        ("Ubersicht GRÖSS", &[]),
        ("uber GRÖß", &["umlaut"]),
        ("σβηστεί", &["greek"]),
        ("старые УДАЛ", &["cyrillic"]),
        ("リリース", &["japanese"]),
        ("リリース deploy", &["japanese"]),
        ("リリース 明日", &[]),
        ("はい", &["japanese"]),
        ("übersicht старые", &[]),
    ] {
        assert_eq!(found(store, search).await, expected, "{search}");
    }
}

pub async fn no_text_is_an_error(store: &dyn Store) {
    answer(store, &record("rel-42", wordy), "Say \"when\"; 100% *sure*", 2000).await;
    for search in [
        "\"",
        "'",
        "\"\"",
        "*",
        "**",
        "a*b",
        "(",
        ")",
        "NEAR(",
        "AND",
        "OR",
        "NOT",
        "a AND",
        "words:a",
        "-a",
        "^a",
        "a + b",
        "{a b}",
        ":",
        "%",
        "_",
        "\\",
        "\0",
        "a\0b",
        "\u{1f44d}",
        "ⓐ",
        "\u{300}",
        "\u{202e}",
        "कि",
        "ﬁ",
        "; DROP TABLE questions",
        "?1",
        "--",
        "/*",
    ] {
        found(store, search).await;
    }
    found(store, &"word ".repeat(5000)).await;
    found(store, &"w".repeat(100_000)).await;
    assert_eq!(found(store, "?!").await, [""; 0]);
    for search in ["\"when\"", "say \"WHEN", "100%", "*sure*", "(lighthouse)", "rel-42?"] {
        assert_eq!(found(store, search).await, ["rel-42"], "{search}");
    }
}

pub async fn pages_of_a_search_join_and_forgotten_records_are_not_found(store: &dyn Store) {
    for number in 0..12 {
        // Three end in each millisecond.
        answer(store, &plain(&format!("q-{number:02}")), "Go", 2000 + number / 3).await;
    }
    let whole = found(store, "go").await;
    assert_eq!(whole.first().map(String::as_str), Some("q-11"));
    assert_eq!(whole.len(), 12);
    for size in [1, 5, 12] {
        let (mut joined, mut after): (Vec<InHistory>, Option<HistoryPlace>) = (Vec::new(), None);
        loop {
            let page = store.history(Some("go"), size, after).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.place);
            joined.extend(page);
        }
        assert_eq!(names(&joined), whole, "pages of {size}");
    }
    let one_more = plain("last");
    let full = Limits { records: 12, bytes: 0 };
    let (record, fingerprint) = (Box::new(one_more), String::new());
    store.commit(vec![Write::Create { record, fingerprint, is_unnamed: false, limits: full }]).await.unwrap();
    let forgettable: Vec<Incarnation> =
        store.forgettable(super::samples::time(4_000_000_000_000), super::samples::time(0), 9).await.unwrap();
    assert_eq!(forgettable, [incarnation("q-00")]);
    store.commit(vec![Write::ForgetRecord(incarnation("q-00"))]).await.unwrap();
    assert_eq!(found(store, "go").await, whole[..11]);
    assert_eq!(found(store, "q-00").await, [""; 0]);
    assert_eq!(store.history(None, 99, None).await.unwrap().len(), 11);
}
