//! One cell of the matrix: a question that meets one fault at one effect, from asking to its end.

use std::time::{Duration, Instant};

use pager_tests::fake_telegram::{BOT, FORUM, Message, OWNER, Outcome};
use serde_json::{Value, json};

use super::faults::FaultRow;
use super::table::{Effect, Expected};
use crate::world::{Shown, World, within};

/// Longer than the longest wait for a reply, that for a document, and its repetition.
const LONG: Duration = Duration::from_secs(80);
/// How soon the asker has the answer, whatever Telegram does.
const AT_ONCE: Duration = Duration::from_secs(10);

pub struct Cell<'world> {
    pub world: &'world World,
    pub fault: FaultRow,
    pub effect: Effect,
    pub expected: Expected,
}

impl Cell<'_> {
    /// Everything from the question to its end.
    pub async fn run(&self) {
        match self.effect {
            Effect::CreateTopic | Effect::SendQuestion => self.shows().await,
            Effect::SendDocument => self.attaches().await,
            Effect::EditQuestion => self.edits().await,
            Effect::MarkTopic => self.marks().await,
            Effect::Thank => self.thanks().await,
            Effect::AnswerPress => self.acknowledges().await,
            Effect::DeleteTopic => self.deletes().await,
        }
        self.met_the_fault().await;
    }

    async fn shows(&self) {
        self.meets(&self.question());
        self.world.asks(&self.id()).await;
        if self.expected == Expected::DoneAfterDoubt || self.expected == Expected::Twice {
            self.delivered("uncertain").await;
        }
        if let Expected::Mended(words) = self.expected {
            let record = self.delivered("undeliverable").await;
            assert!(
                record["delivery"]["reason"].as_str().is_some_and(|reason| reason.contains(words)),
                "{}: {record}",
                self.name()
            );
        }
        self.delivered("shown").await;
        let copies = self.copies();
        assert_eq!(copies.len(), if self.expected == Expected::Twice { 2 } else { 1 }, "{}", self.name());
        // The oldest copy is the one that nobody told pagerd of.
        let button = copies[0].buttons().nth(1).unwrap().callback_data.clone().unwrap();
        for copy in &copies {
            self.world.telegram().press_data(FORUM, OWNER, copy.id, &button);
            self.loses_its_buttons(copy.id).await;
        }
        self.is_saved("No").await;
    }

    async fn attaches(&self) {
        self.meets("");
        let option = |label: &str| json!({"label": label, "detail": "🎉".repeat(500)});
        let text = format!("{} {}", self.question(), "🎉".repeat(900));
        let options = ["Yes, release", "No", "Later", "Never"].map(option);
        self.world.asks_with(json!({"id": self.id(), "text": text, "options": options, "waiting_on": "🎉".repeat(300)})).await;
        self.delivered("shown").await;
        let wanted = self.documents_wanted();
        self.waits("documents", || (self.documents() == wanted).then_some(())).await;
        self.met_the_fault().await;
        assert_eq!(self.record().await["delivery"]["state"], "shown", "{}", self.name());
        self.answered_on_the_page().await;
        self.loses_its_buttons(self.copies()[0].id).await;
    }

    async fn edits(&self) {
        let shown = self.world.asks_and_shows(&self.id()).await;
        let button = self.world.message(shown).buttons().next().unwrap().callback_data.clone().unwrap();
        match self.fault {
            FaultRow::MessageGone => self.world.telegram().delete_message(FORUM, shown.message),
            _ => self.meets(&self.question()),
        }
        self.answered_on_the_page().await;
        self.met_the_fault().await;
        if matches!(self.expected, Expected::GivenUp(_)) {
            let press = self.world.telegram().press_data(FORUM, OWNER, shown.message, &button);
            let toast = self.world.telegram().wait_for_callback_answer(&press).await.unwrap();
            assert!(toast.text.contains("You answered: No"), "{}: {}", self.name(), toast.text);
            if self.fault == FaultRow::MessageGone {
                return;
            }
        }
        self.loses_its_buttons(shown.message).await;
        if self.fault == FaultRow::NotModified {
            self.was_so_already(&self.question()).await;
        }
    }

    async fn marks(&self) {
        let shown = self.world.asks_and_shows(&self.id()).await;
        let thread = format!("\"message_thread_id\":\"{}\"", shown.thread);
        self.meets(&thread);
        self.answered_on_the_page().await;
        self.loses_its_buttons(shown.message).await;
        self.met_the_fault().await;
        let icon = self.world.icon(if self.expected == Expected::Done { "✅" } else { "❓" }).await;
        let topic = || self.world.telegram().topic(shown.thread).filter(|topic| topic.icon == icon).map(|_| ());
        self.waits("the icon", topic).await;
        if self.fault == FaultRow::NotModified {
            self.was_so_already(&thread).await;
        }
    }

    async fn thanks(&self) {
        let shown = self.world.asks_and_shows(&self.id()).await;
        self.meets("");
        let text = self.world.telegram().write_in_topic(shown.thread, "Go").unwrap();
        self.is_saved("Go").await;
        self.loses_its_buttons(shown.message).await;
        self.met_the_fault().await;
        let thumbs: &[&str] = if self.expected == Expected::Done { &["👍"] } else { &[] };
        let message = || self.world.telegram().message(FORUM, text).filter(|message| message.reactions == thumbs).map(|_| ());
        self.waits("the reaction", message).await;
    }

    async fn acknowledges(&self) {
        let Shown { message, .. } = self.world.asks_and_shows(&self.id()).await;
        self.meets("");
        let press = self.world.telegram().press(message, "No").unwrap();
        self.is_saved("No").await;
        self.loses_its_buttons(message).await;
        self.met_the_fault().await;
        let is_answered = || self.world.telegram().callback(&press).is_some_and(|query| query.answer.is_some());
        if self.expected == Expected::Done {
            self.waits("the press is answered", || is_answered().then_some(())).await;
        } else {
            assert!(!is_answered(), "{}", self.name());
        }
    }

    async fn deletes(&self) {
        let shown = self.world.asks_and_shows(&self.id()).await;
        self.meets(&format!("\"message_thread_id\":\"{}\"", shown.thread));
        self.answered_on_the_page().await;
        self.met_the_fault().await;
        if self.expected == Expected::Done {
            let gone = || self.world.telegram().topic(shown.thread)?.is_deleted.then_some(());
            self.waits("the topic is gone", gone).await;
        } else {
            self.loses_its_buttons(shown.message).await;
        }
    }

    /// Once everything has settled: nothing is there twice that should not be, and nothing is left to press.
    pub fn has_nothing_to_excess(&self) {
        let topics = self.world.telegram().topics().into_iter().filter(|topic| topic.name.contains(&self.question())).count();
        let is_deleted = self.effect == Effect::DeleteTopic && self.expected == Expected::Done;
        assert_eq!(topics, usize::from(!is_deleted), "topics of {}", self.name());
        let copies = self.copies();
        assert!(copies.len() <= 2, "{} copies of {}", copies.len(), self.name());
        assert!(copies.iter().all(|copy| copy.keyboard.is_empty()), "live buttons: {}", self.name());
        assert_eq!(self.world.commits_of(&self.id()).len(), 1, "answers of {}", self.name());
        if self.effect == Effect::SendDocument {
            assert_eq!(self.documents(), self.documents_wanted(), "documents of {}", self.name());
        }
    }

    fn meets(&self, words: &str) {
        self.world.telegram().fault_where(self.effect.method(), words, self.fault.fault());
    }

    /// The owner says no where Telegram is not needed.
    async fn answered_on_the_page(&self) {
        let path = format!("/v1/questions/{}/answer", self.id());
        self.world.owner().post(&path, &json!({"answer": "No", "option": "2"})).await.with(200);
        self.is_saved("No").await;
    }

    /// The asker has the only answer, saved and signed, at once.
    async fn is_saved(&self, answer: &str) {
        let began = Instant::now();
        let given = self.world.agent().answer(&self.id()).await;
        assert!(began.elapsed() < AT_ONCE, "{}: the answer took {:?}", self.name(), began.elapsed());
        assert_eq!(given["answer"], answer, "{}", self.name());
        assert_eq!(self.world.saved_answer(&self.id()).await, given, "{}", self.name());
    }

    async fn loses_its_buttons(&self, message: i64) {
        let closed = || {
            let message = self.world.telegram().message(FORUM, message)?;
            (message.keyboard.is_empty() && message.words().contains("You answered: ")).then_some(())
        };
        self.waits("the end in the message", closed).await;
    }

    /// The repeated call found it done, and that was success: it was not repeated again.
    async fn was_so_already(&self, words: &str) {
        let refusals = || {
            let calls = self.world.telegram().calls_of(self.effect.method()).into_iter();
            let of_this = calls.filter(|call| call.parameters.to_string().contains(words));
            let refused = of_this.filter(|call| matches!(&call.outcome, Outcome::Refused(_))).count();
            (refused == 1).then_some(())
        };
        self.waits("`not modified`", refusals).await;
    }

    async fn met_the_fault(&self) {
        let met = || {
            let calls = self.world.telegram().calls_of(self.effect.method());
            let is_it = |outcome: &Outcome| match outcome {
                Outcome::Open => false,
                Outcome::Done(_) => self.fault == FaultRow::Slow,
                Outcome::Abandoned | Outcome::Refused(_) | Outcome::Spoilt { .. } => true,
            };
            calls.iter().any(|call| is_it(&call.outcome)).then_some(())
        };
        self.waits("the fault itself", met).await;
    }

    async fn delivered(&self, state: &str) -> Value {
        within(LONG, &format!("{}: {state}", self.name()), async || {
            let record = self.record().await;
            (record["delivery"]["state"] == state).then_some(record)
        })
        .await
    }

    async fn waits(&self, what: &str, look: impl Fn() -> Option<()>) {
        within(LONG, &format!("{}: {what}", self.name()), async || look()).await;
    }

    async fn record(&self) -> Value {
        self.world.record(&self.id()).await
    }

    /// Its messages by the bot, oldest first.
    fn copies(&self) -> Vec<Message> {
        let mut messages = self.world.telegram().messages(FORUM);
        messages.retain(|message| message.from == BOT && message.words().contains(&self.question()));
        messages
    }

    fn documents(&self) -> usize {
        let Some(thread) = self.copies().first().and_then(|copy| copy.thread) else { return 0 };
        self.world.telegram().messages_in_topic(thread).iter().filter(|message| message.document.is_some()).count()
    }

    fn documents_wanted(&self) -> usize {
        match self.expected {
            Expected::Twice => 2,
            Expected::GivenUp(_) => 0,
            Expected::Done | Expected::DoneAfterDoubt | Expected::Adopted | Expected::Mended(_) => 1,
        }
    }

    fn id(&self) -> String {
        self.effect.method().to_lowercase()
    }

    fn question(&self) -> String {
        format!("Release {}?", self.id())
    }

    fn name(&self) -> String {
        format!("{:?} at {:?}", self.fault, self.effect)
    }
}
