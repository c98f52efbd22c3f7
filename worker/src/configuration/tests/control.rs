//! The control repository: what proves an event, and who may send one.

use std::collections::BTreeSet;

use super::Setup;
use crate::configuration::control::{Inbox, Oidc};

const STANDARD: &str = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz";
const APP: &str = "It's a Secret to Everybody";
const OIDC: &str = "[control]\nmaintainers = [7]\n[control.oidc]\nrepository_id = 42\n\
    workflow_ref = 'o/r/.github/workflows/pager-forward.yml@refs/heads/main'\nevent_name = 'repository_dispatch'\nref = 'refs/heads/main'\n";

fn control(lines: &str) -> Setup {
    Setup::file(&format!("[control]\n{lines}"))
}

#[test]
fn nothing_set_takes_no_event() {
    let control = Setup::file("[control]\n[control.oidc]\n").loaded().control;
    assert!(control.repo.is_none() && control.maintainers.is_none() && control.inbox.is_none() && control.oidc.is_none());
    assert!(control.secrets.standard.is_empty() && !control.secrets.has_app_secret());
}

#[test]
fn a_secret_without_the_prefix_is_a_github_app_s() {
    let file = format!("repo = 'o/r'\nmaintainers = [7, 8]\nsecrets = ['{STANDARD}', \"{APP}\", '{STANDARD}']\n");
    let control = control(&file).loaded().control;
    assert_eq!((control.secrets.standard.len(), control.secrets.app.len()), (2, 1));
    assert_eq!(control.maintainers, Some(BTreeSet::from([7, 8])));
    assert_eq!(control.repo.unwrap().to_string(), "o/r");
}

#[test]
fn secrets_stand_one_a_line_in_a_file_or_behind_commas_in_the_environment() {
    let setup = Setup::file("").variable("PAGER_CONTROL__SECRETS", &format!("{STANDARD},{STANDARD}"));
    assert_eq!(setup.loaded().control.secrets.standard.len(), 2);
    let setup = Setup::file("");
    let path = setup.folder.path().join("secrets");
    std::fs::write(&path, format!("{STANDARD}\n\n {STANDARD} \n")).unwrap();
    let setup = setup.variable("PAGER_CONTROL__SECRETS_FILE", path.to_str().unwrap());
    assert_eq!(setup.loaded().control.secrets.standard.len(), 2);
    let both = setup.variable("PAGER_CONTROL__SECRETS", STANDARD);
    let place = "control.secrets at $PAGER_CONTROL__SECRETS";
    assert_eq!(both.faults(), [format!("{place}: is set and control.secrets_file too; keep one of them")]);
}

#[test]
fn secrets_that_protect_nothing_do_not_start_and_none_is_shown() {
    let check = |secret: &str, wrong: &str| {
        let faults = control(&format!("secrets = ['{STANDARD}', '{secret}']\n")).faults();
        assert!(faults.len() == 1 && faults[0].contains(wrong) && faults[0].contains("number 2"), "{faults:?}");
        assert!(secret.is_empty() || !faults[0].contains(secret), "{faults:?}");
    };
    check("whsec_not base64!", "is not base64 behind whsec_");
    check("whsec_c2hvcnRlcg==", "has under 16 bytes");
    check("", "is empty");
    let none = control("secrets = []\n").faults();
    assert_eq!(none, ["control.secrets at FILE: holds no secret; write one into it, or take it out"]);
}

#[test]
fn a_secret_that_github_takes_is_taken_with_its_commas() {
    use secrecy::ExposeSecret;
    let secrets = control("repo = 'o/r'\nmaintainers = [7]\nsecrets = ['short', 'a, b,c', 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==']\n");
    let secrets = secrets.loaded().control.secrets;
    let app: Vec<&str> = secrets.app.iter().map(|secret| secret.expose_secret()).collect();
    assert_eq!((app, secrets.standard.len()), (vec!["short", "a, b,c"], 1));
}

#[test]
fn printed_secrets_are_not_shown() {
    let setup = control(&format!("repo = 'o/r'\nmaintainers = [7]\nsecrets = ['{STANDARD}', \"{APP}\"]\n"));
    let printed = format!("{:?} {:#?}", setup.loaded(), setup.loaded());
    assert!(!printed.contains(APP) && !printed.contains("48, 49, 50") && !printed.contains("0123"), "{printed}");
}

#[test]
fn events_that_github_vouches_for_need_to_be_told_whose() {
    for incomplete in
        [control(&format!("repo = 'o/r'\nsecrets = [\"{APP}\"]\n")), Setup::file(&OIDC.replace("maintainers = [7]\n", ""))]
    {
        let gaps = incomplete.loaded().control.gaps();
        assert!(gaps.len() == 1 && gaps[0].starts_with("control.maintainers is missing"), "{gaps:?}");
    }
    let empty = control(&format!("secrets = ['{STANDARD}']\nmaintainers = []\n")).faults();
    assert_eq!(
        empty,
        ["control.maintainers at FILE: is empty, so that nobody's events would be taken; name numeric ids of GitHub accounts"]
    );
    assert_eq!(control(&format!("secrets = ['{STANDARD}']\n")).loaded().control.maintainers, None);
}

