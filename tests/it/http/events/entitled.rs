//! Who may listen, and to what.

use reqwest::Method;
use reqwest::header::{COOKIE, HOST};
use serde_json::json;

use super::stream::Stream;
use crate::browser::Plain;
use crate::world::{World, sent};

#[tokio::test]
async fn an_agent_hears_of_its_own_alone() {
    let world = World::start().await;
    let other = world.caller(&world.new_token("agent", "other").await);
    let (mut own, mut all) = (Stream::open(&world.agent()).await, Stream::open(&world.owner()).await);
    let draft = json!({"id": "theirs", "text": "Theirs?", "options": [{"label": "A"}, {"label": "B"}]});
    other.post("/v1/questions", &draft).await.with(201);
    world.owner().post("/v1/questions/theirs/answer", &json!({"answer": "A", "option": "1"})).await.with(200);
    world.asks("mine").await;
    own.hears(&[("question.asked", "mine")]).await;
    let last = all
        .hears(&[
            ("question.asked", "theirs"),
            ("question.answering", "theirs"),
            ("question.ended", "theirs"),
            ("answer.shown", "theirs"),
            ("question.asked", "mine"),
        ])
        .await;
    // Neither by going back to the beginning.
    let mut again = Stream::after(&other, "0-0").await;
    again.hears(&[("question.asked", "theirs")]).await;
    again = Stream::after(&world.agent(), &last[0].id).await;
    again.hears(&[("question.asked", "mine")]).await;
}

#[tokio::test]
async fn whoever_asked_for_work_hears_of_its_replies_and_another_agent_does_not() {
    let world = World::start().await;
    let helper = world.caller(&world.new_token("agent", "helper").await);
    let (mut own, mut all) = (Stream::open(&world.agent()).await, Stream::open(&world.owner()).await);
    let mut theirs = Stream::open(&helper).await;
    let request = json!({"id": "r-1", "title": "Build it", "text": "In Rust."});
    world.agent().post("/v1/requests", &request).await.with(201);
    let reply = json!({"title": "Built", "text": "Here."});
    let reply = helper.post("/v1/requests/r-1/replies", &reply).await.with(201);
    let draft = json!({"id": "theirs", "text": "Theirs?", "options": [{"label": "A"}, {"label": "B"}]});
    helper.post("/v1/questions", &draft).await.with(201);
    let told = [("request.made", "r-1"), ("request.replied", reply["id"].as_str().unwrap())];
    assert_eq!(own.hears(&told).await[1].data, reply);
    all.hears(&told).await;
    theirs.hears(&[("question.asked", "theirs")]).await;
}

#[tokio::test]
async fn a_device_hears_everything_and_an_observer_nothing() {
    let world = World::start().await;
    let device = world.caller(&world.new_token("device", "phone").await);
    let observer = world.caller(&world.new_token("observer", "wall").await);
    let mut stream = Stream::open(&device).await;
    world.asks("rel-1").await;
    stream.hears(&[("question.asked", "rel-1")]).await;
    observer.get("/v1/events").await.problem(403, "forbidden");
}

#[tokio::test]
async fn nobody_listens_without_a_token_or_a_session() {
    let world = World::start().await;
    world.nobody().get("/v1/events").await.problem(401, "unauthenticated");
    world.caller("wrong").get("/v1/events").await.problem(401, "unauthenticated");
    world.owner().post("/v1/events", &json!({})).await.problem(405, "method_not_allowed");
    let nobody = Plain::new(&world);
    assert_eq!(nobody.get("/v1/events").await.status(), 401);
    let forged = nobody.request(Method::GET, "/v1/events").header(COOKIE, "pager-1=x; __Host-pager=x");
    assert_eq!(forged.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn the_session_of_the_page_hears_everything() {
    let world = World::start().await;
    let owner = Plain::logged_in(&world).await;
    let mut stream = Stream::of(owner.request(Method::GET, "/v1/events").header("sec-fetch-site", "same-origin")).await;
    world.asks("rel-1").await;
    let heard = stream.hears(&[("question.asked", "rel-1")]).await;
    // Where a header cannot be set the address says where to go on; a header, which is newer, counts more.
    let path = |id: &str| format!("/v1/events?last_event_id={id}");
    world.asks("rel-2").await;
    stream = Stream::of(owner.request(Method::GET, &path(&heard[0].id))).await;
    let second = stream.hears(&[("question.asked", "rel-2")]).await;
    world.asks("rel-3").await;
    stream = Stream::of(owner.request(Method::GET, &path(&heard[0].id)).header("last-event-id", &second[0].id)).await;
    stream.hears(&[("question.asked", "rel-3")]).await;
}

#[tokio::test]
async fn a_foreign_page_or_a_foreign_name_gets_nothing_by_the_browsers_cookie() {
    let world = World::start().await;
    let owner = Plain::logged_in(&world).await;
    for host in ["evil.example", "127.0.0.1.evil.example"] {
        assert_eq!(owner.get_as(host, "/v1/events").await.status(), 421, "{host}");
    }
    for site in ["cross-site", "same-site"] {
        let request = owner.request(Method::GET, "/v1/events").header("sec-fetch-site", site);
        sent(request).await.unwrap().problem(403, "forbidden");
    }
    // A token is proof by itself, whatever name leads here.
    let named = world.owner().request(Method::GET, "/v1/events").header(HOST, "pager.internal");
    let mut stream = Stream::of(named).await;
    world.asks("rel-1").await;
    stream.hears(&[("question.asked", "rel-1")]).await;
}
