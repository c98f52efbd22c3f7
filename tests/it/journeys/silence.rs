//! Silence, with the real programs: a helper that cannot compile gets a request, offers what it can, and goes on with the default that
//! it named when nobody answers. Each time it is woken once, whatever dies meanwhile.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::process::Command;

use crate::world::{Running, World, signal, until};

/// What the helper does with a prompt. It keeps each, and the first run about a deadline hangs when it is told to.
const HELPER: &str = r#"#!/bin/sh
prompt=$(cat)
printf '%s' "$prompt" > "$(mktemp -p "$HOME/prompts")"
case "$prompt" in
    *"go on with its default"*)
        if [ -e "$HOME/hang" ]; then rm "$HOME/hang"; echo $$ > "$HOME/hanging"; sleep 600; fi
        ask reply r-17 --title "A parser, untested" --text "Untested: nothing of it was compiled or run." --publication-id parser ;;
    *ANSWERED*)
        ask reply r-17 --title "A parser, untested, as chosen" --text "Untested, as was chosen." --publication-id parser ;;
    *)
        ask offer r-17 --id r-17-offer --deliverable "untested code" --missing "a build and a test run" \
            --why "no compiler in this run" --deadline "$(cat "$HOME/deadline")" ;;
esac
"#;

/// A world with an asker (`tester`), a helper and its runner's settings.
pub(super) struct Stage {
    pub(super) world: World,
    pub(super) builder: String,
}

impl Stage {
    async fn set(deadline: &str) -> Self {
        let stage = Self::playing(HELPER, "").await;
        fs::write(stage.world.folder().join("deadline"), deadline).unwrap();
        stage
    }

    /// With another helper, and further settings of its runner.
    pub(super) async fn playing(script: &str, settings: &str) -> Self {
        let world = World::start_with(&[("PAGER_DEADLINE__MIN", "1s"), ("PAGER_UNANSWERED_AFTER", "0")]).await;
        let builder = world.new_token("agent", "builder").await;
        let home = world.folder();
        fs::create_dir(home.join("prompts")).unwrap();
        let helper = home.join("helper");
        fs::write(&helper, script).unwrap();
        fs::set_permissions(&helper, fs::Permissions::from_mode(0o755)).unwrap();
        let settings = format!(
            "command = [{:?}]\naccess = \"locked\"\nenforced_by = \"a script of this test\"\ntags = [\"cap:rust\"]\nheartbeat = \"off\"\nlease = \"1s\"\n{settings}",
            helper.to_str().unwrap()
        );
        fs::write(home.join("runner.toml"), settings).unwrap();
        Self { world, builder }
    }

    pub(super) fn run(&self, flags: &[&str]) -> Running {
        let config = self.world.folder().join("runner.toml");
        let mut command: Command = self.world.ask_command(&["run", "--config", config.to_str().unwrap()]);
        command.args(flags).env("PATH", format!("{}:/usr/bin:/bin", World::programs().display()));
        Running::start(command.env("ASK_URL", self.world.address.url()).env("ASK_TOKEN", &self.builder))
    }

    async fn requests(&self) {
        let asked = self
            .world
            .ask(&["request", "Build this Rust parser", "--text", "With tests, please.", "--id", "r-17", "--tag", "cap:rust"])
            .await;
        assert_eq!((asked.code, &asked.json()["id"]), (Some(0), &json!("r-17")), "{asked:?}");
    }

    async fn offered(&self) -> Value {
        let status = until("the offer", async || {
            let status = self.world.agent().get("/v1/status").await.with(200);
            status["awaiting_you"].as_array().is_some_and(|waits| !waits.is_empty()).then_some(status)
        });
        status.await
    }

    async fn replies(&self) -> Vec<Value> {
        let request = self.world.agent().get("/v1/requests/r-17").await.with(200);
        request["replies"].as_array().unwrap().clone()
    }

    async fn delivered(&self) -> Value {
        until("the delivery", async || self.replies().await.first().cloned()).await
    }

