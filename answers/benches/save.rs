//! What saving one answer costs, beside a floor taken in the same run: writing and flushing one 4 KiB file; and what asking
//! for an unused id costs. By the number of answers ever saved: at most 2,000 of them lie in `answers/`, the others in the
//! archive, as pagerd keeps it.
//!
//! `cargo bench -p pager-answers --bench save [-- <folder> [answers…]]`: the folder has to lie on the disk that is of interest.
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
/// So many stay in `answers/`.
const LIVE: usize = 2_000;
/// A repository that nobody packs has about so many loose objects for each answer: the file, two folders and the commit.
const LOOSE: usize = 4;

/// One row of the table.
struct Row {
    kept: usize,
    save: (Duration, Duration),
    floor: (Duration, Duration),
    asked: Duration,
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let base = arguments.next().unwrap_or_else(|| ".".to_owned());
    let counts: Vec<usize> = arguments.map(|count| count.parse().expect("a number of answers")).collect();
    let counts = if counts.is_empty() { vec![100, 2_000, 100_000] } else { counts };
    let folder = tempfile::tempdir_in(base).expect("the folder can be written to");
    println!(
        "{:>9} {:>7} {:>10} {:>10} {:>10} {:>10} {:>7} {:>10} {:>10}",
        "answers", "loose", "save p50", "save p99", "floor p50", "floor p99", "ratio", "ask p50", "× first"
    );
    let mut first: Option<f64> = None;
    for kept in counts {
        let path = folder.path().join(format!("{kept}.git"));
        let keeper = BareRepository::open(&path, "main").expect("the repository can be made");
        fill(&keeper, kept).await;
        let mut loose = vec![0];
        if kept > LIVE {
            // Nobody packed: the objects of so many saves of one answer each.
            loose.push(kept * LOOSE);
        }
        for loose in loose {
            scatter(&path, loose);
            let row = measure(&keeper, folder.path(), kept, loose).await;
            let (save, floor) = (row.save.0.as_secs_f64(), row.floor.0.as_secs_f64());
            let grown = save / *first.get_or_insert(save);
            println!(
                "{:>9} {loose:>7} {:>10.2?} {:>10.2?} {:>10.2?} {:>10.2?} {:>7.1} {:>10.2?} {grown:>10.2}",
                row.kept,
                row.save.0,
                row.save.1,
                row.floor.0,
                row.floor.1,
                save / floor,
                row.asked
            );
        }
    }
}

async fn measure(keeper: &BareRepository, folder: &Path, kept: usize, round_name: usize) -> Row {
    let (mut saves, mut floors, mut asked) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        floors.push(floor(folder));
        let file = answer(&format!("one-{round_name}-{round}"));
        let began = Instant::now();
        assert!(!keeper.holds(&file.path).await.expect("the repository can be read"), "it is new");
        asked.push(began.elapsed());
        let began = Instant::now();
        assert_saved(&keeper.save(vec![file]).await);
        saves.push(began.elapsed());
    }
    Row { kept, save: percentiles(saves), floor: percentiles(floors), asked: percentiles(asked).0 }
}

/// Saves so many, and archives them as pagerd does.
async fn fill(keeper: &BareRepository, count: usize) {
    let answers: Vec<AnswerFile> = (0..count).map(|number| answer(&format!("before-{number}"))).collect();
    for batch in answers.chunks(500) {
        assert_saved(&keeper.save(batch.to_vec()).await);
        let live = keeper.live().await.expect("the repository can be read");
        if live.len() > LIVE {
            let paths = live[..live.len() - LIVE].iter().map(|id| AnswerPath::new(id).expect("an id")).collect();
            keeper.archive(paths).await.expect("the repository can be written to");
        }
    }
}

/// Files where loose objects lie, which is all that matters about those that nobody reads.
fn scatter(repository: &Path, count: usize) {
    for number in 0..count {
        let folder = repository.join(format!("objects/{:02x}", number % 256));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        std::fs::write(folder.join(format!("{number:038x}")), b"x").expect("the disk has room");
    }
}

fn answer(id: &str) -> AnswerFile {
    let line = format!("{{\"id\": \"{id}\"}}\n");
    AnswerFile {
        path: AnswerPath::new(id).expect("a valid id"),
        bytes: line.repeat(ANSWER / line.len()).into_bytes(),
        message: format!("answer {id}: chosen"),
        beside: None,
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
