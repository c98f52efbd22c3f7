//! News of agents over HTTP: published, listed, read, dismissed, and by whom.

use serde_json::{Value, json};

use crate::world::{Caller, World};

fn news(title: &str, more: Value) -> Value {
    let mut body = json!({"title": title, "body": format!("{title}, in short.")});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn publish(agent: &Caller, title: &str) -> String {
    let update = agent.post("/v1/updates", &news(title, json!({}))).await.with(201);
    update["id"].as_str().unwrap().to_owned()
}

async fn titles(world: &World, query: &str) -> Vec<String> {
    let page = world.owner().get(&format!("/v1/updates{query}")).await.with(200);
    page["items"].as_array().unwrap().iter().map(|update| update["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_update_is_published_read_and_dismissed_each_once_and_for_good() {
    let world = World::start().await;
    let body = news(
        "Released",
        json!({
            "links": [{"label": "Notes", "url": "https://example.org/2.4"}],
            "media": [{"url": "https://example.org/2.4.png", "mime_type": "image/png", "alt": "The new page"}],
            "source": {"run": "7", "agent": "somebody else"},
        }),
    );
    let update = world.agent().post("/v1/updates", &body).await.with(201);
    let id = update["id"].as_str().unwrap();
    assert!(id.strip_prefix("u-").is_some_and(|digits| digits.len() == 16), "{id}");
    assert_eq!((&update["source"]["agent"], &update["source"]["run"]), (&json!("tester"), &json!("7")));
    assert_eq!((&update["state"], &update["read_at"], &update["dismissed_at"]), (&json!("unread"), &Value::Null, &Value::Null));
    assert_eq!((&update["links"], &update["media"]), (&body["links"], &body["media"]));
    let path = format!("/v1/updates/{id}");
    assert_eq!(world.owner().get(&path).await.with(200), update);

    let read = world.owner().post_empty(&format!("{path}/read")).await.with(200);
    assert_eq!(read["state"], "read");
    assert!(read["read_at"].is_string());
    assert_eq!(world.owner().post(&format!("{path}/read"), &json!({})).await.with(200), read, "a second time changes nothing");
    let dismissed = world.owner().post_empty(&format!("{path}/dismiss")).await.with(200);
    assert_eq!((&dismissed["state"], &dismissed["read_at"]), (&json!("dismissed"), &read["read_at"]));
    for again in ["dismiss", "read"] {
        assert_eq!(world.owner().post_empty(&format!("{path}/{again}")).await.with(200), dismissed, "{again}");
    }
    assert_eq!(world.owner().get(&path).await.with(200), dismissed);
}

#[tokio::test]
async fn the_list_is_newest_first_without_what_was_dismissed_and_can_be_narrowed() {
    let world = World::start().await;
    let other = world.caller(&world.new_token("agent", "other").await);
    for (agent, title) in [(world.agent(), "one"), (world.agent(), "two"), (other, "three"), (world.agent(), "four")] {
        let id = publish(&agent, title).await;
        match title {
            "two" => drop(world.owner().post_empty(&format!("/v1/updates/{id}/dismiss")).await.with(200)),
            "four" => drop(world.owner().post_empty(&format!("/v1/updates/{id}/read")).await.with(200)),
            _ => {}
        }
    }
    assert_eq!(titles(&world, "").await, ["four", "three", "one"]);
    assert_eq!(titles(&world, "?state=all").await, ["four", "three", "two", "one"]);
    assert_eq!(titles(&world, "?state=unread").await, ["three", "one"]);
    assert_eq!(titles(&world, "?state=read").await, ["four"]);
    assert_eq!(titles(&world, "?state=dismissed").await, ["two"]);
    assert_eq!(titles(&world, "?source=other").await, ["three"]);
    assert_eq!(titles(&world, "?source=tester&state=all").await, ["four", "two", "one"]);
    assert_eq!(titles(&world, "?source=control/nobody&state=all").await, [""; 0]);
    let first = world.owner().get("/v1/updates?limit=2").await.with(200);
    publish(&world.agent(), "five").await;
    let cursor = first["next"].as_str().unwrap();
    assert_eq!(titles(&world, &format!("?limit=2&cursor={cursor}")).await, ["one"], "a page does not move when news come");
    for (query, field) in
        [("limit=0", "limit"), ("limit=1001", "limit"), ("cursor=x", "cursor"), ("state=gone", "state"), ("source=a/b", "source")]
    {
        let problem = world.owner().get(&format!("/v1/updates?{query}")).await.problem(422, "invalid");
        assert_eq!(problem["field"], field, "{problem}");
    }
}

#[tokio::test]
async fn the_same_publication_gives_the_original_and_a_changed_draft_is_refused() {
    let world = World::start().await;
    let body = news("Released", json!({"publication_id": "pub-1"}));
    let first = world.agent().post("/v1/updates", &body).await.with(201);
    assert_eq!(world.agent().post("/v1/updates", &body).await.with(200), first);
    let path = format!("/v1/updates/{}", first["id"].as_str().unwrap());
    let dismissed = world.owner().post_empty(&format!("{path}/dismiss")).await.with(200);
    assert_eq!(world.agent().post("/v1/updates", &body).await.with(200), dismissed, "also once it was dismissed");
    let changed = news("Released 2.5", json!({"publication_id": "pub-1"}));
    let problem = world.agent().post("/v1/updates", &changed).await.problem(409, "draft_changed");
    assert_eq!(problem["field"], "publication_id");
    let other = world.caller(&world.new_token("agent", "other").await);
    assert_ne!(other.post("/v1/updates", &body).await.with(201)["id"], first["id"], "another agent's is another one");
    // Without an identity each is one of its own.
    assert_ne!(publish(&world.agent(), "Same").await, publish(&world.agent(), "Same").await);
}

#[tokio::test]
async fn of_the_same_publication_sent_many_times_at_once_there_is_one() {
    let world = World::start().await;
    let (agent, body) = (world.agent(), news("Released", json!({"publication_id": "pub-1"})));
    let replies = futures_util::future::join_all((0..20).map(|_| agent.post("/v1/updates", &body))).await;
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!((statuses[0], statuses.last()), (200, Some(&201)));
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1);
    assert!(replies.iter().all(|reply| reply.json()["id"] == replies[0].json()["id"]));
    assert_eq!(titles(&world, "").await, ["Released"]);
}

#[tokio::test]
async fn agents_publish_and_only_owners_list_read_and_dismiss() {
    let world = World::start().await;
    let path = format!("/v1/updates/{}", publish(&world.agent(), "Released").await);
    for looked_at in ["/v1/updates", &path] {
        world.agent().get(looked_at).await.problem(403, "forbidden");
        world.nobody().get(looked_at).await.problem(401, "unauthenticated");
    }
    for mark in ["read", "dismiss"] {
        world.agent().post_empty(&format!("{path}/{mark}")).await.problem(403, "forbidden");
        world.nobody().post_empty(&format!("{path}/{mark}")).await.problem(401, "unauthenticated");
    }
    world.owner().post("/v1/updates", &news("Mine", json!({}))).await.problem(403, "forbidden");
    world.nobody().post("/v1/updates", &news("Mine", json!({}))).await.problem(401, "unauthenticated");
    assert_eq!(world.owner().get(&path).await.with(200)["state"], "unread");
    assert_eq!(titles(&world, "").await, ["Released"]);
}

#[tokio::test]
async fn an_id_that_no_update_has_is_not_found() {
    let world = World::start().await;
    world.asks("rel-1").await;
    for id in ["u-0000000000000000", "rel-1", "u-xyz", "0000000000000000", "U-0000000000000000"] {
        world.owner().get(&format!("/v1/updates/{id}")).await.problem(404, "not_found");
        for mark in ["read", "dismiss"] {
            world.owner().post_empty(&format!("/v1/updates/{id}/{mark}")).await.problem(404, "not_found");
        }
    }
}

#[tokio::test]
async fn what_breaks_a_rule_is_refused_by_field_and_stores_nothing() {
    let world = World::start().await;
    for (body, code, field) in [
        (json!({"body": "b"}), "invalid", "title"),
        (json!({"title": "t"}), "invalid", "body"),
        (json!({"title": " \u{200b}", "body": "b"}), "invalid", "title"),
        (news("t", json!({"colour": "red"})), "unknown_field", "colour"),
        (news("t", json!({"links": [{"label": "x", "url": "javascript:alert(1)"}]})), "invalid", "links[0].url"),
        (news("t", json!({"media": vec![json!({}); 9]})), "invalid", "media"),
    ] {
        assert_eq!(world.agent().post("/v1/updates", &body).await.problem(422, code)["field"], field, "{body}");
    }
    let id = publish(&world.agent(), "Released").await;
    let with_a_body = world.owner().post(&format!("/v1/updates/{id}/read"), &json!({"at": "now"})).await;
    assert_eq!(with_a_body.problem(422, "unknown_field")["field"], "at");
    assert_eq!(titles(&world, "?state=all").await, ["Released"]);
}

#[tokio::test]
async fn a_source_that_is_full_is_refused_until_the_owner_has_dealt_with_some_of_it() {
    let world = World::start_with(&[("PAGER_LIMITS__RECORDS", "3")]).await;
    let (agent, body) = (world.agent(), news("News", json!({})));
    let first = format!("/v1/updates/{}", publish(&agent, "First").await);
    for _ in 0..2 {
        agent.post("/v1/updates", &body).await.with(201);
    }
    let problem = agent.post("/v1/updates", &body).await.problem(429, "capacity");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("3 updates") && detail.contains("limits.records") && detail.contains("dismissed"), "{detail}");
    let other = world.caller(&world.new_token("agent", "other").await);
    publish(&other, "Another source has room").await;
    world.asks("rel-1").await;
    world.owner().post_empty(&format!("{first}/read")).await.with(200);
    agent.post("/v1/updates", &body).await.problem(429, "capacity");
    world.owner().post_empty(&format!("{first}/dismiss")).await.with(200);
    agent.post("/v1/updates", &body).await.with(201);
    world.owner().get(&first).await.problem(404, "not_found");
}

#[tokio::test]
async fn bytes_are_limited_too_and_without_limits_there_is_always_room() {
    let body = json!({"title": "News", "body": "x".repeat(1500)});
    let world = World::start_with(&[("PAGER_LIMITS__BYTES", "4000")]).await;
    for _ in 0..2 {
        world.agent().post("/v1/updates", &body).await.with(201);
    }
    let problem = world.agent().post("/v1/updates", &body).await.problem(429, "capacity");
    assert!(problem["detail"].as_str().unwrap().contains("limits.bytes"), "{problem}");
    let world = World::start_with(&[("PAGER_LIMITS__BYTES", "0"), ("PAGER_LIMITS__RECORDS", "0")]).await;
    let agent = world.agent();
    let replies = futures_util::future::join_all((0..300).map(|_| agent.post("/v1/updates", &body))).await;
    assert!(replies.iter().all(|reply| reply.status == 201));
    let page = world.owner().get("/v1/updates?limit=1000").await.with(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 300);
}

#[tokio::test]
async fn a_device_reads_and_dismisses_as_its_owner_and_an_observer_sees_nothing() {
    let world = World::start().await;
    let path = format!("/v1/updates/{}", publish(&world.agent(), "Released").await);
    let device = world.caller(&world.new_token("device", "phone").await);
    let observer = world.caller(&world.new_token("observer", "wall").await);
    observer.get("/v1/updates").await.problem(403, "forbidden");
    observer.get(&path).await.problem(403, "forbidden");
    observer.post_empty(&format!("{path}/read")).await.problem(403, "forbidden");
    observer.post("/v1/updates", &news("Mine", json!({}))).await.problem(403, "forbidden");
    device.post("/v1/updates", &news("Mine", json!({}))).await.problem(403, "forbidden");
    assert_eq!(device.get("/v1/updates").await.with(200)["items"].as_array().unwrap().len(), 1);
    assert_eq!(device.post_empty(&format!("{path}/dismiss")).await.with(200)["state"], "dismissed");
}

#[tokio::test]
async fn an_update_that_was_acknowledged_outlives_a_kill() {
    let mut world = World::start().await;
    let id = publish(&world.agent(), "Released").await;
    world.restart().await;
    let path = format!("/v1/updates/{id}");
    assert_eq!(world.owner().get(&path).await.with(200)["title"], "Released");
    world.owner().post_empty(&format!("{path}/read")).await.with(200);
    world.restart().await;
    assert_eq!(world.owner().get(&path).await.with(200)["state"], "read");
    let figures = world.nobody().get("/metrics").await.text;
    assert!(figures.contains("pager_news_unread 0"), "{figures}");
}

#[tokio::test]
async fn a_token_that_was_revoked_publishes_nothing() {
    let world = World::start().await;
    let secret = world.new_token("agent", "other").await;
    let listed = world.pagerd(&["token", "list"]).await.output;
    let id = listed.lines().find(|line| line.contains("other")).and_then(|line| line.split_whitespace().next()).unwrap();
    world.pagerd(&["token", "revoke", id]).await;
    world.caller(&secret).post("/v1/updates", &news("Late", json!({}))).await.problem(401, "unauthenticated");
    assert_eq!(titles(&world, "?state=all").await, [""; 0]);
}
