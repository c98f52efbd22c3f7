//! Two machines and a plain git server between them, and no GitHub at all: events are pushed, answers are fetched.

use pager_tests::fake_telegram::FakeTelegram;
use pager_tests::git_http::{GitHttp, PASSWORD, USER};

use super::{ASK, is_chosen, press};
use crate::world::{Ended, Running, World, until};

struct Machines {
    pagerd: World,
    server: GitHttp,
    agent: World,
    verify_key: String,
}

impl Machines {
    async fn start() -> Self {
        let server = GitHttp::start();
        let mut pagerd = World::prepare(&[], Some(FakeTelegram::start().await)).await;
        for (name, value) in [
            ("PAGER_ANSWERS__URL", format!("git+{}", server.url())),
            ("PAGER_ANSWERS__USER", USER.to_owned()),
            ("PAGER_ANSWERS__TOKEN", PASSWORD.to_owned()),
            ("PAGER_CONTROL__INBOX", "branch".to_owned()),
            ("PAGER_CONTROL__INBOX_URL", server.url()),
        ] {
            pagerd.set(name, &value);
        }
        pagerd.serve().await;
        let verify_key = pagerd.key().await.to_string();
        Self { pagerd, server, agent: World::empty(), verify_key }
    }

    fn start_ask(&self, arguments: &[&str]) -> Running {
        let mut command = self.agent.ask_command(&[&["--look-every", "50"], arguments].concat());
        command
            .env("PATH", std::env::var("PATH").unwrap())
            .env("ASK_ANSWERS", format!("{}@main", self.server.url_with_credentials()))
            .env("ASK_EVENTS", self.server.url_with_credentials())
            .env("ASK_VERIFY_KEY", &self.verify_key);
        Running::start(&mut command)
    }

    async fn ask(&self, arguments: &[&str]) -> Ended {
        self.start_ask(arguments).end().await
    }
}

#[tokio::test]
async fn an_agent_with_a_git_server_alone_gets_the_press_of_an_owner_in_telegram() {
    let machines = Machines::start().await;
    let asked = machines.ask(&[&ASK[..], &["--print", "time"]].concat()).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let waiting = machines.start_ask(&["wait", "rel-42", "--since", asked.output.trim(), "--timeout", "2m"]);
    press(machines.pagerd.telegram(), "Release 2.4 now?", "Yes, release").await;
    let answer = is_chosen(&waiting.end().await, "yes");
    let file = machines.server.file("answers/rel-42.json").unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&file).unwrap(), answer);
    machines.server.git(&["fsck", "--strict", "--full", "--no-dangling"]);
    let late = machines.ask(&["withdraw", "rel-42"]).await;
    assert_eq!((late.code, &late.json()["choice"]), (Some(9), &serde_json::Value::from("yes")), "{late:?}");
    assert!(!machines.pagerd.log().contains(PASSWORD));
}

#[tokio::test]
async fn presses_while_the_git_server_is_away_are_saved_in_order_once_it_is_back() {
    let machines = Machines::start().await;
    for id in ["a", "b", "c"] {
        let asked = machines.ask(&["new", &format!("Go on with {id}?"), "-o", "yes=Yes", "-o", "no=No", "--id", id]).await;
        assert_eq!(asked.code, Some(0), "{asked:?}");
        let is_it = |message: &pager_tests::fake_telegram::Message| message.words().contains(&format!("Go on with {id}?"));
        machines.pagerd.telegram().wait_for_message(id, is_it).await.unwrap();
    }
    machines.server.stop();
    for id in ["b", "c", "a"] {
        press(machines.pagerd.telegram(), &format!("Go on with {id}?"), "Yes").await;
        until("the press is claimed", async || {
            let record = machines.pagerd.owner().get(&format!("/v1/questions/{id}")).await.with(200);
            (record["state"] == "answering").then_some(())
        })
        .await;
    }
    machines.server.start_again();
    until("all are saved", async || {
        ["a", "b", "c"].iter().all(|id| machines.server.file(&format!("answers/{id}.json")).is_some()).then_some(())
    })
    .await;
    let history = machines.server.git(&["log", "--reverse", "--format=%B", "main"]);
    let places = ["b", "c", "a"].map(|id| history.find(&format!("answer {id}: chosen")).expect("it is in the history"));
    assert!(places.is_sorted(), "{history}");
}
