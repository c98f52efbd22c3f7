//! Two machines and GitHub between them: `ask` with two tokens, the workflow's own script, the branch as inbox.

use pager_tests::fake_github::{Event, FakeGitHub, Rights, Visibility};
use pager_tests::fake_telegram::{FORUM, FakeTelegram};

use super::{ASK, is_chosen, press};
use crate::workflows::runner::Runner;
use crate::workflows::steps::step;
use crate::world::{Ended, Running, World, until};

pub const ANSWERS: &str = "me/answers";
pub const CONTROL: &str = "me/control";

/// Both machines: `pagerd` has the owner's, `agent` is a folder somewhere else.
pub struct Machines {
    pub pagerd: World,
    pub github: FakeGitHub,
    agent: World,
    sends: String,
    reads: String,
    verify_key: String,
}

impl Machines {
    pub async fn start() -> Self {
        let github = FakeGitHub::start().await;
        for repository in [ANSWERS, CONTROL] {
            github.add_repository(repository, Visibility::Private);
        }
        let token = github.add_token("pager", &[(ANSWERS, Rights::write()), (CONTROL, Rights::write())]);
        let sends = github.add_token("robot", &[(CONTROL, Rights::write())]);
        let reads = github.add_token("robot", &[(ANSWERS, Rights::read())]);
        let mut pagerd = World::prepare(&[], Some(FakeTelegram::start().await)).await;
        for (name, value) in [
            ("PAGER_ANSWERS__URL", "github:me/answers"),
            ("PAGER_GITHUB__TOKEN", &token),
            ("PAGER_GITHUB__API_URL", &github.base_url()),
            ("PAGER_CONTROL__REPO", CONTROL),
            ("PAGER_CONTROL__INBOX", "branch"),
            ("PAGER_CONTROL__MAINTAINERS", &github.user_id("robot").to_string()),
        ] {
            pagerd.set(name, value);
        }
        pagerd.serve().await;
        let verify_key = pagerd.key().await.to_string();
        Self { pagerd, github, agent: World::empty(), sends, reads, verify_key }
    }

    pub fn start_ask(&self, arguments: &[&str]) -> Running {
        let mut command = self.agent.ask_command(&[&["--look-every", "50"], arguments].concat());
        command
            .env("ASK_GITHUB_API", self.github.base_url())
            .env("ASK_CONTROL", CONTROL)
            .env("ASK_ANSWERS", ANSWERS)
            .env("GH_TOKEN", &self.sends)
            .env("ASK_ANSWERS_TOKEN", &self.reads)
            .env("ASK_VERIFY_KEY", &self.verify_key);
        Running::start(&mut command)
    }

    pub async fn ask(&self, arguments: &[&str]) -> Ended {
        self.start_ask(arguments).end().await
    }

    /// A runner of GitHub's takes the event: the script of the workflow that is shipped.
    pub async fn forward(&self, event: &Event) {
        let mut runner = Runner::new(&self.github.event_file(event));
        let folder = runner.folder().join("job");
        let job = self.github.runner(event, "pager-forward.yml", &folder, Rights::write(), None);
        runner.context.set("vars.PAGER_MAINTAINER", &self.github.user_id("robot").to_string());
        runner.context.set("github.token", &job.token);
        runner.set("GITHUB_API_URL", &self.github.base_url());
        for (name, value) in job.environment.iter().filter(|(name, _)| name == "GITHUB_REPOSITORY") {
            runner.set(name, value);
        }
        let outcome = runner.run(&step("pager-forward.yml", "inbox")).await;
        assert!(outcome.succeeded, "{outcome:?}");
    }

    /// How much of all quotas was spent.
    fn spent(&self) -> usize {
        self.github.look(|state| state.calls.iter().filter(|call| call.is_counted).count())
    }

    /// Waits until the service and the waiting agent each looked so often for news.
    async fn both_look(&self, times: usize) {
        let looks = |repository: &str| {
            let path = format!("/repos/{repository}/commits/");
            self.github.look(|state| state.calls.iter().filter(|call| call.path.starts_with(&path)).count())
        };
        let before = (looks(ANSWERS), looks(CONTROL));
        until("both look for news", async || (looks(ANSWERS) >= before.0 + times && looks(CONTROL) > before.1).then_some(()))
            .await;
    }
}

