//! `pagerd setup` and `pagerd doctor` with answers and the control repository on GitHub.

use std::path::PathBuf;
use std::process::Stdio;

use pager_tests::fake_github::{FakeGitHub, Level, Permission, Rights, Visibility};
use pager_tests::fake_telegram::{FORUM, FakeTelegram, OWNER, TOKEN};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Child;

use crate::world::{Ended, World};

pub const ANSWERS: &str = "me/answers";
pub const CONTROL: &str = "me/control";

/// A GitHub with both repositories, pagerd's token and that of the agents; nothing of pagerd runs.
pub struct Place {
    pub world: World,
    pub github: FakeGitHub,
    pub token: String,
    pub dispatch: String,
}

impl Place {
    pub async fn new() -> Self {
        let github = FakeGitHub::start().await;
        github.add_repository(ANSWERS, Visibility::Private);
        github.add_repository(CONTROL, Visibility::Private);
        let token = github.add_token("me", &[(ANSWERS, Rights::write()), (CONTROL, Rights::everything())]);
        let dispatch = github.add_token("me", &[(CONTROL, Rights::write())]);
        let mut world = World::prepare(&[], None).await;
        let maintainer = github.user_id("me").to_string();
        for (name, value) in [
            ("PAGER_ANSWERS__URL", "github:me/answers"),
            ("PAGER_CONTROL__REPO", CONTROL),
            ("PAGER_CONTROL__INBOX", "branch"),
            ("PAGER_CONTROL__MAINTAINERS", &maintainer),
            ("PAGER_GITHUB__TOKEN", &token),
            ("PAGER_GITHUB__API_URL", &github.base_url()),
        ] {
            world.set(name, value);
        }
        Self { world, github, token, dispatch }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.world.folder().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub async fn doctor(&self, arguments: &[&str]) -> Ended {
        let dispatch = self.file("dispatch", &self.dispatch);
        let flags = ["doctor", "--dispatch-token-file", dispatch.to_str().unwrap()];
        let ended = self.world.pagerd(&[&flags[..], arguments].concat()).await;
        for secret in [&self.token, &self.dispatch] {
            assert!(!ended.output.contains(secret.as_str()) && !ended.words.contains(secret.as_str()), "{ended:?}");
        }
        ended
    }

    /// A line begins like this and holds these words.
    pub async fn finds(&self, begin: &str, words: &[&str]) -> Ended {
        let ended = self.doctor(&[]).await;
        let holds = |line: &str| line.starts_with(begin) && words.iter().all(|word| line.contains(word));
        assert!(ended.output.lines().any(holds), "{begin:?} {words:?}: {ended:?}");
        ended
    }
}

#[tokio::test]
async fn a_good_set_up_is_found_good_and_a_real_commit_proves_it() {
    let place = Place::new().await;
    place.github.commit(CONTROL, "main", ".github/workflows/pager-forward.yml", b"on: repository_dispatch");
    let before = place.github.head(ANSWERS, "main");
    let ended = place.doctor(&["--json"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(place.github.head(ANSWERS, "main"), before, "it changes nothing");
    let checks = ended.json()["checks"].as_array().unwrap().clone();
    let told = |check: &str, words: &str| {
        let is_it = |found: &&Value| found["check"] == check && found["says"].as_str().unwrap().contains(words);
        let found = checks.iter().find(is_it).unwrap_or_else(|| panic!("{check} {words}: {checks:#?}"));
        assert_eq!(found["verdict"], json!("ok"), "{found}");
    };
    told("answers repository", "is there");
    told("answers repository", "may write");
    told("control repository", "may write");
    told("control repository", "it has .github/workflows/pager-forward.yml");
    told("dispatch token", "can send events to me/control");
    told("dispatch token", "cannot write into me/answers");
    told("clock", "agrees with GitHub's");
    let proved = place.doctor(&["--commit"]).await;
    let head = place.github.head(ANSWERS, "main").unwrap();
    assert!(proved.output.contains(&format!("went through: {head}")), "{proved:?}");
    assert_eq!(place.github.messages(ANSWERS, "main")[0].trim(), "check that answers can be saved");
}

#[tokio::test]
async fn each_fault_of_a_set_up_is_named_with_the_one_thing_to_do() {
    let place = Place::new().await;
    place.finds("warn control repository", &["no .github/workflows/pager-forward.yml", "pagerd setup --commit-workflows"]).await;
    place.github.set_visibility(ANSWERS, Visibility::Public);
    place.finds("warn answers repository", &["public: everybody can read the answers", "make it private"]).await;
    place.github.set_visibility(ANSWERS, Visibility::Private);

    place.github.set_rights(&place.token, ANSWERS, Some(Rights::read()));
    let ended = place
        .finds("FAIL answers repository", &["may not write into me/answers", "Contents: read and write on me/answers"])
        .await;
    assert_eq!(ended.code, Some(1));
    place.github.set_rights(&place.token, ANSWERS, None);
    place.finds("FAIL answers repository", &["shows no me/answers", "expired"]).await;
    place.github.set_rights(&place.token, ANSWERS, Some(Rights::write()));

    place.github.set_rights(&place.dispatch, ANSWERS, Some(Rights::write()));
    let forging = ["can write into me/answers", "forge its own answers", "make one that has me/control alone"];
    assert_eq!(place.finds("FAIL dispatch token", &forging).await.code, Some(1));
    place.github.set_rights(&place.dispatch, ANSWERS, None);
    place.github.set_rights(&place.dispatch, CONTROL, Some(Rights::read()));
    place.finds("FAIL dispatch token", &["cannot send events to me/control"]).await;
    place.github.set_rights(&place.dispatch, CONTROL, Some(Rights::write()));

    place.github.set_variable(CONTROL, "PAGER_URL", "https://pager.example");
    place.finds("warn control repository", &["PAGER_URL is https://pager.example", "waits at the branch"]).await;

    place.github.set_time(1_000_000_000);
    place.finds("FAIL clock", &["ahead of GitHub's", "timedatectl"]).await;
    place.github.revoke(&place.token);
    place.finds("FAIL answers repository", &["401", "Bad credentials"]).await;
    place.github.set_down(true);
    place.finds("FAIL control repository", &["cannot be reached", "github.api_url"]).await;
}

#[tokio::test]
async fn doctor_begins_no_branch_it_only_says_that_the_first_start_does() {
    let mut place = Place::new().await;
    place.github.add_empty_repository("me/empty", Visibility::Private);
    place.github.set_rights(&place.token, "me/empty", Some(Rights::write()));
    let server = pager_tests::git_http::GitHttp::start();
    server.delete_branch();
    for (url, other) in [("github:me/empty", ""), (&*format!("git+{}", server.url_with_credentials()), "answers on git")] {
        place.world.set("PAGER_ANSWERS__URL", url);
        let ended = place.doctor(&[]).await;
        assert!(ended.output.contains("has no branch main yet; the first start makes it"), "{other}: {ended:?}");
    }
    assert_eq!(place.github.head("me/empty", "main"), None);
    assert_eq!(server.file("README.md"), None);
}

/// `pagerd setup` with everything in flags; the owner presses in the fake Telegram.
pub async fn set_up(place: &Place, telegram: &FakeTelegram, flags: &[&str], input: &str) -> Ended {
    set_up_at(place, telegram, Some(&place.github.base_url()), flags, input).await
}

/// The same with GitHub at this address, or where the flags say.
pub async fn set_up_at(place: &Place, telegram: &FakeTelegram, github: Option<&str>, flags: &[&str], input: &str) -> Ended {
    let (telegram_token, token) = (place.file("bot", TOKEN), place.file("github", &place.token));
    let dispatch = place.file("dispatch", &place.dispatch);
    let mut command = place.world.bare_pagerd_command();
    command.args(["setup", "--api-url", &telegram.base_url(), "--config-out", "my.toml", "--yes"]);
    command.args(["--token-file", telegram_token.to_str().unwrap(), "--github-token-file", token.to_str().unwrap()]);
    command.args(["--chat-id", &FORUM.to_string(), "--owner", &OWNER.to_string()]);
    command.args(github.iter().flat_map(|url| ["--github-api-url", url]));
    command.args(["--dispatch-token-file", dispatch.to_str().unwrap()]);
    command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child: Child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).await.unwrap();
    let pressing = telegram.clone();
    let presses = tokio::spawn(async move {
        let has_buttons = |message: &pager_tests::fake_telegram::Message| message.labels().len() == 2;
        if let Ok(question) = pressing.wait_for_message("test question", has_buttons).await {
            pressing.press(question.id, "Yes, it does").unwrap();
        }
    });
    let output = tokio::time::timeout(crate::world::PATIENCE, child.wait_with_output()).await.unwrap().unwrap();
    presses.abort();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), output: text(output.stdout), words: text(output.stderr) }
}

