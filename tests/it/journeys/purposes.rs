//! Every purpose through every door with every act: its outcome, its file, the exit code of whoever waited, and its text.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::browser::plain::Plain;
use crate::tui::terminal::Terminal;
use crate::world::{Shown, World};

/// A way in.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Door {
    Telegram,
    Page,
    Http,
    Command,
    Terminal,
}

const DOORS: [Door; 5] = [Door::Telegram, Door::Page, Door::Http, Door::Command, Door::Terminal];

/// What somebody does there.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Picks the option of this id and label.
    Pick(&'static str, &'static str),
    Words,
    Decline,
    Cancel,
}

/// An act, the outcome, the exit code, and what the message says of it.
type Row = (Act, &'static str, i32, &'static str);

const BY_ITS_OWN: &str = "Declined: the agent goes on by its own judgement.";
const CANCELLED: Row = (Act::Cancel, "cancelled", 4, "Cancelled by ");
const WORDS_COUNT: Row = (Act::Words, "own_words", 0, "You answered: After lunch");

fn rows(purpose: &str) -> Vec<Row> {
    match purpose {
        "question" => vec![
            (Act::Pick("1", "Yes"), "chosen", 0, "You answered: Yes"),
            WORDS_COUNT,
            (Act::Decline, "declined", 4, BY_ITS_OWN),
            CANCELLED,
        ],
        "clarification" => vec![WORDS_COUNT, (Act::Decline, "declined", 4, BY_ITS_OWN), CANCELLED],
        "decision" => vec![
            (Act::Pick("2", "Large"), "chosen", 0, "You answered: Large"),
            (Act::Words, "", 3, ""),
            (Act::Decline, "declined", 4, BY_ITS_OWN),
            CANCELLED,
        ],
        "approval" => vec![
            (Act::Pick("approve", "Approve"), "chosen", 0, "You answered: Approve"),
            (Act::Pick("decline", "Decline"), "chosen", 4, "You answered: Decline\nNot approved."),
            (Act::Words, "own_words", 4, "You answered: After lunch\nNot approved."),
            (Act::Decline, "declined", 4, "Declined: not approved."),
            CANCELLED,
        ],
        "action" => vec![
            (Act::Pick("done", "Done"), "chosen", 0, "You answered: Done"),
            (Act::Pick("cant", "Can't do"), "chosen", 4, "You answered: Can't do\nNot done."),
            (Act::Words, "own_words", 4, "You answered: After lunch\nNot done."),
            (Act::Decline, "declined", 4, "Declined: not done."),
            CANCELLED,
        ],
        _ => vec![
            (Act::Pick("works", "It works"), "chosen", 0, "You answered: It works"),
            (Act::Words, "own_words", 4, "You answered: After lunch\nNot verified."),
            (Act::Decline, "declined", 4, "Declined: not verified."),
            CANCELLED,
        ],
    }
}

fn draft(purpose: &str, id: &str) -> Value {
    let mut body = json!({"id": id, "purpose": purpose, "text": format!("Go on with {id}?"), "waiting_on": "the release"});
    match purpose {
        "question" => body["options"] = json!([{"label": "Yes"}, {"label": "No"}]),
        "decision" => {
            body["options"] = json!([{"label": "Small", "detail": "slow"}, {"label": "Large", "detail": "dear"}]);
            body["recommended"] = json!("1");
        }
        "approval" => body["gate"] = json!("merge"),
        "action" => body["steps"] = json!(["Sign in."]),
        _ => {}
    }
    body
}

struct Stage {
    world: World,
    page: Plain,
    terminal: Terminal,
}

impl Stage {
    async fn open() -> Self {
        let world = World::with_telegram_and(&[("PAGER_DEADLINE__MIN", "1s"), ("PAGER_LIMITS__RECORDS", "0")]).await;
        let page = Plain::logged_in(&world).await;
        let terminal = Terminal::open(&world);
        terminal.shows("● live").await;
        Self { world, page, terminal }
    }