#[tokio::test]
async fn an_agent_with_tokens_of_github_alone_gets_the_press_of_an_owner_in_telegram() {
    let machines = Machines::start().await;
    let asked = machines.ask(&[&ASK[..], &["--print", "time"]].concat()).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let since = asked.output.trim().to_owned();
    let waiting = machines.start_ask(&["wait", "rel-42", "--since", &since, "--timeout", "2m"]);
    machines.forward(&machines.github.wait_for_event("pager-ask", 0).await.unwrap()).await;
    let telegram = machines.pagerd.telegram();
    let is_it = |message: &pager_tests::fake_telegram::Message| message.labels().len() == 2;
    let shown = telegram.wait_for_message("the question", is_it).await.unwrap();

    // While nothing changes, whoever watches spends nothing.
    machines.both_look(2).await;
    let spent = machines.spent();
    machines.both_look(3).await;
    assert_eq!(machines.spent(), spent, "watching is free");

    telegram.press(shown.id, "Yes, release").unwrap();
    let answer = is_chosen(&waiting.end().await, "yes");
    let file = machines.github.file(ANSWERS, "main", "answers/rel-42.json").unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&file).unwrap(), answer);
    machines.github.git(ANSWERS, &["fsck", "--strict", "--full", "--no-dangling"]);
    until("the message tells the end", async || {
        let message = telegram.message(FORUM, shown.id).unwrap();
        (message.labels().is_empty() && message.words().contains("You answered: Yes, release")).then_some(())
    })
    .await;

    // A withdrawal that comes too late brings the answer, and changes nothing.
    let late = machines.ask(&["withdraw", "rel-42", "--reason", "the tests settled it"]).await;
    assert_eq!((late.code, &late.json()["choice"]), (Some(9), &serde_json::Value::from("yes")), "{late:?}");
    let log = machines.pagerd.log();
    for secret in [&machines.sends, &machines.reads] {
        assert!(!log.contains(secret.as_str()));
    }
}

#[tokio::test]
async fn a_question_is_taken_back_across_both_machines() {
    let machines = Machines::start().await;
    assert_eq!(machines.ask(&ASK).await.code, Some(0));
    machines.forward(&machines.github.wait_for_event("pager-ask", 0).await.unwrap()).await;
    let telegram = machines.pagerd.telegram();
    let is_it = |message: &pager_tests::fake_telegram::Message| message.labels().len() == 2;
    let shown = telegram.wait_for_message("the question", is_it).await.unwrap();
    let withdrawing = machines.start_ask(&["withdraw", "rel-42", "--reason", "settled", "--timeout", "1s"]);
    machines.forward(&machines.github.wait_for_event("pager-withdraw", 0).await.unwrap()).await;
    until("the message tells the end", async || {
        let message = telegram.message(FORUM, shown.id).unwrap();
        (message.labels().is_empty() && message.words().contains("The agent took it back: settled")).then_some(())
    })
    .await;
    assert_eq!(withdrawing.end().await.code, Some(0));
    assert_eq!(machines.github.file(ANSWERS, "main", "answers/rel-42.json"), None);
}

#[tokio::test]
async fn a_tampered_answer_is_an_error_of_the_waiting_agent_and_never_an_answer() {
    let machines = Machines::start().await;
    assert_eq!(machines.ask(&ASK).await.code, Some(0));
    machines.forward(&machines.github.wait_for_event("pager-ask", 0).await.unwrap()).await;
    press(machines.pagerd.telegram(), "Release 2.4 now?", "No").await;
    until("it is saved", async || machines.github.file(ANSWERS, "main", "answers/rel-42.json")).await;
    assert_eq!(machines.ask(&["answer", "rel-42"]).await.code, Some(0));
    let file = machines.github.file(ANSWERS, "main", "answers/rel-42.json").unwrap();
    let forged = String::from_utf8(file).unwrap().replace("\"choice\": \"no\"", "\"choice\": \"yes\"");
    machines.github.commit(ANSWERS, "main", "answers/rel-42.json", forged.as_bytes());
    for verb in [&["answer", "rel-42"][..], &["wait", "rel-42", "--timeout", "5s"]] {
        let ended = machines.ask(verb).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    }
}
