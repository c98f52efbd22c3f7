//! `ask run`: what starts the command, what it is told, and what is acknowledged.

use rustix::process::Signal;
use serde_json::json;

use crate::command::TOKEN;
use crate::mailroom::{Desk, Mailroom, Standing};
use crate::server::{Reply, problem};

const KEEPS_ITS_PROMPT: &str = "cat > \"$HERE/prompt\"; echo run >> \"$HERE/runs\"";

#[test]
fn one_round_marks_before_the_start_and_acknowledges_after_the_end() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    mailroom.state().add("r-1", "request", Some("ada"));
    mailroom.state().add("9f3c2a715be04d18", "answered", None);
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!((ended.code, ended.output.as_str(), ended.words.as_str()), (0, "", ""));
    let acts = mailroom.state().acts.clone();
    assert_eq!(acts, ["mark 9f3c2a715be04d18.answered", "mark r-1.request", "ack 9f3c2a715be04d18.answered", "ack r-1.request"]);
    assert_eq!(desk.read("runs"), "run\n", "several go together");
    let prompt = desk.read("prompt");
    for part in [
        "the pager's tools and no others: no shell",
        "Asking Rather Than Guessing",
        "the service says request of r-1",
        "<task-data>{access} of r-1</task-data>",
    ] {
        assert!(prompt.contains(part), "{part} is missing: {prompt}");
    }
    assert!(!prompt.contains("may be a repetition: a run"), "{prompt}");
}

#[test]
fn nothing_to_do_is_done() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!((ended.code, ended.words.as_str()), (0, ""));
    assert_eq!(desk.read("runs"), "");
    desk.add("tags = [\"cap:rust\", \"cap:go\"]\ncatchup = \"2h\"");
    desk.start(&mailroom, &["--once"]).end();
    let lines: Vec<String> = mailroom.server.rest().into_iter().map(|request| request.line).collect();
    assert_eq!(lines[0], "GET /v1/wakes?catchup=86400");
    assert!(lines[1].contains("catchup=7200") && lines[1].contains("tags=cap"), "{lines:?}");
}

#[test]
fn the_command_finds_the_service_its_run_and_an_ask_and_no_other_secret() {
    let script = "env > \"$HERE/env\"; command -v ask > \"$HERE/ask\"; echo \"it prints $ASK_TOKEN\"";
    let (mailroom, desk) = (Mailroom::start(), Desk::with(script));
    mailroom.state().add("r-1", "request", None);
    let secrets = [("GH_TOKEN", "s3cret-of-control"), ("ASK_ANSWERS_TOKEN", "s3cret-of-answers"), ("MINE", "stays")];
    assert_eq!(desk.start_with(&mailroom, &secrets, &["--once"]).end().code, 0);
    let environment = desk.read("env");
    assert!(environment.contains(&format!("ASK_TOKEN={TOKEN}")) && environment.contains("MINE=stays"), "{environment}");
    assert!(environment.contains(&format!("ASK_URL=http://{}", mailroom.server.address())), "{environment}");
    assert!(environment.contains("PAGER_RUN=run-"), "{environment}");
    assert!(!environment.contains("s3cret-of-control") && !environment.contains("s3cret-of-answers"), "{environment}");
    assert!(desk.read("ask").trim().ends_with("/ask"));
    let log = desk.log(&mailroom);
    assert_eq!(log[0]["output"], "it prints [token]\n");
    assert!(!std::fs::read_to_string(desk.journal()).unwrap().contains(TOKEN));
}

#[test]
fn only_an_inherited_access_takes_the_runners_other_secrets_along() {
    for (access, has_them) in [("workspace", false), ("inherit", true)] {
        let (mailroom, desk) = (Mailroom::start(), Desk::with("env > \"$HERE/env\""));
        let more = if has_them { "" } else { "enforced_by = \"this test\"\nworkdir = \".\"\ntools = [\"read\"]\n" };
        desk.set(&format!("command = [\"./agent.sh\"]\naccess = \"{access}\"\nheartbeat = \"off\"\n{more}"));
        mailroom.state().add("r-1", "request", None);
        let secrets = [
            "ASK_ANSWERS_TOKEN",
            "ASK_EVENTS_TOKEN",
            "GH_TOKEN",
            "GITHUB_TOKEN",
            "GH_ENTERPRISE_TOKEN",
            "GITHUB_ENTERPRISE_TOKEN",
        ];
        let variables = secrets.map(|name| (name, "s3cret-of-control"));
        let ended = desk.start_with(&mailroom, &variables, &["--once"]).end();
        assert_eq!(ended.code, 0, "{ended:?}");
        let environment = desk.read("env");
        assert!(environment.contains(&format!("ASK_TOKEN={TOKEN}")), "{environment}");
        for name in secrets {
            assert_eq!(environment.contains(&format!("{name}=s3cret")), has_them, "{access}: {name}");
        }
    }
}

