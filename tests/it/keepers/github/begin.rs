//! Opening: the branch is made where there is none, and GitHub's absence does not keep pagerd from starting.

use pager_answers::conformance::save;
use pager_answers::github::{Access, Proof};
use pager_answers::{Keeper, KeeperError, KeeperSettings};
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};

use super::place::{Place, REPOSITORY, keeper, saved, start, unknown, unpaced};

fn settings(hub: &FakeGitHub, token: &str, branch: &str) -> KeeperSettings {
    let github = Access { api_url: hub.base_url(), proof: Proof::Token(token.into()) };
    KeeperSettings { github: Some(github), ..KeeperSettings::local(format!("github:{REPOSITORY}"), branch) }
}

#[tokio::test]
async fn an_empty_repository_gets_its_first_commit_on_the_branch() {
    for branch in ["main", "answers", "pager/answers"] {
        let hub = start();
        hub.add_empty_repository(REPOSITORY, Visibility::Private);
        let token = hub.add_token("me", &[(REPOSITORY, Rights::write())]);
        let keeper = keeper(&hub, Proof::Token(token.as_str().into()), branch, unpaced());
        assert_eq!(keeper.begin().await, Ok(()));
        assert_eq!(keeper.head().await, Ok(hub.head(REPOSITORY, branch)));
        assert!(hub.file(REPOSITORY, branch, "README.md").is_some_and(|text| text.starts_with(b"# Answers")));
        saved(&save(&*keeper, "a", "1").await);
        assert_eq!(hub.file(REPOSITORY, branch, "answers/a.json").as_deref(), Some(&b"1"[..]));
    }
}

#[tokio::test]
async fn a_missing_branch_begins_without_the_history_of_another() {
    let hub = start();
    hub.add_repository(REPOSITORY, Visibility::Private);
    hub.commit(REPOSITORY, "main", "src/main.rs", b"fn main() {}");
    let token = hub.add_token("me", &[(REPOSITORY, Rights::write())]);
    let opened = pager_answers::open(&settings(&hub, &token, "answers")).await.unwrap();
    let files: Vec<String> = hub.files(REPOSITORY, "answers").into_keys().collect();
    assert_eq!(files, ["README.md"]);
    let head = opened.head().await;
    assert_eq!(head, Ok(hub.head(REPOSITORY, "answers")));
    // Opened again it is left as it is.
    let again = pager_answers::open(&settings(&hub, &token, "answers")).await.unwrap();
    assert_eq!(again.head().await, head);
}

#[tokio::test]
async fn while_github_is_down_the_keeper_opens_and_makes_the_branch_at_its_first_use() {
    let hub = start();
    hub.add_empty_repository(REPOSITORY, Visibility::Private);
    let token = hub.add_token("me", &[(REPOSITORY, Rights::write())]);
    hub.set_down(true);
    let keeper = pager_answers::open(&settings(&hub, &token, "main")).await.unwrap();
    unknown(&save(&*keeper, "a", "1").await);
    hub.set_down(false);
    // The first write of this process at GitHub's own pace, and the second a second later.
    saved(&save(&*keeper, "a", "1").await);
    assert!(hub.file(REPOSITORY, "main", "README.md").is_some());
}

#[tokio::test]
async fn a_refusal_keeps_nobody_from_starting_and_wrong_settings_do() {
    let hub = start();
    hub.add_repository(REPOSITORY, Visibility::Private);
    let other = hub.add_token("me", &[]);
    let refusal = |told: Result<_, pager_answers::OpenError>| told.err().expect("refused").to_string();
    let hidden = pager_answers::open(&settings(&hub, &other, "main")).await.unwrap();
    let words = hidden.head().await.unwrap_err().to_string();
    assert!(words.contains("404") && words.contains("Contents: read and write"), "{words}");
    let expired = pager_answers::open(&settings(&hub, "ghp_wrong", "main")).await.unwrap();
    let words = expired.head().await.unwrap_err().to_string();
    assert!(words.contains("401") && words.contains("github.token") && !words.contains("ghp_wrong"), "{words}");
    let mut without = settings(&hub, &other, "main");
    without.github = None;
    let words = refusal(pager_answers::open(&without).await);
    assert!(words.contains("github.token") && words.contains("github.app_id"), "{words}");
    let mut odd = settings(&hub, &other, "main");
    odd.url = "github:answers".to_owned();
    let words = refusal(pager_answers::open(&odd).await);
    assert!(words.contains("owner/repo"), "{words}");
    let words = refusal(pager_answers::open(&settings(&hub, &other, "a..b")).await);
    assert!(words.contains("answers.branch"), "{words}");
}

#[tokio::test]
async fn a_token_that_may_only_read_fails_the_check_and_not_the_reading() {
    let hub = start();
    hub.add_repository(REPOSITORY, Visibility::Private);
    hub.commit(REPOSITORY, "main", "answers/a.json", b"1");
    let token = hub.add_token("me", &[(REPOSITORY, Rights::read())]);
    let keeper = keeper(&hub, Proof::Token(token.as_str().into()), "main", unpaced());
    assert_eq!(keeper.list().await.unwrap(), ["a"]);
    let Err(KeeperError::Refused { reason }) = keeper.check().await else { panic!("the check fails") };
    assert!(reason.contains("Contents: read and write"), "{reason}");
}

#[tokio::test]
async fn a_renamed_repository_is_followed_for_reading_and_writing() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.rename(REPOSITORY, "decisions");
    saved(&save(&*place.keeper, "b", "1").await);
    saved(
        &place
            .keeper
            .save(vec![pager_answers::conformance::answer("c", "1"), pager_answers::conformance::answer("d", "1")])
            .await[0],
    );
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "b", "c", "d"]);
    assert_eq!(place.keeper.check().await, Ok(()));
}
