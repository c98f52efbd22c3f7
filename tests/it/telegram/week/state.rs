//! What is left of a week: everything but times, numbers and what is made anew in each world.

use std::collections::BTreeMap;

use pager_tests::fake_telegram::{BOT, FORUM};
use serde_json::{Value, json};

use super::play::{Player, id};

const OF_THE_WORLD: [&str; 4] = ["at", "asked_at", "incarnation", "signature"];

#[derive(Debug)]
pub struct EndState {
    /// The record, the file, the message and the topic of each question.
    pub questions: BTreeMap<String, Value>,
    /// The reactions to each text, by its number.
    pub reactions: BTreeMap<usize, Vec<String>>,
    /// What the bot said in the topics, and how often.
    pub replies: BTreeMap<String, usize>,
}

impl Player {
    pub async fn state(&self) -> EndState {
        let mut questions = BTreeMap::new();
        let mut replies = BTreeMap::new();
        for (question, shown) in &self.shown {
            questions.insert(id(*question), self.question(*question).await);
            for reply in self.world.replies(*shown) {
                // Whether an answer was still being saved when a text came is of the moment.
                if reply.words().contains("being saved") || reply.words().contains("no longer open") {
                    continue;
                }
                // What it says of an end has a time of the day behind it, in brackets.
                let words = if says_when(reply.words()) { reply.words().split(" (").next().unwrap() } else { reply.words() };
                *replies.entry(format!("{}: {words}", id(*question))).or_default() += 1;
            }
        }
        let in_general = self.world.telegram().messages(FORUM).into_iter();
        let in_general = in_general.filter(|message| message.from == BOT && message.thread.is_none()).count();
        assert_eq!(in_general, 0, "pagerd wrote in General");
        assert_eq!(self.world.telegram().topics().len(), self.shown.len());
        let reactions = |message: &i64| self.world.telegram().message(FORUM, *message).unwrap().reactions;
        let reactions = self.texts.iter().map(|(number, message)| (*number, reactions(message))).collect();
        EndState { questions, reactions, replies }
    }

    async fn question(&self, question: usize) -> Value {
        let (id, shown) = (id(question), self.shown[&question]);
        let record = self.world.record(&id).await;
        let file = match self.world.answer_file(&id) {
            Some(_) => timeless(self.world.saved_answer(&id).await),
            None => Value::Null,
        };
        let message = self.world.message(shown);
        let is_open = record["state"] == "open";
        assert_eq!(message.keyboard.is_empty(), !is_open, "{id}: {}", message.words());
        let words: Vec<&str> = message.words().lines().filter(|line| !says_when(line)).collect();
        json!({
            "record": {
                "state": record["state"], "save": record["save"], "resolved_by": record["resolved_by"],
                "delivery": record["delivery"]["state"], "answer": timeless(record["answer"].clone()),
            },
            "file": file,
            "words": words,
            "icon": self.world.telegram().topic(shown.thread).unwrap().icon,
        })
    }
}

/// Whether a line has a time of the day.
fn says_when(line: &str) -> bool {
    let digits = |part: Option<&str>| part.is_some_and(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()));
    line.match_indices(':').any(|(at, _)| {
        let hours = at.checked_sub(2).and_then(|from| line.get(from..at));
        digits(hours) && digits(line.get(at + 1..at + 3))
    })
}

fn timeless(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.retain(|name, _| !OF_THE_WORLD.contains(&name.as_str()));
    }
    answer
}
