//! What saving one answer costs, beside a floor taken in the same run: writing and flushing one 4 KiB file.
//!
//! `cargo bench -p pager-answers --bench save [-- <folder>]`: the folder has to lie on the disk that is of interest.
#![expect(clippy::print_stdout, reason = "a table is what this is for")]

use std::{
    fs::File,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use pager_answers::{AnswerFile, AnswerPath, BareRepository, Keeper, SaveOutcome};

const ROUNDS: usize = 300;
/// The bytes of a usual answer file.
const ANSWER: usize = 700;

#[tokio::main]
async fn main() {
    let base = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let folder = tempfile::tempdir_in(base.unwrap_or_else(|| ".".to_owned())).expect("the folder can be written to");
    println!("{:>9} {:>12} {:>12} {:>12} {:>12} {:>7}", "answers", "save p50", "save p99", "floor p50", "floor p99", "ratio");
    for kept in [100, 2_000, 5_000] {
        let path = folder.path().join(format!("{kept}.git"));
        let keeper = BareRepository::open(&path, "main").expect("the repository can be made");
        fill(&keeper, kept).await;
        let (mut saves, mut floors) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            floors.push(floor(folder.path()));
            let began = Instant::now();
            assert_saved(&keeper.save(vec![answer(&format!("one-{round}"))]).await);
            saves.push(began.elapsed());
        }
        let (save, floor) = (percentiles(saves), percentiles(floors));
        let ratio = save.0.as_secs_f64() / floor.0.as_secs_f64();
        println!("{kept:>9} {:>12.2?} {:>12.2?} {:>12.2?} {:>12.2?} {ratio:>7.1}", save.0, save.1, floor.0, floor.1);
    }
}

async fn fill(keeper: &BareRepository, count: usize) {
    let answers: Vec<AnswerFile> = (0..count).map(|number| answer(&format!("before-{number}"))).collect();
    for batch in answers.chunks(500) {
        assert_saved(&keeper.save(batch.to_vec()).await);
    }
}

fn answer(id: &str) -> AnswerFile {
    let line = format!("{{\"id\": \"{id}\"}}\n");
    AnswerFile {
        path: AnswerPath::new(id).expect("a valid id"),
        bytes: line.repeat(ANSWER / line.len()).into_bytes(),
        message: format!("answer {id}: chosen"),
    }
}

fn floor(folder: &Path) -> Duration {
    let began = Instant::now();
    let mut file = File::create(folder.join("floor")).expect("the folder can be written to");
    file.write_all(&[7; 4096]).and_then(|()| file.sync_all()).expect("the disk has room");
    began.elapsed()
}

fn assert_saved(outcomes: &[SaveOutcome]) {
    assert!(outcomes.iter().all(|outcome| matches!(outcome, SaveOutcome::Saved { .. })), "{outcomes:?}");
}

fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}
