//! `ask directive`: prints a section of a prompt, on a machine where nothing is set.

use pager_questions::{Autonomy, Tier, directive};

use crate::command::{Ended, start_in};

/// Runs it with no settings at all.
fn directed(arguments: &[&str]) -> Ended {
    start_in(tempfile::tempdir().unwrap(), &[], "", &[&["directive"], arguments].concat()).end()
}

#[test]
fn each_cell_is_printed_and_nothing_besides_without_a_service() {
    for autonomy in Autonomy::ALL {
        for tier in Tier::ALL {
            let ended = directed(&["--autonomy", autonomy.as_str(), "--tier", tier.as_str()]);
            assert_eq!((ended.code, ended.output.as_str(), ended.words.as_str()), (0, &*directive(autonomy, tier), ""));
        }
    }
}

#[test]
fn a_service_that_is_set_and_gone_is_not_asked() {
    let gone = [("ASK_URL", "http://127.0.0.1:1"), ("ASK_TOKEN", crate::command::TOKEN)];
    let ended = start_in(tempfile::tempdir().unwrap(), &gone, "", &["directive", "--autonomy", "locked"]).end();
    assert_eq!((ended.code, ended.output.as_str()), (0, &*directive(Autonomy::Locked, Tier::Full)), "{ended:?}");
}

#[test]
fn without_flags_it_is_semi_and_full() {
    assert_eq!(directed(&[]).output, directive(Autonomy::Semi, Tier::Full));
}

#[test]
fn a_wrong_value_is_usage_and_the_values_are_named() {
    let check = |arguments: &[&str], values: &[&str]| {
        let ended = directed(arguments);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(values.iter().all(|value| ended.words.contains(value)), "{ended:?}");
    };
    check(&["--autonomy", "half"], &["--autonomy", "full", "semi", "supervised", "locked"]);
    check(&["--autonomy", "Full"], &["--autonomy", "supervised"]);
    check(&["--tier", "long"], &["--tier", "full", "summary", "minimal"]);
    check(&["--tier", ""], &["--tier", "summary"]);
}

#[test]
fn a_role_and_a_department_are_checked_and_change_nothing_of_the_section() {
    let plain = directed(&[]).output;
    let longest = "ü".repeat(64);
    for arguments in [["--role", "reviewer"], ["--department", "Research & Development"], ["--role", &longest]] {
        let ended = directed(&arguments);
        assert_eq!((ended.code, &ended.output), (0, &plain), "{ended:?}");
        assert!(ended.words.contains("no service has directives for a role or a department yet"), "{ended:?}");
    }
    let too_long = "x".repeat(65);
    for (flag, value, why) in [
        ("--role", "", "must not be blank"),
        ("--role", " \u{200b}\t", "must not be blank"),
        ("--department", "\n", "must not be blank"),
        ("--department", &*too_long, "at most 64 are taken"),
    ] {
        let ended = directed(&[flag, value]);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(flag) && ended.words.contains(why), "{ended:?}");
    }
}

#[test]
fn the_help_says_what_a_role_and_a_department_are_for() {
    let help = directed(&["--help"]).output;
    for words in ["--autonomy", "--tier", "[default: semi]", "[default: full]", "directives that an operator added"] {
        assert!(help.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}: {help}");
    }
}
