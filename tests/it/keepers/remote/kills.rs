//! A process that is killed at any moment while it saves: what it acknowledged is there, and the next one goes on.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pager_answers::conformance::{Surroundings, save};
use pager_answers::{Credentials, KeeperSettings, RemoteRepository, SaveOutcome};

use super::place::Place;

/// Set for the process that is to be killed: the URL that it saves to, with credentials in it, and its clones.
const URL: &str = "SAVE_TO_URL_UNTIL_KILLED";
const CLONES: &str = "SAVE_WITH_CLONES_UNTIL_KILLED";
const ROUNDS: u32 = 10;

/// The process that is killed: this very test, started again with the variables set. Without them there is nothing to do.
#[tokio::test]
async fn saves_until_killed_when_started_for_that() {
    let (Ok(url), Some(clones)) = (std::env::var(URL), std::env::var_os(CLONES)) else { return };
    let settings = KeeperSettings {
        credentials: Credentials::default(),
        clones: PathBuf::from(clones),
        ..KeeperSettings::local(url, "main")
    };
    let keeper = RemoteRepository::open(&settings).await.unwrap();
    let mut output = std::io::stdout();
    for number in 0_u64.. {
        let id = format!("p{}-{number}", std::process::id());
        if let SaveOutcome::Saved { .. } = save(&keeper, &id, &id).await {
            writeln!(output, "\nsaved {id}").unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_a_kill_and_the_next_one_goes_on() {
    let place = Place::new();
    let mut acknowledged = Vec::new();
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "keepers::remote::kills::saves_until_killed_when_started_for_that", "--nocapture"])
            .env(URL, format!("git+{}", place.git.url_with_credentials()))
            .env(CLONES, place.clones.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        acknowledged.extend(lines.find(|line| line.starts_with("saved ")));
        // A different moment within a save each time.
        let moment = Instant::now() + Duration::from_millis(u64::from(round) * 9);
        while Instant::now() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(lines.filter(|line| line.starts_with("saved ")));
        let outcome = save(&*place.keeper, &format!("after-{round}"), "1").await;
        assert!(matches!(outcome, SaveOutcome::Saved { .. }), "{outcome:?}");
        place.assert_sound().await;
    }
    let kept = place.keeper.list().await.unwrap();
    for line in &acknowledged {
        let id = line.strip_prefix("saved ").unwrap();
        assert!(kept.iter().any(|kept| kept == id), "{id} was acknowledged and is gone");
        assert_eq!(place.commits_of(id), 1);
    }
    assert!(acknowledged.len() >= ROUNDS as usize);
}
