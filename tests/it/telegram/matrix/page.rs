//! `docs/telegram-faults.md`, written from the table: nothing stands there that no cell proves.

use std::fmt::Write as _;
use std::path::Path;

use super::table::{Effect, Expected, rows};

const SWITCH: &str = "PAGER_REWRITE_DOCS";

const HEAD: &str = "\
# Telegram's faults

What the owner and the asker see when a call to Telegram goes wrong. This file is written by a test from the table that the test proves; do not edit
it by hand ([how to rewrite it](../CONTRIBUTING.md#tests)).

In every row: the answer is saved once and the asker gets it, whether Telegram takes the outcome or not; a message that was
pressed or closed keeps no buttons; a question has at most two messages. *Carried out* means that Telegram did it and pagerd could not know.
";

/// What the owner sees, and what the asker sees.
fn told(effect: Effect, expected: Expected) -> (&'static str, String) {
    let at_once = || "the answer, at once".to_owned();
    let owner = match (effect, expected) {
        (Effect::CreateTopic | Effect::SendQuestion, Expected::Done) => "one topic, one message",
        (Effect::CreateTopic, Expected::Adopted) => "one topic, the one that was made, and one message",
        (Effect::CreateTopic | Effect::SendQuestion, Expected::Mended(_)) => {
            "the question waits on the page, and stands in its topic by itself once the bot has its place and rights again"
        }
        (Effect::CreateTopic | Effect::SendQuestion, Expected::GivenUp(_)) => "the question waits on the page",
        (Effect::CreateTopic | Effect::SendQuestion, Expected::DoneAfterDoubt | Expected::Adopted) => {
            "one topic, one message, after ten seconds"
        }
        (Effect::CreateTopic | Effect::SendQuestion, Expected::Twice) => {
            "two messages of the same question; either answers it, and each is closed, the unknown one when it is pressed"
        }
        (Effect::SendDocument, Expected::Twice) => "the message, and the document twice",
        (Effect::SendDocument, Expected::GivenUp(_)) => "the message without its document",
        (Effect::SendDocument, _) => "the message and one document",
        (Effect::EditQuestion, Expected::GivenUp(_)) => {
            "the message as it was, if it is there; a press on it is told the end and closes it"
        }
        (Effect::EditQuestion, _) => "the message with its end, without buttons",
        (Effect::MarkTopic, Expected::GivenUp(_)) => "the message with its end; the topic keeps ❓",
        (Effect::MarkTopic, _) => "the message with its end; ✅ on the topic",
        (Effect::Thank, Expected::GivenUp(_)) => "the message with its end; no 👍",
        (Effect::Thank, _) => "the message with its end; 👍 on the text",
        (Effect::AnswerPress, Expected::GivenUp(_)) => {
            "the button may spin until Telegram stops it; the message with its end, without buttons"
        }
        (Effect::AnswerPress, _) => "the button at rest; the message with its end, without buttons",
        (Effect::DeleteTopic, Expected::GivenUp(_)) => "the topic stays, with the end of its question",
        (Effect::DeleteTopic, _) => "the topic is gone",
    };
    let asker = match (effect, expected) {
        (Effect::CreateTopic | Effect::SendQuestion, Expected::GivenUp(reason)) => {
            format!("`undeliverable`, with the reason (\"… {reason} …\")")
        }
        (Effect::CreateTopic | Effect::SendQuestion, Expected::Mended(reason)) => {
            format!("`undeliverable`, with the reason (\"… {reason} …\"), then `shown`")
        }
        (Effect::CreateTopic | Effect::SendQuestion, Expected::Done) => "`queued`, then `shown`".to_owned(),
        (Effect::CreateTopic, Expected::Adopted) => "`uncertain` for a moment, then `shown`".to_owned(),
        (Effect::CreateTopic | Effect::SendQuestion, _) => "`uncertain` with the reason, then `shown`".to_owned(),
        (Effect::SendDocument, _) => "`shown`".to_owned(),
        (Effect::EditQuestion | Effect::MarkTopic | Effect::Thank | Effect::AnswerPress | Effect::DeleteTopic, _) => at_once(),
    };
    (owner, asker)
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for effect in Effect::ALL {
        let _ = write!(page, "\n## {}\n\n`{}`\n\n", effect.words(), effect.method());
        page.push_str("| fault | the owner sees | the asker sees |\n| --- | --- | --- |\n");
        for (fault, _, expected) in rows().into_iter().filter(|(_, at, _)| *at == effect) {
            let (owner, asker) = told(effect, expected);
            let _ = writeln!(page, "| {} | {owner} | {asker} |", fault.words());
        }
    }
    page
}

#[test]
fn the_document_says_what_the_matrix_proves() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/telegram-faults.md");
    if std::env::var_os(SWITCH).is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page(), "docs/telegram-faults.md is out of date: run this test with {SWITCH}=1 and read the difference");
}