#[tokio::test]
async fn setup_leads_from_two_repositories_to_a_saved_answer_committed_workflows_and_what_to_set() {
    let (place, telegram) = (Place::new().await, FakeTelegram::start().await);
    let flags = ["--answers", "github:me/answers", "--control", CONTROL, "--commit-workflows"];
    let ended = set_up(&place, &telegram, &flags, "y\n").await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for words in [
        "You answered: Yes, it does",
        "PAGER_URL         leave it unset",
        &format!("PAGER_MAINTAINER  {}", place.github.user_id("me")),
        &format!("PAGER_SENDER      {}", place.github.user_id("me")),
        "could pass for it",
        "ASK_CONTROL=me/control",
        "ASK_ANSWERS=me/answers@main",
        "Contents: read on me/answers and nothing else",
        "ASK_VERIFY_KEY=ed25519:",
    ] {
        assert!(ended.words.contains(words), "{words:?}: {ended:?}");
    }
    assert!(!ended.words.contains(&place.token) && !ended.words.contains(&place.dispatch), "{ended:?}");
    let answers = place.github.files(ANSWERS, "main");
    assert!(answers.keys().any(|path| path.starts_with("answers/")), "a real commit proves it: {answers:?}");
    let workflows = place.github.files(CONTROL, "main");
    for name in ["pager-forward.yml", "pager-text.yml", "pager-answered.yml"] {
        let shipped = std::fs::read(format!("{}/../workflows/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(workflows.get(&format!(".github/workflows/{name}")), Some(&shipped), "{name}");
    }
    let text = std::fs::read_to_string(place.world.folder().join("my.toml")).unwrap();
    assert!(
        text.contains("inbox = \"branch\"") && text.contains("repo = \"me/control\"") && !text.contains(&place.token),
        "{text}"
    );
    let doctor = place.world.bare_pagerd_command().args(["doctor", "--config", "my.toml"]).output().await.unwrap();
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
}

#[tokio::test]
async fn with_a_public_address_setup_pins_the_workflow_and_names_the_variable() {
    let (place, telegram) = (Place::new().await, FakeTelegram::start().await);
    let flags = ["--control", CONTROL, "--public-url", "https://pager.example", "--maintainer", "4711"];
    let ended = set_up(&place, &telegram, &flags, "").await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        ended.words.contains("PAGER_URL         https://pager.example") && ended.words.contains("PAGER_MAINTAINER  4711"),
        "{ended:?}"
    );
    assert!(!ended.words.contains("could pass for it"), "agents are another account: {ended:?}");
    let text = std::fs::read_to_string(place.world.folder().join("my.toml")).unwrap();
    let id = place.github.repository_id(CONTROL);
    for words in [
        format!("repository_id = \"{id}\""),
        "workflow_ref = \"me/control/.github/workflows/pager-forward.yml@refs/heads/main\"".to_owned(),
        "event_name = \"repository_dispatch\"".to_owned(),
        "ref = \"refs/heads/main\"".to_owned(),
        "maintainers = [4711]".to_owned(),
    ] {
        assert!(text.contains(&words), "{words}: {text}");
    }
    assert!(!text.contains("inbox"), "{text}");
}

#[tokio::test]
async fn repositories_that_are_not_there_are_made_private_when_that_is_wanted() {
    let (mut place, telegram) = (Place::new().await, FakeTelegram::start().await);
    let flags = ["--answers", "github:me/new-answers", "--control", "me/new-control", "--maintainer", "7"];
    let refused = set_up(&place, &telegram, &flags, "n\n").await;
    assert!(refused.code == Some(1) && refused.words.contains("--create-repositories"), "{refused:?}");
    let flags = [&flags[..], &["--create-repositories"]].concat();
    let refused = set_up(&place, &telegram, &flags, "").await;
    assert!(refused.code == Some(1) && refused.words.contains("me/new-answers cannot be made"), "{refused:?}");
    place.github.let_create(&place.token);
    // The agents' token is given its repository once that is there.
    place.dispatch = place.github.add_token("me", &[(CONTROL, Rights::write().and(Permission::Actions, Level::Read))]);
    let ended = set_up(&place, &telegram, &flags, "").await;
    assert!(
        ended.words.contains("Made me/new-answers, private.") && ended.words.contains("Made me/new-control, private."),
        "{ended:?}"
    );
    assert!(ended.code == Some(1) && ended.words.contains("cannot send events to me/new-control"), "{ended:?}");
    place.github.set_rights(&place.dispatch, "me/new-control", Some(Rights::write()));
    let ended = set_up(&place, &telegram, &flags, "").await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(place.github.files("me/new-answers", "main").keys().any(|path| path.starts_with("answers/")));
}
