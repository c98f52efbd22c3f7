//! What happened while no runner ran: what is older than its `catchup` wakes nobody, a deadline of its own question does, however old.

use serde_json::json;

use super::silence::Stage;
use crate::world::until;

const HOUR: i64 = 3600 * 1000;

/// It does nothing but keep its prompt, whole.
const HELPER: &str = r#"#!/bin/sh
prompt=$(mktemp "$HOME/prompt.XXXXXX")
cat > "$prompt"
mv "$prompt" "$HOME/prompts/"
"#;

impl Stage {
    async fn prompted(&self, times: usize) -> Vec<String> {
        until(&format!("{times} runs"), async || Some(self.prompts()).filter(|prompts| prompts.len() >= times)).await
    }

    /// Everything that wakes `builder`, one each: an answer, a passed deadline, a reply, what is put to it, a request of interest.
    async fn everything_happens(&self) {
        let (builder, tester) = (self.world.caller(&self.builder), self.world.agent());
        let options = json!([{"label": "Wait"}, {"label": "Go on"}]);
        let answered = json!({"id": "q-answered", "text": "Which one?", "options": options});
        builder.post("/v1/questions", &answered).await.with(201);
        self.world.owner().post("/v1/questions/q-answered/answer", &json!({"answer": "Wait", "option": "1"})).await.with(200);
        let request = json!({"id": "r-own", "title": "Review this", "text": "It is short."});
        builder.post("/v1/requests", &request).await.with(201);
        let reply = json!({"title": "Reviewed", "text": "Fine."});
        tester.post("/v1/requests/r-own/replies", &reply).await.with(201);
        let offer = json!({"deliverable": "half of it", "missing": "the rest", "why": "no time", "id": "r-own-offer"});
        tester.post("/v1/requests/r-own/offers", &offer).await.with(201);
        self.asks_for_work("r-old").await;
        let deadline = (jiff::Timestamp::now() + jiff::SignedDuration::from_millis(1200)).to_string();
        let defaulted = json!({"id": "q-due", "text": "Shall I?", "options": options, "deadline": deadline, "default": "1"});
        builder.post("/v1/questions", &defaulted).await.with(201);
        until("its default holds", async || {
            let record = builder.get("/v1/questions/q-due").await.with(200);
            (record["state"] == "defaulted").then_some(())
        })
        .await;
    }

    async fn asks_for_work(&self, id: &str) {
        let request = json!({"id": id, "title": "Build this Rust parser", "text": "With tests.", "tags": ["cap:rust"]});
        self.world.agent().post("/v1/requests", &request).await.with(201);
    }
}

#[tokio::test]
async fn what_is_older_than_its_catchup_wakes_nobody_and_a_deadline_of_its_own_question_does_however_old_it_is() {
    for age in [2 * HOUR, 40 * 24 * HOUR] {
        let mut stage = Stage::playing(HELPER, "catchup = \"1h\"\n").await;
        // From its first round on the agent is one that keeps a runner.
        let round = stage.run(&["--once"]).end().await;
        assert_eq!((round.code, stage.prompts().len()), (Some(0), 0), "{round:?}");
        stage.everything_happens().await;
        stage.world.ages(age).await;
        let runner = stage.run(&[]);
        let first = stage.prompted(1).await.remove(0);
        let deadline = "your question got no answer by its deadline: go on with its default (Wait)";
        assert_eq!(first.matches("\n### ").count(), 1, "{age}: {first}");
        assert!(first.contains(deadline) && first.contains("[pager q-due "), "{age}: {first}");
        // The runner is well: what happens from here on wakes it, alone.
        stage.asks_for_work("r-new").await;
        let second = stage.prompted(2).await.remove(1);
        assert_eq!(second.matches("\n### ").count(), 1, "{age}: {second}");
        assert!(second.contains("[pager r-new REQUEST]"), "{age}: {second}");
        runner.terminate();
        runner.end().await;
        let round = stage.run(&["--once"]).end().await;
        assert_eq!((round.code, stage.prompts().len()), (Some(0), 2), "once each: {round:?}");
    }
}

#[tokio::test]
async fn what_is_younger_than_its_catchup_wakes_a_runner_that_was_away_in_one_run() {
    let mut stage = Stage::playing(HELPER, "catchup = \"3h\"\n").await;
    stage.run(&["--once"]).end().await;
    stage.everything_happens().await;
    stage.world.ages(2 * HOUR).await;
    let runner = stage.run(&[]);
    let first = stage.prompted(1).await.remove(0);
    for told in
        ["[pager q-answered ", "[pager q-due ", "[pager r-own REPLY]", "[pager r-own-offer AWAITING]", "[pager r-old REQUEST]"]
    {
        assert_eq!(first.matches(told).count(), 1, "{told}: {first}");
    }
    runner.terminate();
    runner.end().await;
    let round = stage.run(&["--once"]).end().await;
    assert_eq!((round.code, stage.prompts().len()), (Some(0), 1), "{round:?}");
}
