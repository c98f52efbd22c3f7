//! Wake targets: their names, the one kind there is, and what it needs.

use super::Setup;

const HUB: &str = "[control]\nrepo = 'me/control'\n[github]\ntoken = 't'\n";

fn with(lines: &str) -> Setup {
    Setup::file(&format!("{HUB}{lines}"))
}

#[test]
fn a_target_is_a_name_with_a_kind() {
    let setup = with("[wake.nightly]\nkind = 'dispatch'\n").variable("PAGER_WAKE__DAILY_RUN__KIND", "dispatch");
    let names: Vec<String> = setup.loaded().wakes.names.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["daily_run", "nightly"]);
    assert!(Setup::file("").loaded().wakes.names.is_empty());
}

#[test]
fn a_kind_that_is_not_built_does_not_start_and_its_secret_is_not_shown() {
    let faults = with("[wake.ci]\nkind = 'webhook'\nurl = 'https://x.example'\nsecret = 's-3cret'\n").faults();
    assert_eq!(faults, ["wake.ci.kind at FILE: is webhook, which this version does not have yet; use dispatch or runner"]);
    let faults = with("[wake.ci]\nkind = 'pigeon'\n[wake.cd]\nurl = 'https://x.example'\n").faults();
    let expected = [
        "wake.cd.kind at FILE: is missing; set it to dispatch or runner",
        "wake.ci.kind at FILE: is \"pigeon\"; the kinds are dispatch and runner",
    ];
    assert_eq!(faults, expected);
}

#[test]
fn a_runner_needs_no_control_repository_and_takes_no_address() {
    let wakes = Setup::file("[wake.mine]\nkind = 'runner'\n").loaded().wakes;
    assert_eq!(
        (wakes.runners.iter().map(ToString::to_string).collect::<Vec<_>>(), wakes.names.len()),
        (vec!["mine".to_owned()], 0)
    );
    let faults = Setup::file("[wake.mine]\nkind = 'runner'\nurl = 'https://x.example'\n").faults();
    assert_eq!(faults, ["wake.mine.kind at FILE: is runner, which takes no url and no secret; take them out"]);
}

#[test]
fn a_dispatch_takes_no_address_and_needs_a_control_repository_that_can_be_called() {
    let faults = with("[wake.ci]\nkind = 'dispatch'\nsecret_file = '/run/secret'\n").faults();
    assert_eq!(faults, ["wake.ci.kind at FILE: is dispatch, which takes no url and no secret; take them out"]);
    let needs = "wake.ci.kind at FILE: is dispatch, which needs control.repo, and github.token or a GitHub App; set them";
    for hub in ["", "[github]\ntoken = 't'\n", "[control]\nrepo = 'me/control'\n"] {
        assert_eq!(Setup::file(&format!("{hub}[wake.ci]\nkind = 'dispatch'\n")).faults(), [needs]);
    }
}

#[test]
fn a_name_is_one_that_an_agent_can_write() {
    let faults = with("[wake.'Not me']\nkind = 'dispatch'\n").faults();
    assert!(faults.len() == 1 && faults[0].contains("wake.Not me.kind") && faults[0].contains("a-z, 0-9"), "{faults:?}");
    let deeper = with("[wake.ci]\nkind = 'dispatch'\nurl2 = 'x'\n").faults();
    assert_eq!(deeper, ["wake.ci.url2 at FILE: is not a setting of this version; correct its name or take it out"]);
}
