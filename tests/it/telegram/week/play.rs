//! Playing a week to a pagerd: as it comes, or in a storm.

use std::collections::BTreeMap;

use pager_tests::fake_telegram::{FORUM, Written, media};
use serde_json::{Value, json};

use super::traffic::{Act, Day, Dice, What};
use crate::world::{Shown, World, until};

/// When the week begins, in seconds since 1970: messages have the same dates however long the play takes.
const BEGINS: i64 = 1_772_409_600;

pub enum Weather {
    Quiet,
    /// Updates come again and in another order, and pagerd dies every few of them.
    Stormy {
        seed: u64,
    },
}

pub struct Player {
    pub world: World,
    storm: Option<Dice>,
    pub shown: BTreeMap<usize, Shown>,
    /// What the buttons of each question carry, also when they are gone.
    buttons: BTreeMap<usize, Vec<String>>,
    /// The message of each text, by its number.
    pub texts: BTreeMap<usize, i64>,
    pub deaths: usize,
}

pub fn id(question: usize) -> String {
    format!("week-{question}")
}

impl Player {
    pub fn new(world: World, weather: Weather) -> Self {
        let storm = match weather {
            Weather::Quiet => None,
            Weather::Stormy { seed } => Some(Dice(seed)),
        };
        let (shown, buttons, texts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { world, storm, shown, buttons, texts, deaths: 0 }
    }

    pub async fn lives_through(&mut self, day: &Day) {
        for question in &day.questions {
            self.world.asks(&id(*question)).await;
        }
        for question in &day.questions {
            let shown = self.world.shown(&id(*question)).await;
            let data = self.world.message(shown).buttons().map(|button| button.callback_data.clone().unwrap()).collect();
            self.shown.insert(*question, shown);
            self.buttons.insert(*question, data);
        }
        let mut acts = day.acts.clone();
        if let Some(dice) = &mut self.storm {
            reorder(&mut acts, dice);
        }
        let mut until_death = 3;
        for act in &acts {
            self.does(act);
            self.repeats_something();
            until_death -= 1;
            if until_death == 0 {
                until_death = self.dies_perhaps().await;
            }
        }
    }

    fn does(&mut self, act: &Act) {
        let telegram = self.world.telegram();
        let written = |written: Written| {
            let dated = written.by(act.by).with(json!({"date": BEGINS + act.at}));
            match act.question {
                Some(question) => dated.in_topic(self.shown[&question].thread),
                None => dated,
            }
        };
        match &act.what {
            What::Press { option } => {
                let question = act.question.expect("buttons are in topics");
                let data = &self.buttons[&question][*option];
                telegram.press_data(FORUM, act.by, self.shown[&question].message, data);
            }
            What::Write { number, text } => {
                let message = telegram.write(written(Written::text(text))).unwrap();
                self.texts.insert(*number, message);
            }
            What::Edit { number, text } => telegram.edit(FORUM, self.texts[number], text).unwrap(),
            What::Photo => {
                telegram.write(written(media::photo())).unwrap();
            }
        }
    }

    /// In a storm, Telegram gives some update again that was confirmed. What was not, it gives in order.
    fn repeats_something(&mut self) {
        let Some(dice) = &mut self.storm else { return };
        if dice.below(3) == 0 {
            let number = |update: &Value| update["update_id"].as_i64().unwrap();
            let waiting = self.world.telegram().waiting_updates().iter().map(number).min();
            let mut updates: Vec<i64> = self.world.telegram().all_updates().iter().map(number).collect();
            updates.retain(|update| waiting.is_none_or(|waiting| *update < waiting));
            if !updates.is_empty() {
                self.world.telegram().replay(updates[dice.below(updates.len())]).unwrap();
            }
        }
    }

    /// In a storm, pagerd dies: before it can have read anything, when it has, or while it calls. After how many acts it
    /// does so again.
    async fn dies_perhaps(&mut self) -> usize {
        let Some(dice) = &mut self.storm else { return usize::MAX };
        let (moment, next) = (dice.below(3), 4 + dice.below(7));
        let telegram = self.world.telegram();
        if moment > 0 {
            until("pagerd reads", async || telegram.waiting_updates().is_empty().then_some(())).await;
        }
        if moment > 1 {
            let goal = telegram.calls().len() + 1;
            let looks = std::cell::Cell::new(0);
            until("pagerd calls", async || {
                looks.set(looks.get() + 1);
                // There may be nothing to call about.
                (telegram.calls().len() >= goal || looks.get() > 5).then_some(())
            })
            .await;
        }
        self.world.kill9().await;
        self.world.serve().await;
        self.deaths += 1;
        next
    }

    /// Waits until everything was handled and every end is shown.
    pub async fn settles(&self) {
        let last = self.shown.values().last().unwrap();
        self.world.replies_by_now(*last).await;
        let ended = self.world.icon("✅").await;
        for (question, shown) in &self.shown {
            let decided = |record: &Value| record["state"] != "answering";
            let record = self.world.record_when(&id(*question), "decided", decided).await;
            if record["state"] == "open" {
                continue;
            }
            self.world.closed(*shown).await;
            assert_eq!(self.world.telegram().topic(shown.thread).unwrap().icon, ended);
            if record["answer"]["outcome"] == "own_words" {
                let thumbed = || self.world.telegram().messages_in_topic(shown.thread);
                let is_thumbed = async || thumbed().iter().any(|text| text.reactions == ["👍"]).then_some(());
                until(&format!("👍 on the answer to {question}"), is_thumbed).await;
            }
        }
    }
}

/// Swaps neighbours that Telegram may give in either order.
fn reorder(acts: &mut [Act], dice: &mut Dice) {
    for _ in 0..acts.len() * 3 {
        let first = dice.below(acts.len() - 1);
        if !acts[first].keeps_its_place_with(&acts[first + 1]) {
            acts.swap(first, first + 1);
        }
    }
}
