//! From a press in Telegram to everything that follows, with a Telegram on this machine.

use std::time::{Duration, Instant};

use pager_tests::fake_telegram::{FORUM, FakeTelegram, Message, STRANGER, State, Written};
use tokio::task::JoinHandle;

use super::arguments::Arguments;
use super::connection::Connection;
use super::daemon::Daemon;
use super::figures::{Row, Times};
use super::floor::Floor;
use super::questions;

/// Between two messages that have nothing to do with any question.
const UNRELATED_EVERY: Duration = Duration::from_millis(20);
/// Long enough for what the showing of a question leaves to do, and for a request to be held.
const QUIET_AFTER: Duration = Duration::from_millis(10);
const FLOOR: &str = "one row, one answer saved";

/// In a quiet chat, and in a busy one.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let mut rows = chat(arguments, false).await?;
    rows.extend(chat(arguments, true).await?);
    Ok(rows)
}

async fn chat(arguments: &Arguments, is_busy: bool) -> anyhow::Result<Vec<Row>> {
    let telegram = FakeTelegram::start().await;
    let daemon = Daemon::start(&arguments.folder, Some(&telegram)).await?;
    let mut floor = Floor::new(&arguments.folder).await?;
    let (mut asking, mut waiting) = (daemon.agent().await?, daemon.agent().await?);
    let unrelated = is_busy.then(|| chatter(telegram.clone()));
    let (mut toasts, mut saves, mut edits, mut floors) = (Times::default(), Times::default(), Times::default(), Times::default());
    for _ in 0..arguments.rounds / 2 {
        let id = questions::ask(&mut asking).await?;
        let message = telegram.wait_for("question in its topic", |state| shown(state, &id)).await?;
        waiting.send_held(&id).await?;
        tokio::time::sleep(QUIET_AFTER).await;
        let began = Instant::now();
        let press = telegram.press(message, 0)?;
        let (toast, save, edit) =
            tokio::try_join!(toast(&telegram, &press, began), save(&mut waiting, began), edit(&telegram, message, began))?;
        toasts.push(toast);
        saves.push(save);
        edits.push(edit);
        floors.push(floor.once().await?);
    }
    if let Some(unrelated) = unrelated {
        unrelated.abort();
    }
    let chat = if is_busy { ", 50 unrelated messages a second" } else { "" };
    Ok(vec![
        Row::of_times(format!("press → it is acknowledged{chat}"), &toasts, FLOOR, &floors, "p50 ≤ 10 ms"),
        Row::of_times(format!("press → answer saved, agent has it{chat}"), &saves, FLOOR, &floors, "p50 ≤ 10 ms"),
        Row::of_times(format!("press → message edited{chat}"), &edits, FLOOR, &floors, "p50 ≤ 10 ms"),
    ])
}

async fn toast(telegram: &FakeTelegram, press: &str, began: Instant) -> anyhow::Result<Duration> {
    telegram.wait_for_callback_answer(press).await?;
    Ok(began.elapsed())
}

async fn save(waiting: &mut Connection, began: Instant) -> anyhow::Result<Duration> {
    waiting.receive().await?.with(200)?;
    Ok(began.elapsed())
}

async fn edit(telegram: &FakeTelegram, message: i64, began: Instant) -> anyhow::Result<Duration> {
    let edited = |state: &State| state.chats[&FORUM].messages.get(&message).and_then(|message| message.edited);
    telegram.wait_for("edit of the question", edited).await?;
    Ok(began.elapsed())
}

/// The message that shows this question, newest first since it is among the last ones.
fn shown(state: &State, id: &str) -> Option<i64> {
    let asks = format!("Release {id}?");
    let shows =
        |message: &&Message| !message.keyboard.is_empty() && message.text.as_ref().is_some_and(|text| text.contains(&asks));
    state.chats[&FORUM].messages.values().rev().take(20).find(shows).map(|message| message.id)
}

/// Talk in the chat, until it is ended.
fn chatter(telegram: FakeTelegram) -> JoinHandle<anyhow::Result<()>> {
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(UNRELATED_EVERY);
        loop {
            ticks.tick().await;
            telegram.write(Written::text("by the way …").by(STRANGER))?;
        }
    })
}
