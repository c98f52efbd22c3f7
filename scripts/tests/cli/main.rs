//! The real `ask` against a scripted server: every exit code, every way a wait can end, and what must never be shown.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod asking;
mod command;
mod directive;
mod gate;
mod git;
mod github;
mod github_limits;
mod github_withdrawing;
mod giving_up;
mod help;
mod hub;
mod inbox;
mod mailroom;
mod offers;
mod owner;
mod pagerd;
mod private;
mod purposes;
mod requests;
mod running;
mod running_limits;
mod running_settings;
mod running_together;
mod safety;
mod server;
mod status;
mod until;
mod updates;
mod waiting;
mod withdrawing;

#[test]
fn no_file_of_tests_was_forgotten() {
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name}");
    }
}
