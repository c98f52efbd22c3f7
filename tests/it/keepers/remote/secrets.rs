//! Tokens: in no program's arguments, in no address and in no message.

use pager_answers::conformance::save;
use pager_answers::{Credentials, Keeper, KeeperSettings, RemoteRepository};
use pager_tests::git_http::{At, Fault, GitHttp, PASSWORD};

use super::place::{Place, refused, settings};

/// The arguments of every running program that has these words among them, but for this test's own.
pub fn commands_with(words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(words) {
            found.push(line);
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_token_stands_in_the_arguments_of_any_program() {
    let git = GitHttp::start();
    let clones = tempfile::tempdir().unwrap();
    // The password comes in the URL, and leaves it.
    let url = format!("git+{}", git.url_with_credentials());
    let settings = KeeperSettings { url, credentials: Credentials::default(), ..settings(&git, &clones) };
    let keeper = RemoteRepository::open(&settings).await.unwrap();
    for at in [At::FetchLook, At::PushLook, At::Push] {
        let before = git.calls().len();
        git.add_fault(at, Fault::Hang);
        let saving = async {
            if at == At::FetchLook {
                keeper.list().await.map(drop).unwrap()
            } else {
                drop(save(&keeper, &format!("{at:?}").to_lowercase(), "1").await)
            }
        };
        let looking = async {
            crate::world::until("the call hangs", async || git.calls()[before..].contains(&at).then_some(())).await;
            let commands = commands_with(&git.url());
            assert!(commands.iter().any(|line| line.contains("git-remote-http")), "{commands:?}");
            for line in commands_with("git") {
                assert!(!line.contains(PASSWORD) && !line.contains("Authorization"), "{line}");
            }
            git.release();
        };
        tokio::join!(saving, looking);
    }
    let stored = std::process::Command::new("grep").args(["-r", PASSWORD]).arg(clones.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&stored.stdout), "", "nor in any file of the clone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_password_is_refused_and_told_to_nobody() {
    let place = Place::new();
    let wrong = "wr0ng-passw0rd";
    let settings = KeeperSettings {
        credentials: Credentials { user: Some("olga".to_owned()), token: Some(wrong.to_owned().into()) },
        ..settings(&place.git, &place.clones)
    };
    let keeper = RemoteRepository::open(&settings).await.unwrap();
    let outcome = save(&keeper, "a", "1").await;
    assert!(!refused(&outcome).contains(wrong), "{outcome:?}");
    let failure = keeper.check().await.unwrap_err().to_string();
    assert!(!failure.contains(wrong) && failure.contains(&place.git.url()), "{failure}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_reason_holds_a_token_or_an_answer() {
    let place = Place::new();
    place.git.refuse_pushes(&format!("the header said {PASSWORD}, the file said to sail at dawn"));
    let outcome = save(&*place.keeper, "a", r#"{"answer": "sail at dawn"}"#).await;
    let reason = refused(&outcome);
    assert!(reason.contains("the header said") && !reason.contains(PASSWORD) && !reason.contains("dawn"), "{reason}");
}
