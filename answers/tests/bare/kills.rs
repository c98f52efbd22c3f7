//! A process that is killed at any moment while it saves: what it acknowledged is there, and the next one goes on.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use pager_answers::{
    SaveOutcome,
    conformance::{Surroundings, save},
};

use crate::place::{Place, open};

/// Set for the process that is to be killed: the repository it saves to.
const REPOSITORY: &str = "SAVE_UNTIL_KILLED";
const ROUNDS: u64 = 25;

/// The process that is killed: this very test, started again with the variable set. Without it there is nothing to do.
#[tokio::test]
async fn saves_until_killed_when_started_for_that() {
    let Some(repository) = std::env::var_os(REPOSITORY) else { return };
    let keeper = open(repository.as_ref());
    let mut output = std::io::stdout();
    for number in 0_u64.. {
        let id = format!("p{}-{number}", std::process::id());
        if let SaveOutcome::Saved { .. } = save(&*keeper, &id, &id).await {
            writeln!(output, "\nsaved {id}").unwrap();
        }
    }
}

#[tokio::test]
async fn what_was_acknowledged_outlives_a_kill_and_the_next_save_does_not_wait() {
    let place = Place::new();
    let mut acknowledged = Vec::new();
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kills::saves_until_killed_when_started_for_that", "--nocapture"])
            .env(REPOSITORY, place.repository())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        acknowledged.extend(lines.find(|line| line.starts_with("saved ")));
        // A different moment within a save each time: they take some milliseconds.
        let moment = Instant::now() + Duration::from_micros(round * 700);
        while Instant::now() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(lines.filter(|line| line.starts_with("saved ")));

        let began = Instant::now();
        let id = format!("after-{round}");
        assert!(matches!(save(&*place.keeper, &id, "1").await, SaveOutcome::Saved { .. }));
        assert!(began.elapsed() < Duration::from_secs(4), "a lock of the killed process was waited for");
        place.assert_sound().await;
    }
    let kept = place.keeper.list().await.unwrap();
    for line in &acknowledged {
        let id = line.strip_prefix("saved ").unwrap();
        assert!(kept.iter().any(|kept| kept == id), "{id} was acknowledged and is gone");
    }
    assert!(acknowledged.len() >= ROUNDS as usize);
}