#[test]
fn the_log_tells_what_was_run() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with("echo words; echo more >&2; exit 3"));
    assert_eq!(desk.log(&mailroom), Vec::<serde_json::Value>::new());
    mailroom.state().add("r-1", "request", Some("ada"));
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!(ended.code, 0, "its exit code is kept, and is nobody's failure: {ended:?}");
    assert!(ended.words.contains("ended with exit code 3"), "{ended:?}");
    assert_eq!(mailroom.state().standing("r-1.request"), &Standing::Done, "whatever its exit code");
    let log = desk.log(&mailroom);
    let run = &log[0];
    assert_eq!((&run["reasons"], &run["wakes"], &run["exit"]), (&json!(["request"]), &json!(["r-1.request"]), &json!(3)));
    assert!(run["output"].as_str().unwrap().contains("words") && run["output"].as_str().unwrap().contains("more"), "{run}");
    assert!(run["duration_ms"].is_u64() && run["started"].is_string(), "{run}");
    assert!(std::fs::read_to_string(desk.journal()).unwrap().contains("\"owed\": []"));
}

#[test]
fn a_command_that_cannot_be_started_consumes_nothing() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(""));
    desk.set("command = [\"./gone\"]\nenforced_by = \"this test\"\nheartbeat = \"1s\"\n");
    mailroom.state().add("r-1", "request", Some("ada"));
    mailroom.state().older.push("r-0.older".to_owned());
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.words.contains("could not be started") && ended.words.contains("command"), "{ended:?}");
    assert_eq!(mailroom.state().acts, ["mark r-1.request", "release r-1.request"]);
    assert_eq!(desk.log(&mailroom), Vec::<serde_json::Value>::new(), "and no limit counts it");
}

#[test]
fn what_another_runner_has_is_passed_over_silently() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    mailroom.state().add("r-1", "request", None);
    mailroom.state().add("r-2", "request", None);
    mailroom.state().faults.push(("POST /v1/wakes/r-1.request/mark", problem(409, "wake_taken")));
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!((ended.code, ended.words.as_str()), (0, ""));
    assert!(!desk.read("prompt").contains("of r-1") && desk.read("prompt").contains("of r-2"));
    assert_eq!(mailroom.state().acts, ["mark r-2.request", "ack r-2.request"]);
}

#[test]
fn an_acknowledgement_that_was_lost_is_made_up_for_and_nothing_runs_again() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    mailroom.state().add("r-1", "request", None);
    mailroom.state().faults.push(("POST /v1/wakes/r-1.request/ack", problem(500, "broken")));
    assert_eq!(desk.start(&mailroom, &["--once"]).end().code, 0);
    assert!(matches!(mailroom.state().standing("r-1.request"), Standing::Marked(_)));
    assert_eq!(desk.start(&mailroom, &["--once"]).end().code, 0);
    assert_eq!(mailroom.state().standing("r-1.request"), &Standing::Done);
    assert_eq!(desk.read("runs"), "run\n");
}

#[test]
fn it_holds_one_request_and_goes_on_when_the_service_comes_back() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with("echo run >> \"$HERE/runs\""));
    mailroom.state().faults.push(("GET /v1/wakes", Reply::Close));
    mailroom.state().faults.push(("GET /v1/wakes", problem(503, "unavailable")));
    let running = desk.start(&mailroom, &[]);
    let held = loop {
        let request = mailroom.server.next();
        if mailroom.state().faults.is_empty() {
            break mailroom.server.rest().pop().unwrap_or(request);
        }
    };
    assert!(held.headers.contains(&"prefer: wait=55".to_owned()), "{held:?}");
    running.signal(Signal::TERM);
    let ended = running.end();
    assert_eq!(ended.code, 143, "{ended:?}");
    assert!(ended.words.contains("trying again"), "{ended:?}");
}

