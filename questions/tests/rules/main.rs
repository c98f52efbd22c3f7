//! The rules, from outside: what a door may rely on.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod against_the_model;
mod answer_file;
mod around_the_deadline;
mod control_events;
mod deadlines;
mod decision_log;
mod directive;
mod drafts;
mod ends;
mod fingerprints;
mod gates;
mod guidance;
mod limits;
mod model;
mod own_words;
mod purity;
mod purposes;
mod resuming;
mod runner_wakes;
mod samples;
mod secret_words;
mod shown;
mod signatures;
mod states;
mod texts;
mod threads;
mod unanswered;
mod updates;
mod views;
mod wakes;

#[test]
fn no_file_of_these_tests_is_forgotten() {
    let named: Vec<String> = include_str!("main.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';').map(|name| format!("{name}.rs")))
        .collect();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "main.rs" || named.contains(&name), "{name} is not compiled: add its mod line");
    }
}