#[test]
fn what_a_github_app_sends_is_taken_from_one_repository_alone() {
    let gaps = control(&format!("maintainers = [7]\nsecrets = [\"{APP}\"]\n")).loaded().control.gaps();
    assert!(gaps.len() == 1 && gaps[0].starts_with("control.repo is missing"), "{gaps:?}");
    assert!(Setup::file(OIDC).loaded().control.gaps().is_empty());
}

#[test]
fn a_workflow_is_pinned_by_everything_that_names_it() {
    let oidc = Setup::file(OIDC).loaded().control.oidc.unwrap();
    let expected = Oidc {
        issuer: "https://token.actions.githubusercontent.com".to_owned(),
        jwks_url: None,
        repository_id: "42".to_owned(),
        workflow_ref: "o/r/.github/workflows/pager-forward.yml@refs/heads/main".to_owned(),
        event_name: "repository_dispatch".to_owned(),
        git_ref: "refs/heads/main".to_owned(),
    };
    assert_eq!(oidc, expected);
    let faults = Setup::file("[control]\nmaintainers = [7]\n[control.oidc]\nissuer = 'https://github.example'\n").faults();
    let keys: Vec<&str> = faults.iter().filter_map(|fault| fault.split_once(" at ")).map(|(key, _)| key).collect();
    assert_eq!(keys, ["repository_id", "workflow_ref", "event_name", "ref"].map(|key| format!("control.oidc.{key}")));
}

#[test]
fn a_pin_of_another_shape_is_told() {
    let check = |from: &str, to: &str, key: &str| {
        let faults = Setup::file(&OIDC.replace(from, to)).faults();
        assert!(faults.len() == 1 && faults[0].starts_with(&format!("control.oidc.{key} at FILE: is ")), "{faults:?}");
    };
    check("repository_id = 42", "repository_id = 'o/r'", "repository_id");
    check("o/r/.github", "r/.github", "workflow_ref");
    check("forward.yml@refs/heads/main", "forward.yml", "workflow_ref");
    check("event_name = 'repository_dispatch'", "event_name = ''", "event_name");
    check("ref = 'refs/heads/main'\n", "ref = 'main'\n", "ref");
}

#[test]
fn keys_are_fetched_over_tls_or_from_this_machine() {
    for (key, url, fits) in [
        ("issuer", "https://github.example/_services/token/", true),
        ("issuer", "http://github.example", false),
        ("jwks_url", "http://127.0.0.1:9/jwks", true),
        ("jwks_url", "http://[::1]:9/jwks", true),
        ("jwks_url", "http://127.0.0.1.example/jwks", false),
        ("jwks_url", "ftp://127.0.0.1/jwks", false),
    ] {
        let setup = Setup::file(&format!("{OIDC}{key} = '{url}'\n"));
        if fits {
            assert!(setup.loaded().control.oidc.is_some());
        } else {
            let faults = setup.faults();
            assert!(faults[0].starts_with(&format!("control.oidc.{key} at FILE: does not begin with https://")), "{faults:?}");
        }
    }
}

#[test]
fn an_inbox_is_a_branch_of_the_control_repository_or_of_another() {
    let inbox = |lines: &str| control(lines).loaded().control.inbox;
    assert_eq!(inbox("inbox = 'branch'\nrepo = 'o/r'\n"), Some(Inbox::Repository));
    let url = "git@git.example:o/r.git";
    assert_eq!(inbox(&format!("inbox = 'branch'\nrepo = 'o/r'\ninbox_url = '{url}'\n")), Some(Inbox::Url(url.to_owned())));
    assert_eq!(inbox("repo = 'o/r'\n"), None);
    let fault = |lines: &str| control(lines).faults();
    assert_eq!(fault("inbox = 'folder'\n"), ["control.inbox at FILE: is \"folder\"; the only inbox is \"branch\""]);
    assert_eq!(fault("inbox = 'branch'\n"), ["control.inbox_url at FILE: is missing; an inbox needs it, or control.repo"]);
    let unused = fault(&format!("inbox_url = '{url}'\n"));
    assert_eq!(unused, ["control.inbox_url at FILE: is set without control.inbox; set that to \"branch\" too"]);
}

#[test]
fn an_inbox_whose_address_holds_a_password_does_not_start_and_is_not_shown() {
    let faults = control("inbox = 'branch'\ninbox_url = 'https://u:hunter2@git.example/r.git'\n").faults();
    let told = "control.inbox_url at FILE: holds a password; take it out of the address, and set it as answers.token";
    assert_eq!(faults, [told]);
}
