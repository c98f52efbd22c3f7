//! Who may do what: each row of that table, over HTTP.

use serde_json::{Value, json};

use crate::world::{Caller, World};

const DRAFT: &str = "/v1/questions";

fn draft() -> Value {
    json!({"text": "A?", "options": [{"label": "a"}, {"label": "b"}]})
}

async fn of_role(world: &World, role: &str) -> Caller {
    world.caller(&world.new_token(role, &format!("the-{role}")).await)
}

#[tokio::test]
async fn a_device_decides_as_its_owner_and_is_named_as_a_device() {
    let world = World::start().await;
    let phone = of_role(&world, "device").await;
    world.asks("rel-1").await;
    assert_eq!(phone.get("/v1/inbox/open").await.with(200)["items"][0]["id"], "rel-1");
    let answer = phone.post("/v1/questions/rel-1/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    assert_eq!(answer["by"], json!({"kind": "device", "id": "token:the-device", "via": "http"}));
    assert_eq!(world.record("rel-1").await["resolved_by"]["kind"], "device");
    world.asks("rel-2").await;
    phone.post_empty("/v1/questions/rel-2/decline").await.with(200);
    world.asks("rel-3").await;
    phone.post_empty("/v1/questions/rel-3/cancel").await.with(200);
    phone.post(DRAFT, &draft()).await.problem(403, "forbidden");
}

#[tokio::test]
async fn an_observer_sees_what_is_open_and_nothing_else() {
    let world = World::start().await;
    let observer = of_role(&world, "observer").await;
    world.asks("rel-1").await;
    assert_eq!(observer.get("/v1/inbox/open").await.with(200)["items"][0]["id"], "rel-1");
    for path in
        ["/v1/questions", "/v1/questions/rel-1", "/v1/questions/rel-1/answer", "/v1/questions/rel-1/resume", "/v1/requests"]
    {
        observer.get(path).await.problem(403, "forbidden");
    }
    for path in ["answer", "decline", "cancel", "withdraw"] {
        let body = json!({"answer": "x"});
        let request = observer.request(reqwest::Method::POST, &format!("/v1/questions/rel-1/{path}"));
        let request = if path == "decline" { request } else { request.json(&body) };
        crate::world::sent(request).await.unwrap().problem(403, "forbidden");
    }
    observer.post_empty("/v1/sources/tester/reset").await.problem(403, "forbidden");
    observer.post(DRAFT, &draft()).await.problem(403, "forbidden");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_revoked_device_decides_nothing_from_that_moment() {
    let world = World::start().await;
    let secret = world.new_token("device", "phone").await;
    let phone = world.caller(&secret);
    world.asks("rel-1").await;
    phone.get("/v1/inbox/open").await.with(200);
    let listed = world.pagerd(&["token", "list"]).await.output;
    let id = listed.lines().find(|line| line.contains("\tdevice\tphone\t")).unwrap().split('\t').next().unwrap().to_owned();
    assert_eq!(world.pagerd(&["token", "revoke", &id]).await.code, Some(0));
    phone.get("/v1/inbox/open").await.problem(401, "unauthenticated");
    phone.post("/v1/questions/rel-1/answer", &json!({"answer": "x", "option": "1"})).await.problem(401, "unauthenticated");
    phone.post_empty("/v1/questions/rel-1/decline").await.problem(401, "unauthenticated");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn neither_an_observer_nor_an_agent_logs_in_to_the_page() {
    let world = World::start().await;
    for role in ["observer", "agent"] {
        let secret = world.new_token(role, "somebody").await;
        let form = world.nobody().request(reqwest::Method::POST, "/login").form(&[("token", secret.as_str())]);
        let reply = crate::world::sent(form.header("origin", world.address.url())).await.unwrap();
        assert_eq!(reply.status, 401, "{role}: {reply:?}");
        assert_eq!(reply.header("set-cookie"), "", "{role}");
    }
}
