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

#[tokio::test]
async fn an_id_of_another_kind_is_as_unknown_as_none() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let news = json!({"title": "Built", "body": "All green."});
    let update = world.agent().post("/v1/updates", &news).await.with(201)["id"].as_str().unwrap().to_owned();
    let foreign = of_role(&world, "agent").await;
    for (caller, of_a_thing, of_none) in [
        (world.agent(), format!("/v1/questions/{update}"), "/v1/questions/u-0123456789abcdef"),
        (world.owner(), format!("/v1/questions/{update}"), "/v1/questions/u-0123456789abcdef"),
        (world.agent(), format!("/v1/questions/{update}/answer"), "/v1/questions/u-0123456789abcdef/answer"),
        (world.agent(), format!("/v1/questions/{update}/resume"), "/v1/questions/u-0123456789abcdef/resume"),
        (world.owner(), "/v1/updates/rel-1".to_owned(), "/v1/updates/never"),
        (world.owner(), "/v1/requests/rel-1".to_owned(), "/v1/requests/never"),
        (world.owner(), format!("/v1/requests/{update}"), "/v1/requests/never"),
        (foreign, "/v1/questions/rel-1".to_owned(), "/v1/questions/never"),
    ] {
        let (thing, none) = (caller.get(&of_a_thing).await, caller.get(of_none).await);
        assert_eq!((thing.status, &thing.text), (404, &none.text), "{of_a_thing}");
    }
    for write in ["withdraw", "consume", "private/confirm"] {
        let thing = world.agent().post(&format!("/v1/questions/{update}/{write}"), &json!({})).await;
        let none = world.agent().post(&format!("/v1/questions/never/{write}"), &json!({})).await;
        assert_eq!((thing.status, &thing.text), (404, &none.text), "{write}");
    }
}

/// A call, and what an owner, a device, an observer, an agent and nobody get for it.
type Row = (&'static str, &'static str, [u16; 5]);

const ROWS: [Row; 23] = [
    ("GET", "/v1/inbox/open", [200, 200, 200, 403, 401]),
    ("GET", "/v1/inbox", [200, 200, 403, 403, 401]),
    ("GET", "/v1/questions", [200, 200, 403, 200, 401]),
    ("GET", "/v1/questions/rel-1", [200, 200, 403, 404, 401]),
    ("GET", "/v1/questions/rel-1/answer", [403, 403, 403, 404, 401]),
    ("GET", "/v1/gates?run=r-1", [200, 200, 403, 200, 401]),
    ("GET", "/v1/updates", [200, 200, 403, 403, 401]),
    ("GET", "/v1/requests", [200, 200, 403, 200, 401]),
    ("GET", "/v1/requests/never", [404, 404, 403, 404, 401]),
    ("GET", "/v1/status", [200, 200, 403, 200, 401]),
    ("POST", "/v1/requests", [422, 422, 403, 422, 401]),
    ("POST", "/v1/requests/never/replies", [422, 422, 403, 422, 401]),
    ("POST", "/v1/requests/never/offers", [403, 403, 403, 422, 401]),
    ("POST", "/v1/questions/never/pick", [403, 403, 403, 422, 401]),
    ("POST", "/v1/updates", [403, 403, 403, 422, 401]),
    ("POST", "/v1/updates/u-0123456789abcdef/read", [404, 404, 403, 403, 401]),
    ("POST", "/v1/updates/u-0123456789abcdef/dismiss", [404, 404, 403, 403, 401]),
    ("POST", "/v1/questions", [403, 403, 403, 422, 401]),
    ("POST", "/v1/questions/never/answer", [422, 422, 403, 403, 401]),
    ("POST", "/v1/questions/never/cancel", [404, 404, 403, 403, 401]),
    ("POST", "/v1/questions/never/consume", [403, 403, 403, 404, 401]),
    ("POST", "/v1/questions/never/withdraw", [403, 403, 403, 404, 401]),
    ("POST", "/v1/questions/never/private/confirm", [403, 403, 403, 404, 401]),
];

#[tokio::test]
async fn every_call_is_for_its_callers_alone() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let mut callers = Vec::new();
    for role in ["owner", "device", "observer", "agent"] {
        callers.push((role, of_role(&world, role).await));
    }
    callers.push(("nobody", world.nobody()));
    for (method, path, expected) in ROWS {
        for ((role, caller), expected) in callers.iter().zip(expected) {
            let request = caller.request(method.parse().unwrap(), path);
            let request = if method == "POST" { request.json(&json!({})) } else { request };
            assert_eq!(crate::world::sent(request).await.unwrap().status, expected, "{role}: {method} {path}");
        }
    }
}
