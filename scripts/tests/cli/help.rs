//! What the tool says of itself needs no settings.

use crate::command::start_with;

fn told(arguments: &[&str]) -> String {
    let ended = start_with("", &[("ASK_TOKEN", "")], "", arguments).end();
    assert_eq!((ended.code, ended.words.as_str()), (0, ""), "{arguments:?}");
    ended.output
}

#[test]
fn the_help_shows_an_example_for_each_verb() {
    let help = told(&["--help"]);
    let verbs = [
        "new",
        "wait",
        "answer",
        "withdraw",
        "gate",
        "update",
        "request",
        "reply",
        "offer",
        "pick",
        "status",
        "list",
        "directive",
        "run",
        "inbox",
        "decide",
        "decline",
        "cancel",
        "updates",
        "read",
        "dismiss",
        "completions",
        "man",
    ];
    for verb in verbs {
        assert!(help.contains(&format!("  ask {verb} ")) || help.contains(&format!("$(ask {verb} ")), "{verb}");
        assert!(told(&[verb, "--help"]).contains("Usage: ask"), "{verb}");
    }
    let variables = [
        "ASK_URL",
        "ASK_TOKEN",
        "ASK_CONTROL",
        "ASK_ANSWERS",
        "ASK_ANSWERS_TOKEN",
        "ASK_EVENTS",
        "ASK_EVENTS_TOKEN",
        "ASK_GITHUB_API",
        "ASK_AGENT",
        "ASK_VERIFY_KEY",
        "GH_TOKEN",
        "GITHUB_TOKEN",
    ];
    let words: Vec<&str> = help.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_').collect();
    for variable in variables {
        assert!(words.contains(&variable), "{variable} is not in the help");
    }
    assert_eq!(told(&["--version"]), format!("ask {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_and_manual_pages_come_with_it() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(told(&["completions", shell]).contains("withdraw"), "{shell}");
    }
    assert!(told(&["man"]).contains(".TH ask 1"));
    assert!(told(&["man", "wait"]).contains("ask\\-wait"));
    for verb in ["gate", "update", "request", "reply", "offer", "pick", "status", "inbox", "dismiss"] {
        assert!(told(&["completions", "bash"]).contains(&format!("ask,{verb})")), "{verb}");
        assert!(told(&["man", verb]).contains(&format!("ask\\-{verb}")), "{verb}");
    }
}
