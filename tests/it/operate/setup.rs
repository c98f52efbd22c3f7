//! `pagerd setup`: from no configuration to an answered test question, on a terminal and with flags alone.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use pager_tests::fake_telegram::{BOT, FORUM, FakeTelegram, OWNER, STRANGER, Standing, TOKEN, Written};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use crate::world::{Ended, World};

/// A folder and a Telegram; nothing is configured.
struct Nothing {
    world: World,
    telegram: FakeTelegram,
}

impl Nothing {
    async fn new() -> Self {
        Self { world: World::empty(), telegram: FakeTelegram::start().await }
    }

    fn file(&self) -> PathBuf {
        self.world.folder().join("my.toml")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.world.pagerd_command();
        command.args(["setup", "--api-url", &self.telegram.base_url(), "--config-out", self.file().to_str().unwrap()]);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }

    /// Setup with everything in flags, the token in a file.
    fn with_flags(&self, more: &[&str]) -> Child {
        let token = self.world.folder().join("token");
        std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
        let (chat, owner) = (FORUM.to_string(), OWNER.to_string());
        let flags = ["--token-file", token.to_str().unwrap(), "--chat-id", &chat, "--owner", &owner, "--yes"];
        self.command(&[&flags[..], more].concat()).spawn().unwrap()
    }

    async fn owner_presses(&self, label: &str) {
        let has_buttons = |message: &pager_tests::fake_telegram::Message| message.labels().len() == 2;
        let question = self.telegram.wait_for_message("test question", has_buttons).await.unwrap();
        assert!(question.thread.is_some(), "it stands in a topic");
        self.telegram.press(question.id, label).unwrap();
    }

    /// The file is whole and for its user alone; the service and doctor are happy with it.
    async fn is_set_up(&self, ended: &Ended) {
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(ended.output.trim(), self.file().to_str().unwrap());
        assert!(ended.words.contains("You answered: Yes, it does"), "{ended:?}");
        let commit = ended.words.split("Commit ").nth(1).unwrap().split(':').next().unwrap();
        let answers = self.world.git(&["show", "--stat", commit]);
        assert!(answers.contains("answers/"), "{answers}");
        assert!(!ended.words.contains("test-token") && !ended.output.contains("test-token"), "{ended:?}");
        assert_eq!(self.file().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let doctor = self.world.pagerd(&["doctor", "--config", self.file().to_str().unwrap()]).await;
        assert_eq!(doctor.code, Some(0), "{doctor:?}");
        // Its agent can ask nothing more.
        let tokens = self.world.pagerd(&["token", "list"]).await.output;
        assert!(tokens.lines().all(|line| line.contains("revoked")), "{tokens}");
    }

    /// It failed with these words, and left no file, nor a part of one.
    fn is_refused(&self, ended: &Ended, words: &[&str]) {
        assert_eq!(ended.code, Some(1), "{ended:?}");
        for word in words {
            assert!(ended.words.contains(word), "{word:?}: {ended:?}");
        }
        assert!(!ended.words.contains("test-token"), "{ended:?}");
        let left = std::fs::read_dir(self.world.folder()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(left.into_iter().all(|name| !name.to_string_lossy().starts_with("my.toml")));
    }
}

async fn end(child: Child) -> Ended {
    let output = tokio::time::timeout(crate::world::PATIENCE, child.wait_with_output()).await.unwrap().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), output: text(output.stdout), words: text(output.stderr) }
}

#[tokio::test]
async fn flags_alone_lead_to_an_answered_test_question_and_a_file() {
    let nothing = Nothing::new().await;
    let child = nothing.with_flags(&[]);
    nothing.owner_presses("Yes, it does").await;
    nothing.is_set_up(&end(child).await).await;
    let text = std::fs::read_to_string(nothing.file()).unwrap();
    assert!(text.contains("token_file") && !text.contains(TOKEN), "{text}");
    // Its end was told in the topic before setup went.
    let asked = nothing.telegram.messages_in_topic(nothing.telegram.topics()[0].thread);
    assert!(asked.iter().any(|message| message.words().contains("You answered: Yes, it does")), "{asked:?}");
}

#[tokio::test]
async fn on_standard_input_the_owner_is_whoever_is_confirmed_and_not_whoever_is_first() {
    let nothing = Nothing::new().await;
    nothing.telegram.write(Written::text("/help").by(STRANGER)).unwrap();
    nothing.telegram.write(Written::text("/help").by(OWNER)).unwrap();
    let mut child = nothing.command(&["--yes"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{TOKEN}\nn\ny\n").as_bytes()).await.unwrap();
    nothing.owner_presses("Yes, it does").await;
    let ended = end(child).await;
    nothing.is_set_up(&ended).await;
    assert!(ended.words.contains("Sam Stranger") && ended.words.contains("Olga Owner"), "{ended:?}");
    let text = std::fs::read_to_string(nothing.file()).unwrap();
    assert!(text.contains("4242") && !text.contains("666") && text.contains(TOKEN), "{text}");
}

#[tokio::test]
async fn nobody_becomes_the_owner_by_yes_alone() {
    let nothing = Nothing::new().await;
    nothing.telegram.write(Written::text("/help").by(STRANGER)).unwrap();
    let mut child = nothing.command(&["--yes"]).env("PAGER_TELEGRAM__TOKEN", TOKEN).spawn().unwrap();
    drop(child.stdin.take());
    nothing.is_refused(&end(child).await, &["standard input has ended", "--help"]);
}

#[tokio::test]
async fn a_set_up_that_is_broken_writes_no_file_and_says_what_to_do() {
    let nothing = Nothing::new().await;
    nothing.telegram.set_topics(FORUM, false);
    nothing.is_refused(&end(nothing.with_flags(&[])).await, &["switch Topics on", "nothing was written"]);
    nothing.telegram.set_topics(FORUM, true);
    nothing.telegram.demote_bot(OWNER);
    nothing.is_refused(&end(nothing.with_flags(&[])).await, &["Manage Topics"]);
    nothing.telegram.set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    let other = super::doctor::second_poller(&nothing.telegram);
    nothing.is_refused(&end(nothing.with_flags(&[])).await, &["another program"]);
    other.abort();
    nothing.telegram.revoke(TOKEN);
    nothing.is_refused(&end(nothing.with_flags(&[])).await, &["@BotFather"]);
}

#[tokio::test]
async fn interrupted_it_takes_its_question_back_and_writes_no_file() {
    let nothing = Nothing::new().await;
    let child = nothing.with_flags(&[]);
    let has_buttons = |message: &pager_tests::fake_telegram::Message| message.labels().len() == 2;
    let question = nothing.telegram.wait_for_message("test question", has_buttons).await.unwrap();
    crate::world::signal(child.id().unwrap(), rustix::process::Signal::INT);
    nothing.is_refused(&end(child).await, &["interrupted"]);
    let question = nothing.telegram.message(FORUM, question.id).unwrap();
    assert!(question.labels().is_empty() && question.words().contains("took it back"), "{question:?}");
}

#[tokio::test]
async fn a_file_that_is_there_is_not_written_over_without_force() {
    let nothing = Nothing::new().await;
    std::fs::write(nothing.file(), "time_zone = \"UTC\"\n").unwrap();
    let refused = end(nothing.with_flags(&[])).await;
    assert!(refused.code == Some(1) && refused.words.contains("--force"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(nothing.file()).unwrap(), "time_zone = \"UTC\"\n");
    let child = nothing.with_flags(&["--force"]);
    nothing.owner_presses("Yes, it does").await;
    nothing.is_set_up(&end(child).await).await;
}
