//! `ask run`: a file of settings as somebody writes it who copies the whole example and changes the access.

use crate::mailroom::{Desk, Mailroom};

/// Every key of the example.
fn whole(command: &str, access: &str) -> String {
    format!(
        "command = [{command}]\naccess = \"{access}\"\nautonomy = \"semi\"\ntier = \"full\"\nworkdir = \".\"\ntools = [\"read\", \"edit\"]\n\
         tags = [\"cap:rust\"]\nheartbeat = \"1h\"\ncatchup = \"24h\"\nruns_per_hour = 6\nruns_per_day = 40\n\
         wakes_per_author_per_day = 10\ntemplate = \"HEARTBEAT.md\"\n"
    )
}

/// What a run is told with these settings, and what the runner says.
fn told(settings: &str) -> (String, String) {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(""));
    for name in ["claude", "codex", "openclaw", "agent"] {
        desk.program(name, "cat > \"$HERE/prompt\"");
    }
    std::fs::write(desk.folder.path().join("HEARTBEAT.md"), "Mine: {access}\n\n{directive}\n\n{events}\n").unwrap();
    desk.set(settings);
    mailroom.state().add("r-1", "request", None);
    let path = format!("{}:{}", desk.folder.path().display(), std::env::var("PATH").unwrap());
    let ended = desk.start_with(&mailroom, &[("PATH", &path)], &["--once"]).end();
    assert_eq!(ended.code, 0, "{settings}: {ended:?}");
    (desk.read("prompt"), ended.words)
}

#[test]
fn the_whole_example_serves_every_runtime_with_every_access() {
    for runtime in ["claude", "codex", "openclaw"] {
        for (access, part) in
            [("locked", "no shell, no files"), ("workspace", "the tools read and edit in the folder"), ("inherit", "")]
        {
            let (prompt, words) = told(&whole(&format!("\"{runtime}\""), access));
            assert!(prompt.starts_with("Mine: In this run ") && prompt.contains(part), "{runtime}: {prompt}");
            assert_eq!(prompt.contains("OpenClaw's tool policy"), runtime == "openclaw", "{prompt}");
            let is_told = words.contains("runner.toml: tools is for access = \"workspace\"");
            assert_eq!(is_told, access != "workspace", "{runtime}, {access}: {words}");
        }
    }
}

#[test]
fn the_operators_word_may_stay_where_it_is_not_needed() {
    for (command, access, is_needed) in
        [("\"agent\"", "locked", true), ("\"agent\"", "inherit", false), ("\"claude\"", "locked", false)]
    {
        let (_, words) = told(&format!("{}enforced_by = \"a container\"\n", whole(command, access)));
        assert_eq!(words.contains("enforced_by is not used"), !is_needed, "{command}, {access}: {words}");
    }
}

#[test]
fn several_wakes_that_wait_are_told_in_the_plural() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(""));
    desk.add("wakes_per_author_per_day = 1");
    for id in ["r-1", "r-2", "r-3"] {
        mailroom.state().add(id, "request", Some("ada"));
    }
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert!(ended.words.contains("2 wakes are postponed until 20"), "{ended:?}");
}