#[test]
fn a_signal_ends_the_command_and_acknowledges_nothing() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let (mailroom, desk) = (Mailroom::start(), Desk::with("echo $$ > \"$HERE/pid\"; sleep 1000 & wait"));
        mailroom.state().add("r-1", "request", None);
        let running = desk.start(&mailroom, &[]);
        let pid = crate::until::some(|| Some(desk.read("pid").trim().to_owned()).filter(|pid| !pid.is_empty()));
        running.signal(signal);
        assert_eq!(running.end().code, code);
        crate::until::holds(|| !std::path::Path::new("/proc").join(&pid).exists());
        assert_eq!(mailroom.state().acts, ["mark r-1.request"]);
        assert_eq!(desk.log(&mailroom)[0]["interrupted"], true);
    }
}

#[test]
fn a_command_that_the_same_stop_ended_a_moment_before_its_runner_is_not_acknowledged() {
    for last in ["kill -TERM $$", "exit 143"] {
        let (mailroom, desk) = (Mailroom::start(), Desk::with(&format!("(sleep 0.1; kill -TERM $PPID) & {last}")));
        mailroom.state().add("r-1", "request", None);
        assert_eq!(desk.start(&mailroom, &[]).end().code, 143);
        assert_eq!(mailroom.state().acts, ["mark r-1.request"], "{last}");
        assert_eq!(desk.log(&mailroom)[0]["interrupted"], true);
    }
}

#[test]
fn a_service_that_hangs_keeps_no_signal_from_ending_the_runner_and_what_is_owed_is_made_up_for() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    mailroom.state().add("r-1", "request", None);
    let gate = mailroom.bar("POST /v1/wakes/r-1.request/ack");
    let running = desk.start(&mailroom, &[]);
    gate.reached();
    running.signal(Signal::TERM);
    assert_eq!(running.end().code, 143);
    assert_eq!(mailroom.state().acts, ["mark r-1.request"], "it waited for no reply, and tried nothing again");
    assert_eq!(desk.log(&mailroom)[0]["acknowledged"], false);
    gate.open();
    assert_eq!(desk.start(&mailroom, &["--once"]).end().code, 0);
    assert_eq!(mailroom.state().standing("r-1.request"), &Standing::Done);
    assert_eq!(desk.read("runs"), "run\n");
}

#[test]
fn a_signal_while_wakes_are_marked_starts_nothing_and_gives_them_back() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    mailroom.state().add("r-1", "request", None);
    let gate = mailroom.bar("POST /v1/wakes/r-1.request/mark");
    let running = desk.start(&mailroom, &[]);
    gate.reached();
    // The pauses between the tries leave it time to hear.
    for _ in 0..3 {
        mailroom.state().faults.push(("POST /v1/wakes/r-1.request/mark", problem(503, "unavailable")));
    }
    running.signal(Signal::TERM);
    gate.open();
    assert_eq!(running.end().code, 143);
    assert_eq!(mailroom.state().acts, ["mark r-1.request", "release r-1.request"]);
    assert_eq!(desk.read("runs"), "");
    assert_eq!(desk.log(&mailroom), Vec::<serde_json::Value>::new(), "and no limit counts it");
}

#[test]
fn a_run_that_was_killed_with_its_runner_is_given_once_more_and_told_so() {
    let (mailroom, desk) =
        (Mailroom::start(), Desk::with("cat > \"$HERE/prompt\"; echo run >> \"$HERE/runs\"; [ -e \"$HERE/go\" ] || sleep 3"));
    mailroom.state().add("r-1", "request", Some("ada"));
    let running = desk.start(&mailroom, &[]);
    crate::until::holds(|| desk.read("runs") == "run\n");
    running.kill();
    assert_eq!(mailroom.state().acts, ["mark r-1.request"]);
    std::fs::write(desk.folder.path().join("go"), "").unwrap();
    assert_eq!(desk.start(&mailroom, &["--once"]).end().code, 0);
    assert_eq!(desk.read("runs"), "run\n", "its lease holds");
    mailroom.state().let_leases_run_out();
    assert_eq!(desk.start(&mailroom, &["--once"]).end().code, 0);
    assert_eq!(desk.read("runs"), "run\nrun\n");
    assert!(desk.read("prompt").contains("This may be a repetition: a run was started for it before"));
    assert_eq!(mailroom.state().standing("r-1.request"), &Standing::Done);
}