    pub(super) fn prompts(&self) -> Vec<String> {
        let folder = fs::read_dir(self.world.folder().join("prompts")).unwrap();
        let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort_by_key(|path| path.metadata().unwrap().modified().unwrap());
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// Another round brings nothing more, so nobody was woken twice.
    async fn nothing_is_left(&self, runs: usize) {
        let round = self.run(&["--once"]).end().await;
        assert_eq!(round.code, Some(0), "{round:?}");
        assert_eq!((self.prompts().len(), self.replies().await.len()), (runs, 1), "{:#?}", self.prompts());
    }
}

fn assert_marked_untested(reply: &Value) {
    for part in ["title", "text"] {
        assert!(reply[part].as_str().unwrap().to_lowercase().contains("untested"), "{reply}");
    }
    assert_eq!((&reply["kind"], &reply["author"]["id"]), (&json!("answer"), &json!("agent:builder")));
}

#[tokio::test]
async fn a_helper_that_cannot_compile_offers_and_goes_on_with_its_default_when_nobody_answers() {
    let stage = Stage::set("2s").await;
    let runner = stage.run(&[]);
    stage.requests().await;
    let status = stage.offered().await;
    let offer = &status["awaiting_you"][0];
    assert_eq!(
        (&offer["id"], &offer["purpose"], &offer["default"]),
        (&json!("r-17-offer"), &json!("offer"), &json!("deliverable"))
    );
    assert_marked_untested(&stage.delivered().await);
    let prompts = stage.prompts();
    assert!(prompts[0].contains("no shell") && prompts[0].contains("Build this Rust parser"), "{}", prompts[0]);
    let deadline = "your clarify got no answer by its deadline: go on with its default (untested code)";
    assert!(prompts[1].contains(deadline), "{}", prompts[1]);
    let record = stage.world.owner().get("/v1/questions/r-17-offer").await.with(200);
    assert_eq!((&record["state"], &record["resolved_by"]["kind"]), (&json!("defaulted"), &json!("deadline")));
    let unanswered = stage.world.agent().get("/v1/status").await.with(200);
    assert_eq!((&unanswered["unanswered"], &unanswered["awaiting_you"]), (&json!([]), &json!([])));
    runner.terminate();
    runner.end().await;
    stage.nothing_is_left(2).await;
}

#[tokio::test]
async fn an_answer_in_time_wakes_it_once_with_what_was_chosen() {
    let stage = Stage::set("1h").await;
    let runner = stage.run(&[]);
    stage.requests().await;
    stage.offered().await;
    let picked = stage.world.ask(&["pick", "r-17-offer", "--option", "deliverable"]).await;
    assert_eq!((picked.code, &picked.json()["by"]["kind"]), (Some(0), &json!("agent")), "{picked:?}");
    assert_eq!(stage.delivered().await["title"], "A parser, untested, as chosen");
    assert!(stage.world.answer_file("r-17-offer").unwrap().contains("\"choice\": \"deliverable\""));
    runner.terminate();
    runner.end().await;
    stage.nothing_is_left(2).await;
}

#[tokio::test]
async fn pagerd_was_down_over_the_deadline_and_it_is_woken_once_all_the_same() {
    let mut stage = Stage::set("2s").await;
    let runner = stage.run(&[]);
    stage.requests().await;
    let offer = stage.offered().await["awaiting_you"][0].clone();
    stage.world.kill9().await;
    let deadline: jiff::Timestamp = offer["deadline"].as_str().unwrap().parse().unwrap();
    until("the deadline", async || (jiff::Timestamp::now() > deadline).then_some(())).await;
    assert_eq!(stage.prompts().len(), 1);
    stage.world.serve_at_the_same_address().await;
    assert_marked_untested(&stage.delivered().await);
    runner.terminate();
    runner.end().await;
    stage.nothing_is_left(2).await;
}

#[tokio::test]
async fn a_runner_that_was_killed_before_it_acknowledged_is_woken_once_more_and_told_so() {
    let stage = Stage::set("1s").await;
    fs::write(stage.world.folder().join("hang"), "").unwrap();
    let mut runner = stage.run(&[]);
    stage.requests().await;
    let hanging = stage.world.folder().join("hanging");
    until("the run that hangs", async || hanging.exists().then_some(())).await;
    runner.child().kill().await.unwrap();
    let child = until("its command", async || fs::read_to_string(&hanging).ok()?.trim().parse::<u32>().ok()).await;
    signal(child, rustix::process::Signal::KILL);
    let again = stage.run(&[]);
    assert_marked_untested(&stage.delivered().await);
    again.terminate();
    again.end().await;
    let prompts = stage.prompts();
    let told = |prompt: &str| prompt.contains("a run was started for it before");
    assert_eq!((told(&prompts[1]), told(&prompts[2])), (false, true), "{}", prompts[2]);
    stage.nothing_is_left(3).await;
}

#[tokio::test]
async fn two_runners_of_one_helper_share_its_wakes() {
    let stage = Stage::set("2s").await;
    let runners = [stage.run(&[]), stage.run(&[])];
    stage.requests().await;
    stage.offered().await;
    assert_marked_untested(&stage.delivered().await);
    for runner in runners {
        runner.terminate();
        runner.end().await;
    }
    stage.nothing_is_left(2).await;
}