    /// Acts with the keys of the terminal.
    async fn press(&self, act: Act, record: &Value) {
        let terminal = &self.terminal;
        let text = record["text"].as_str().unwrap();
        terminal.shows(text).await;
        // The newest stands last; its details begin at the edge.
        terminal.press(&["G"]);
        terminal.shows(&format!("\n{text}")).await;
        match act {
            Act::Pick(option, _) => {
                let place = record["options"].as_array().unwrap().iter().position(|one| one["id"] == option).unwrap();
                terminal.press(&[&(place + 1).to_string()]);
                terminal.shows("Enter sends: ").await;
                terminal.press(&["Enter"]);
            }
            Act::Words if record["purpose"] == "decision" => {
                terminal.press(&["w"]);
                terminal.shows("A decision takes no own words: press").await;
            }
            Act::Words => {
                terminal.press(&["w"]);
                terminal.shows("── Your own words").await;
                terminal.write("After lunch");
                terminal.press(&["C-d"]);
            }
            Act::Decline => {
                terminal.press(&["d"]);
                terminal.shows("Enter declines").await;
                terminal.press(&["Enter"]);
            }
            Act::Cancel => {
                terminal.press(&["c"]);
                terminal.shows("Enter cancels").await;
                terminal.press(&["Enter"]);
            }
        }
    }

    async fn act(&self, door: Door, act: Act, record: &Value, shown: Shown) {
        let id = record["id"].as_str().unwrap();
        match door {
            Door::Telegram => {
                let telegram = self.world.telegram();
                match act {
                    Act::Pick(_, label) => drop(telegram.press(shown.message, label).unwrap()),
                    Act::Words => drop(telegram.write_in_topic(shown.thread, "After lunch").unwrap()),
                    Act::Decline => drop(telegram.write_in_topic(shown.thread, "/decline").unwrap()),
                    Act::Cancel => drop(telegram.write_in_topic(shown.thread, "/cancel").unwrap()),
                }
            }
            Door::Page => {
                let (verb, mut form) = match act {
                    Act::Pick(option, _) => ("answer", vec![("option", option), ("answer", "")]),
                    Act::Words => ("answer", vec![("answer", "After lunch")]),
                    Act::Decline => ("decline", vec![]),
                    Act::Cancel => ("cancel", vec![]),
                };
                form.push(("csrf", &self.page.csrf));
                let path = format!("/questions/{}/{verb}", record["incarnation"].as_str().unwrap());
                let _ = self.page.post(&path).form(&form).send().await.unwrap();
            }
            Door::Http => {
                let (verb, body) = match act {
                    Act::Pick(option, label) => ("answer", Some(json!({"answer": label, "option": option}))),
                    Act::Words => ("answer", Some(json!({"answer": "After lunch"}))),
                    Act::Decline => ("decline", None),
                    Act::Cancel => ("cancel", None),
                };
                let path = format!("/v1/questions/{id}/{verb}");
                match body {
                    Some(body) => drop(self.world.owner().post(&path, &body).await),
                    None => drop(self.world.owner().post_empty(&path).await),
                }
            }
            Door::Command => {
                let arguments: Vec<&str> = match act {
                    Act::Pick(option, _) => vec!["decide", id, "--option", option],
                    Act::Words => vec!["decide", id, "--words", "After lunch"],
                    Act::Decline => vec!["decline", id],
                    Act::Cancel => vec!["cancel", id],
                };
                self.world.ask_as_owner(&arguments).await;
            }
            Door::Terminal => self.press(act, record).await,
        }
    }

