//! Taking a question back.

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn a_withdrawal_is_done_once_and_told_twice() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let first = world.agent().post("/v1/questions/rel-1/withdraw", &json!({"reason": "solved"})).await.with(200);
    assert_eq!((&first["state"], &first["reason"]), (&json!("withdrawn"), &json!("solved")));
    assert_eq!(first["resolved_by"], json!({"kind": "agent", "id": "agent:tester", "via": "http"}));
    let again = world.agent().post("/v1/questions/rel-1/withdraw", &json!({"reason": "again"})).await.with(200);
    assert_eq!(again["reason"], "solved");
    assert_eq!(world.answer_file("rel-1"), None);
}

#[tokio::test]
async fn a_withdrawal_that_comes_too_late_gets_the_answer() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let problem = world.agent().post("/v1/questions/rel-1/withdraw", &json!({})).await.problem(409, "already_answered");
    assert_eq!(problem["answer"], answer);
    assert_eq!(world.record("rel-1").await["state"], "answered");
}

#[tokio::test]
async fn what_nobody_asked_cannot_be_withdrawn() {
    let world = World::start().await;
    world.agent().post("/v1/questions/never/withdraw", &json!({})).await.problem(404, "not_found");
}

#[tokio::test]
async fn an_owner_is_told_that_the_agent_took_it_back() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.agent().post("/v1/questions/rel-1/withdraw", &json!({})).await.with(200);
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.problem(409, "withdrawn");
    world.owner().post_empty("/v1/questions/rel-1/decline").await.problem(409, "withdrawn");
    world.owner().post_empty("/v1/questions/rel-1/cancel").await.problem(409, "withdrawn");
}

#[tokio::test]
async fn a_stale_incarnation_withdraws_nothing() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let stale = json!({"incarnation": "0123456789abcdef"});
    world.agent().post("/v1/questions/rel-1/withdraw", &stale).await.problem(409, "incarnation_mismatch");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn of_a_withdrawal_and_an_answer_at_once_exactly_one_counts() {
    let world = World::start().await;
    for number in 0..20 {
        let id = format!("rel-{number}");
        world.asks(&id).await;
        let (agent, owner) = (world.agent(), world.owner());
        let (withdraw, answer) = (format!("/v1/questions/{id}/withdraw"), format!("/v1/questions/{id}/answer"));
        let (none, words) = (json!({}), json!({"answer": "Go"}));
        let (withdrawn, answered) = tokio::join!(agent.post(&withdraw, &none), owner.post(&answer, &words));
        match (withdrawn.status, answered.status) {
            (200, 409) => {
                assert_eq!(answered.problem(409, "withdrawn")["state"], "withdrawn");
                assert_eq!(world.answer_file(&id), None);
            }
            (409, 200) => assert_eq!(withdrawn.problem(409, "already_answered")["answer"], answered.json()),
            other => panic!("{id}: {other:?}"),
        }
    }
}
