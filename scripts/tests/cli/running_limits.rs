//! `ask run`: how often, heartbeats, and which flags the runtimes get.

use crate::mailroom::{Desk, Mailroom, Standing};

const KEEPS_ITS_PROMPT: &str = "cat > \"$HERE/prompt\"; echo run >> \"$HERE/runs\"";

#[test]
fn what_is_over_a_limit_is_postponed_and_not_lost_also_over_a_restart() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    desk.add("runs_per_hour = 1");
    mailroom.state().add("r-1", "request", Some("ada"));
    assert_eq!(desk.start(&mailroom, &["--once"]).end().words, "");
    mailroom.state().add("r-2", "request", Some("ada"));
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert_eq!(ended.code, 0);
    assert!(ended.words.contains("runs_per_hour is reached: 1 wake is postponed until 20"), "{ended:?}");
    assert_eq!(ended.words.lines().count(), 1, "{ended:?}");
    assert_eq!(mailroom.state().standing("r-2.request"), &Standing::Free);
    assert_eq!(desk.read("runs"), "run\n");
}

#[test]
fn an_author_s_wakes_are_counted_and_the_agent_s_own_matters_are_not() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    desk.add("wakes_per_author_per_day = 1");
    for (id, author) in [("r-1", Some("ada")), ("r-2", Some("ada")), ("r-3", Some("bob")), ("r-4", None), ("r-5", None)] {
        mailroom.state().add(id, "request", author);
    }
    let ended = desk.start(&mailroom, &["--once"]).end();
    assert!(ended.words.contains("wakes_per_author_per_day is reached: 1 wake is postponed"), "{ended:?}");
    let done = |id: &str| *mailroom.state().standing(id) == Standing::Done;
    assert_eq!(["r-1", "r-2", "r-3", "r-4", "r-5"].map(|id| done(&format!("{id}.request"))), [true, false, true, true, true]);
    desk.start(&mailroom, &["--once"]).end();
    assert!(!done("r-2.request"), "also in the next run");
}

#[test]
fn a_heartbeat_shows_older_requests_once_and_only_a_run_that_started_consumes_them() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    desk.set("command = [\"./agent.sh\"]\nenforced_by = \"this test\"\nheartbeat = \"1s\"\n");
    mailroom.state().older = ["r-1.older", "r-2.older", "r-3.older", "r-4.older"].map(str::to_owned).to_vec();
    assert_eq!(desk.start(&mailroom, &["--once"]).end().code, 0);
    assert_eq!(desk.read("runs"), "", "the first comes a period after the first start");
    crate::until::holds(|| {
        desk.start(&mailroom, &["--once"]).end();
        desk.read("runs") == "run\n"
    });
    let prompt = desk.read("prompt");
    assert!(prompt.contains("### A heartbeat") && prompt.contains("Optional: older requests"), "{prompt}");
    assert!(prompt.contains("older r-3.older") && !prompt.contains("older r-4.older"), "{prompt}");
    assert_eq!(mailroom.state().older, ["r-4.older"]);
    assert_eq!(mailroom.state().acts, ["ack r-1.older", "ack r-2.older", "ack r-3.older"]);
    let log = desk.log(&mailroom);
    assert_eq!((log.len(), log[0]["reasons"].to_string().as_str()), (1, "[\"heartbeat\"]"));
}

#[test]
fn older_requests_make_no_run_of_their_own() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    desk.set("command = [\"./agent.sh\"]\nenforced_by = \"this test\"\nheartbeat = \"1h\"\n");
    mailroom.state().older.push("r-1.older".to_owned());
    mailroom.state().add("r-2", "request", None);
    desk.start(&mailroom, &["--once"]).end();
    desk.start(&mailroom, &["--once"]).end();
    assert_eq!(desk.read("runs"), "run\n");
    assert!(!desk.read("prompt").contains("Optional: older requests"), "a run between heartbeats is shown none");
    assert_eq!(mailroom.state().older, ["r-1.older"]);
}

#[test]
fn a_heartbeat_comes_by_itself_while_a_request_is_held() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPT));
    desk.set("command = [\"./agent.sh\"]\nenforced_by = \"this test\"\nheartbeat = \"1s\"\n");
    let running = desk.start(&mailroom, &[]);
    crate::until::holds(|| desk.read("runs").lines().count() >= 2);
    running.signal(rustix::process::Signal::TERM);
    assert_eq!(running.end().code, 143);
}

#[test]
fn each_runtime_gets_the_flags_that_hold_it_and_the_prompt_on_its_standard_input() {
    let check = |command: &str, name: &str, flags: &[&str]| {
        let (mailroom, desk) = (Mailroom::start(), Desk::with(""));
        desk.program(name, "for argument in \"$@\"; do echo \"$argument\"; done > \"$HERE/arguments\"; cat > \"$HERE/prompt\"");
        desk.set(&format!("command = {command}\nheartbeat = \"off\"\n"));
        mailroom.state().add("r-1", "request", None);
        let path = format!("{}:{}", desk.folder.path().display(), std::env::var("PATH").unwrap());
        let ended = desk.start_with(&mailroom, &[("PATH", &path)], &["--once"]).end();
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(ended.words.contains("`ask mcp`, which this `ask` does not have"), "{ended:?}");
        let arguments: Vec<String> = desk.read("arguments").lines().map(str::to_owned).collect();
        for flag in flags {
            assert!(arguments.iter().any(|argument| argument == flag), "{flag}: {arguments:?}");
        }
        assert!(desk.read("prompt").contains("the service says request of r-1"));
        assert_eq!(arguments.iter().filter(|argument| argument.contains("s3cret")).count(), 0);
    };
    check(
        "[\"claude\", \"-p\"]",
        "claude",
        &["-p", "--restricted", "--strict-mcp-config", "--allowedTools", "mcp__pager", "dontAsk"],
    );
    check(
        "[\"codex\", \"exec\"]",
        "codex",
        &["exec", "--ignore-user-config", "read-only", "shell_tool", "approval_policy=\"never\""],
    );
    check("[\"openclaw\", \"agent\", \"exec\"]", "openclaw", &["agent", "exec", "--message-file", "-", "--config"]);
}

#[test]
fn a_run_that_reads_an_answer_itself_is_not_started_for_it() {
    let server = crate::server::Server::start(|request| match request.line.as_str() {
        crate::command::RECORD => crate::server::reply(200, &crate::command::record("answered")),
        line if line.starts_with("POST /v1/wakes/") => crate::server::problem(404, "not_found"),
        _ => crate::server::reply(200, &crate::command::answer("chosen")),
    });
    let url = format!("http://{}", server.address());
    for verb in ["wait", "answer"] {
        let ended = crate::command::start_with(&url, &[("PAGER_RUN", "run-1")], "", &[verb, "rel-42"]).end();
        assert_eq!((ended.code, ended.words.as_str()), (0, ""), "{ended:?}");
        let told = format!("POST /v1/wakes/{}.answered/ack", crate::command::INCARNATION);
        assert_eq!(server.rest().last().unwrap().line, told, "{verb}");
    }
    crate::command::start_with(&url, &[], "", &["wait", "rel-42"]).end();
    assert!(server.rest().iter().all(|request| !request.is("POST")));
}