    async fn row(&self, purpose: &str, door: Door, number: usize, row: Row) {
        let (act, outcome, code, says) = row;
        let id = format!("{purpose}-{}-{number}", format!("{door:?}").to_lowercase());
        eprintln!("{id}: {act:?}");
        let record = self.world.asks_with(draft(purpose, &id)).await;
        let shown = self.world.shown(&id).await;
        self.act(door, act, &record, shown).await;
        if outcome.is_empty() {
            if door == Door::Telegram {
                self.world.reply(shown).await;
            }
            assert_eq!(self.world.record(&id).await["state"], "open", "{id}");
        } else {
            let ended = self.world.record_when(&id, "over", |record| !record["answer"].is_null()).await;
            assert_eq!(ended["answer"]["outcome"], outcome, "{id}");
            let file: Value = serde_json::from_str(&self.world.answer_file(&id).expect("a file")).unwrap();
            assert_eq!(file, ended["answer"], "{id}");
            assert!(self.world.closed(shown).await.words().contains(says), "{id}: {}", self.world.message(shown).words());
        }
        assert_eq!(self.world.ask(&["answer", &id]).await.code, Some(code), "{id}: {act:?}");
    }
}

async fn check(purpose: &str) {
    let stage = Stage::open().await;
    for door in DOORS {
        for (number, row) in rows(purpose).into_iter().enumerate() {
            stage.row(purpose, door, number, row).await;
        }
    }
    withdrawn(&stage, purpose).await;
    due(&stage, purpose).await;
}

async fn withdrawn(stage: &Stage, purpose: &str) {
    let id = format!("{purpose}-withdrawn");
    stage.world.asks_with(draft(purpose, &id)).await;
    let shown = stage.world.shown(&id).await;
    assert_eq!(stage.world.ask(&["withdraw", &id, "--reason", "found it"]).await.code, Some(0));
    assert!(stage.world.closed(shown).await.words().contains("The agent took it back: found it"));
    assert_eq!(stage.world.answer_file(&id), None);
    assert_eq!(stage.world.ask(&["answer", &id]).await.code, Some(5));
}

/// A deadline ends a question with a default and an approval; everything else stays open.
async fn due(stage: &Stage, purpose: &str) {
    let id = format!("{purpose}-due");
    let mut body = draft(purpose, &id);
    body["deadline"] = (Timestamp::now() + SignedDuration::from_millis(1100)).to_string().into();
    if purpose == "question" {
        body["default"] = json!("2");
    }
    stage.world.asks_with(body).await;
    let shown = stage.world.shown(&id).await;
    let (state, code, says) = match purpose {
        "question" => ("defaulted", 6, "The agent goes on with its default: No"),
        "approval" => ("expired", 4, "Not approved."),
        _ => {
            // Another one's deadline shows that this one's has passed.
            let mut later = draft("approval", &format!("{purpose}-later"));
            later["deadline"] = (Timestamp::now() + SignedDuration::from_millis(1200)).to_string().into();
            stage.world.asks_with(later).await;
            stage.world.in_state(&format!("{purpose}-later"), "expired").await;
            assert_eq!(stage.world.record(&id).await["state"], "open");
            assert_eq!(stage.world.ask(&["answer", &id]).await.code, Some(3));
            return;
        }
    };
    stage.world.in_state(&id, state).await;
    let message = stage.world.closed(shown).await;
    assert!(message.words().contains("Nobody answered by ") && message.words().contains(says), "{}", message.words());
    assert!(stage.world.answer_file(&id).unwrap().contains(&format!("\"outcome\": \"{state}\"")));
    assert_eq!(stage.world.ask(&["answer", &id]).await.code, Some(code));
}

#[tokio::test]
async fn a_question_through_every_door() {
    check("question").await;
}

#[tokio::test]
async fn a_clarification_through_every_door() {
    check("clarification").await;
}

#[tokio::test]
async fn a_decision_through_every_door() {
    check("decision").await;
}

#[tokio::test]
async fn an_approval_through_every_door() {
    check("approval").await;
}

#[tokio::test]
async fn an_action_through_every_door() {
    check("action").await;
}

#[tokio::test]
async fn a_verification_through_every_door() {
    check("verify").await;
}