#[test]
fn a_mark_is_renewed_while_the_command_runs() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with("while [ ! -e \"$HERE/go\" ]; do sleep 0.05; done"));
    desk.add("lease = \"1s\"");
    mailroom.state().add("r-1", "request", None);
    let running = desk.start(&mailroom, &["--once"]);
    crate::until::holds(|| mailroom.state().acts.len() >= 3);
    std::fs::write(desk.folder.path().join("go"), "").unwrap();
    assert_eq!(running.end().code, 0);
    let acts = mailroom.state().acts.clone();
    assert!(acts[..3].iter().all(|act| act == "mark r-1.request") && acts.last().unwrap() == "ack r-1.request", "{acts:?}");
}

#[test]
fn two_runners_with_the_same_settings_say_so_and_share_what_there_is() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with("echo run >> \"$HERE/runs\""));
    let first = desk.start(&mailroom, &[]);
    mailroom.until("GET /v1/wakes");
    let second = desk.start(&mailroom, &["--once"]).end();
    assert_eq!(second.code, 0);
    assert!(second.words.contains("another `ask run` with these settings"), "{second:?}");
    first.signal(Signal::TERM);
    assert!(!first.end().words.contains("another"));
}

#[test]
fn what_no_waiting_would_mend_ends_it() {
    let check = |reply: Reply, code: i32, words: &str| {
        let (mailroom, desk) = (Mailroom::start(), Desk::with(""));
        mailroom.state().faults.push(("GET /v1/wakes", reply));
        let ended = desk.start(&mailroom, &[]).end();
        assert_eq!(ended.code, code, "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    };
    check(problem(401, "unauthenticated"), 1, "set ASK_TOKEN");
    check(problem(403, "forbidden"), 1, "right role");
    check(problem(404, "not_found"), 1, "same version");
    check(problem(422, "invalid"), 2, "because invalid");
}

#[test]
fn once_does_not_wait_for_a_service_that_is_away() {
    let desk = Desk::with("");
    let mailroom = Mailroom::start();
    mailroom.state().faults.push(("GET /v1/wakes", Reply::Close));
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!(ended.code, 1, "{ended:?}");
}

#[test]
fn a_damaged_journal_is_never_taken_for_an_empty_one() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    desk.start(&mailroom, &["--once"]).end();
    std::fs::write(desk.journal(), "{").unwrap();
    mailroom.state().add("r-1", "request", None);
    for arguments in [&["--once"][..], &["--log"]] {
        let ended = desk.start(&mailroom, arguments).end();
        assert_eq!(ended.code, 1, "{ended:?}");
        assert!(ended.words.contains("journal.json is damaged") && ended.words.contains("move it away"), "{ended:?}");
    }
    assert_eq!(desk.read("runs"), "");
}

#[test]
fn it_needs_direct_mode_and_says_why() {
    let variables = [("ASK_CONTROL", "ada/control"), ("ASK_ANSWERS", "ada/answers"), ("GH_TOKEN", "s3cret-of-control")];
    let ended = crate::command::start_in(tempfile::tempdir().unwrap(), &variables, "", &["run"]).end();
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.words.contains("run needs direct mode") && ended.words.contains("ASK_URL"), "{ended:?}");
}

#[test]
fn a_role_that_picks_nothing_yet_is_told_of_at_the_start() {
    for setting in ["role = \"reviewer\"", "department = \"research\""] {
        let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
        desk.add(setting);
        let ended = desk.start(&mailroom, &["--once"]).end();
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(ended.words.contains("no service has directives for a role or a department yet"), "{ended:?}");
    }
}

#[test]
fn wrong_settings_are_told_at_once_with_their_file() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(""));
    desk.set("command = [\"claude\", \"-p\", \"--yolo\"]\ncolour = 1\nlease = \"2h\"\n");
    let ended = desk.start(&mailroom, &[]).end();
    assert_eq!(ended.code, 1, "{ended:?}");
    for part in ["runner.toml: command: has \"--yolo\"", "runner.toml: colour: is no setting", "runner.toml: lease: must be"] {
        assert!(ended.words.contains(part), "{part}: {ended:?}");
    }
    assert!(mailroom.server.rest().is_empty());
}
