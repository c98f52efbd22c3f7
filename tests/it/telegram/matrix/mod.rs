//! Each fault of Telegram at each call that pagerd makes: no answer is lost or doubled, no pressed message of an ended
//! question keeps its buttons, and no more than two copies appear. `docs/telegram-faults.md` is written from the table.

mod cell;
mod faults;
mod page;
mod table;

use futures_util::future::join_all;

use crate::world::World;

use cell::Cell;
use faults::FaultRow;
use table::{Effect, rows};

/// One pagerd meets the fault at every effect. Presses are answered by the first cell alone, so that no other takes its
/// fault; the rest runs side by side.
async fn meets_at_every_effect(row: FaultRow) {
    let world = World::with_telegram().await;
    let mut cells = rows().into_iter().filter(|(fault, ..)| *fault == row).map(|(fault, effect, expected)| Cell {
        world: &world,
        fault,
        effect,
        expected,
    });
    // Deleting is for a pagerd whose settings ask for it.
    let (first, others): (Vec<Cell<'_>>, Vec<Cell<'_>>) =
        cells.by_ref().filter(|cell| cell.effect != Effect::DeleteTopic).partition(|cell| cell.effect == Effect::AnswerPress);
    for cell in &first {
        cell.run().await;
    }
    join_all(others.iter().map(Cell::run)).await;
    for cell in first.iter().chain(&others) {
        cell.has_nothing_to_excess();
    }
}

/// Whether topics are deleted at once when their question ended.
fn tidying(effect: Effect) -> &'static [(&'static str, &'static str)] {
    if effect == Effect::DeleteTopic { &[("PAGER_TELEGRAM__DELETE_TOPICS_AFTER", "1s")] } else { &[] }
}

async fn meets_each_in_a_world_of_its_own(row: FaultRow, effects: &[Effect]) {
    let cells = rows().into_iter().filter(|(fault, effect, _)| *fault == row && effects.contains(effect));
    join_all(cells.map(async |(fault, effect, expected)| {
        let world = World::with_telegram_and(tidying(effect)).await;
        let cell = Cell { world: &world, fault, effect, expected };
        cell.run().await;
        cell.has_nothing_to_excess();
    }))
    .await;
}

#[tokio::test]
async fn a_fault_of_the_line_loses_no_answer_and_doubles_none() {
    join_all(FaultRow::of_the_line().map(meets_at_every_effect)).await;
}

#[tokio::test]
async fn a_refusal_loses_no_answer_and_doubles_none() {
    join_all(FaultRow::refusals().map(meets_at_every_effect)).await;
}

#[tokio::test]
async fn a_call_that_hangs_until_pagerd_gives_up_loses_no_answer_and_doubles_none() {
    join_all(FaultRow::hangs().map(|row| meets_each_in_a_world_of_its_own(row, &Effect::ALL))).await;
}

#[tokio::test]
async fn a_topic_that_is_to_be_deleted_meets_every_fault() {
    let rows = FaultRow::of_the_line().into_iter().chain(FaultRow::refusals());
    join_all(rows.map(|row| meets_each_in_a_world_of_its_own(row, &[Effect::DeleteTopic]))).await;
}

#[test]
fn every_fault_has_a_row_for_every_effect_that_can_meet_it() {
    for fault in FaultRow::of_the_line().into_iter().chain(FaultRow::hangs()) {
        for effect in Effect::ALL {
            let found = rows().into_iter().filter(|(row, at, _)| *row == fault && *at == effect).count();
            assert_eq!(found, 1, "{fault:?} at {effect:?}");
        }
    }
    for refusal in FaultRow::refusals() {
        assert!(rows().iter().any(|(row, ..)| *row == refusal), "{refusal:?} is in no row");
    }
}
