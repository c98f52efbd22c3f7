//! `pagerd doctor` and `pagerd setup` with the ways of events: pins, variables, the branch, and the agents' token.

use pager_tests::fake_github::{Rights, Visibility};

use super::github::{ANSWERS, CONTROL, Place};

const FOLDER: &str = ".github/workflows";

/// A place with this workflow in the control repository.
async fn with_workflow(file: &str) -> Place {
    let place = Place::new().await;
    place.github.commit(CONTROL, "main", &format!("{FOLDER}/{file}"), b"on: repository_dispatch");
    place
}

/// Takes the branch away and pins this workflow.
fn pin(place: &mut Place, workflow_ref: &str, git_ref: &str) {
    place.world.unset("PAGER_CONTROL__INBOX");
    let id = place.github.repository_id(CONTROL).to_string();
    for (key, value) in
        [("REPOSITORY_ID", &*id), ("WORKFLOW_REF", workflow_ref), ("EVENT_NAME", "repository_dispatch"), ("REF", git_ref)]
    {
        place.world.set(&format!("PAGER_CONTROL__OIDC__{key}"), value);
    }
}

#[tokio::test]
async fn pins_are_compared_with_what_tokens_will_say() {
    let mut place = with_workflow("pager-forward.yml").await;
    place.github.set_variable(CONTROL, "PAGER_URL", "https://pager.example");
    let good = format!("{CONTROL}/{FOLDER}/pager-forward.yml@refs/heads/main");
    pin(&mut place, &good, "refs/heads/main");
    let ended = place.doctor(&[]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for (workflow_ref, git_ref, words) in [
        (good.replace("me/", "Me/"), "refs/heads/main", "names Me/control, and GitHub spells it me/control"),
        (good.replace("heads/main", "heads/trunk"), "refs/heads/main", "a dispatch runs on refs/heads/main"),
        (good.clone(), "refs/heads/trunk", "write refs/heads/main in control.oidc.ref"),
    ] {
        pin(&mut place, &workflow_ref, git_ref);
        assert_eq!(place.finds("FAIL control repository", &[words, "every event is refused"]).await.code, Some(1));
    }
    pin(&mut place, &good.replace("forward", "other"), "refs/heads/main");
    place.finds("warn control repository", &["no .github/workflows/pager-other.yml", "control.oidc.workflow_ref"]).await;
}

#[tokio::test]
async fn events_that_nobody_fetches_are_told_of() {
    let mut place = with_workflow("pager-forward.yml").await;
    place.world.unset("PAGER_CONTROL__INBOX");
    place.finds("warn control repository", &["pile up unread on the branch pager-events", "control.inbox"]).await;
    place.github.set_variable(CONTROL, "PAGER_URL", "https://pager.example");
    place.finds("warn control repository", &["nothing proves one", "control.oidc"]).await;
    place.world.set("PAGER_CONTROL__INBOX", "branch");
    place.github.set_variable(CONTROL, "PAGER_URL", "");
    let id = place.github.user_id("me").to_string();
    place.finds("warn control repository", &["PAGER_MAINTAINER is not set", &format!("to {id}")]).await;
    place.github.set_variable(CONTROL, "PAGER_MAINTAINER", &id);
    let ended = place.doctor(&[]).await;
    assert!(!ended.output.contains("PAGER_URL") && !ended.output.contains("PAGER_MAINTAINER"), "{ended:?}");
}

#[tokio::test]
async fn workflows_that_go_on_for_pagerd_know_its_account_and_agents_have_another() {
    let mut place = with_workflow("pager-answered.yml").await;
    let id = place.github.user_id("me");
    place.finds("warn control repository", &["PAGER_SENDER", "pager-answered.yml fail", &format!("to {id}, which is me")]).await;
    place.finds("warn dispatch token", &["belongs to me, as pagerd's does", "account of its own"]).await;
    place.github.set_variable(CONTROL, "PAGER_SENDER", &format!("1, {id}"));
    place.dispatch = place.github.add_token("robot", &[(CONTROL, Rights::write())]);
    let ended = place.doctor(&[]).await;
    assert!(!ended.output.contains("PAGER_SENDER") && !ended.output.contains("as pagerd's does"), "{ended:?}");
}

#[tokio::test]
async fn a_dispatch_token_that_github_does_not_take_is_no_good_one() {
    let place = Place::new().await;
    place.github.revoke(&place.dispatch);
    let ended = place.finds("FAIL dispatch token", &["is not taken by GitHub", "401", "make a new one"]).await;
    assert_eq!(ended.code, Some(1));
    assert!(!ended.output.contains("cannot write into me/answers"), "{ended:?}");
}

#[tokio::test]
async fn a_dispatch_token_is_held_against_answers_on_github_that_git_pushes_to() {
    let mut place = Place::new().await;
    let url = format!("git+{}/me/answers.git", place.github.base_url());
    place.world.set("PAGER_ANSWERS__URL", &url);
    place.finds("ok   dispatch token", &["cannot write into me/answers"]).await;
    place.github.set_rights(&place.dispatch, ANSWERS, Some(Rights::write()));
    place.finds("FAIL dispatch token", &["can write into me/answers", "forge its own answers"]).await;
}

#[tokio::test]
async fn the_branch_of_a_git_repository_is_looked_for() {
    let mut place = Place::new().await;
    let server = pager_tests::git_http::GitHttp::start();
    // What stands in answers.url is for that address alone.
    place.world.set("PAGER_ANSWERS__URL", &format!("git+{}", server.url_with_credentials()));
    place.world.set("PAGER_CONTROL__INBOX_URL", &server.url());
    place.finds("FAIL inbox", &["control.inbox_url cannot be read", "answers.token on the same host"]).await;
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("git").args(["init", "--quiet", "--bare"]).arg(folder.path()).status().unwrap();
    assert!(made.success());
    place.world.set("PAGER_CONTROL__INBOX_URL", &format!("git+file:{}", folder.path().display()));
    place.finds("ok   inbox", &["can be read and has no branch pager-events yet", "the first event makes it"]).await;
    place.world.set("PAGER_CONTROL__INBOX_URL", "git+file:/nowhere/at/all");
    assert_eq!(place.finds("FAIL inbox", &["control.inbox_url cannot be read"]).await.code, Some(1));
}

#[tokio::test]
async fn setup_sends_no_token_in_clear() {
    let place = Place::new().await;
    let telegram = pager_tests::fake_telegram::FakeTelegram::start().await;
    let flags = ["--control", CONTROL, "--github-api-url", "http://github.example"];
    let ended = super::github::set_up_at(&place, &telegram, None, &flags, "").await;
    assert!(ended.code == Some(1) && ended.words.contains("--github-api-url does not begin with https://"), "{ended:?}");
}

#[tokio::test]
async fn setup_pins_the_name_as_github_spells_it() {
    let mut place = Place::new().await;
    let telegram = pager_tests::fake_telegram::FakeTelegram::start().await;
    place.github.add_repository("Me/Control-2", Visibility::Private);
    place.github.set_rights(&place.token, "Me/Control-2", Some(Rights::everything()));
    place.dispatch = place.github.add_token("me", &[("Me/Control-2", Rights::write())]);
    let flags = ["--control", "me/control-2", "--public-url", "https://pager.example", "--maintainer", "4711"];
    let ended = super::github::set_up(&place, &telegram, &flags, "").await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let text = std::fs::read_to_string(place.world.folder().join("my.toml")).unwrap();
    for words in ["repo = \"Me/Control-2\"", "\"Me/Control-2/.github/workflows/pager-forward.yml@refs/heads/main\""] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn setup_takes_the_agents_account_from_their_token() {
    let mut place = Place::new().await;
    let telegram = pager_tests::fake_telegram::FakeTelegram::start().await;
    place.dispatch = place.github.add_token("robot", &[(CONTROL, Rights::write())]);
    let ended = super::github::set_up(&place, &telegram, &["--control", CONTROL], "y\n").await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (robot, me) = (place.github.user_id("robot"), place.github.user_id("me"));
    for words in [format!("as robot (id {robot})"), format!("PAGER_MAINTAINER  {robot}"), format!("PAGER_SENDER      {me}")] {
        assert!(ended.words.contains(&words), "{words}: {ended:?}");
    }
    assert!(!ended.words.contains("could pass for it"), "{ended:?}");
}
