//! The other pages: what ended, what was decided, what is asked of agents, and the tokens.

use fantoccini::Locator;
use serde_json::json;

use super::driver::Browser;
use super::plain::{Plain, location};
use crate::world::World;

#[tokio::test]
async fn what_ended_says_who_when_where_and_in_which_commit_and_is_found_by_its_words() {
    let world = World::start().await;
    for id in ["alpha", "beta"] {
        world.asks(id).await;
        world.owner().post(&format!("/v1/questions/{id}/answer"), &json!({"answer": "x", "option": "1"})).await.with(200);
    }
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/history").await;
    let row = browser.sees(".row", "Release beta?").await;
    assert!(row.contains("You answered: Yes, release") && row.contains("token:olga over HTTP"), "{row}");
    assert_eq!(browser.count(".row code").await, 2);
    browser.write("#q", "alpha").await;
    browser.press(".search button").await;
    browser.sees(".found", "alpha").await;
    assert_eq!(browser.count(".row").await, 1);
    browser.press(".row h2 a").await;
    let whole = browser.sees("main", "answers/alpha.json").await;
    assert!(whole.contains("✓"), "{whole}");
    browser.open(&world, "/history?q=nowhere").await;
    browser.sees("#rows", "Nothing that ended has these words").await;
}

#[tokio::test]
async fn a_question_has_a_page_of_its_own_and_can_be_answered_there() {
    let world = World::start().await;
    let question = world.asks("own").await;
    let path = format!("/questions/{}", question["incarnation"].as_str().unwrap());
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, &path).await;
    browser.press(".option").await;
    browser.sees(".notice.done", "You answered: Yes, release").await;
    browser.open(&world, &path).await;
    browser.sees("main", "What could be picked").await;
    assert_eq!(Plain::logged_in(&world).await.get("/questions/0000000000000000").await.status(), 404);
}

#[tokio::test]
async fn decisions_stand_with_what_was_weighed_and_nothing_else_does() {
    let world = World::start().await;
    world.asks_everything().await;
    world.asks("plain").await;
    let owner = world.owner();
    owner.post("/v1/questions/decide/answer", &json!({"answer": "x", "option": "a"})).await.with(200);
    owner.post("/v1/questions/plain/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/decisions").await;
    let row = browser.sees(".row", "Which database?").await;
    assert!(row.contains("One file; one writer.") && row.contains("Many writers"), "{row}");
    let picked = browser.the(".picks .picked").await.text().await.unwrap();
    assert!(picked.contains("SQLite") && picked.contains("✓"), "{picked}");
    assert_eq!(browser.count(".row").await, 1);
    let entry = row.split_once("In the decision log as ").unwrap().1.lines().next().unwrap();
    assert!(entry.starts_with("decisions/") && entry.ends_with("-decide.md"), "{entry}");
    world.git(&["cat-file", "-e", &format!("main:{entry}")]);
}

#[tokio::test]
async fn the_settings_show_the_rules_that_the_operator_laid_down() {
    let rules = [("PAGER_GATES__MERGE", "delegated"), ("PAGER_GATES__SPEND", "owner"), ("PAGER_LIMITS__RECORDS", "0")];
    let world = World::start_with(&rules).await;
    let page = Plain::logged_in(&world).await.get("/settings").await.text().await.unwrap();
    let (_, rules) = page.split_once("id=\"rules\"").unwrap();
    for (name, value) in [
        ("gates.merge", "delegated: the agent goes on without asking"),
        ("gates.spend", "owner: you are asked"),
        ("every other gate", "owner: you are asked"),
        ("limits.records", "no limit"),
        ("limits.bytes", "512000 bytes of one source"),
    ] {
        assert!(rules.contains(&format!("{name}</code></dt><dd>{value}</dd>")), "{name}: {rules}");
    }
}

#[tokio::test]
async fn a_request_is_made_on_the_page_once_and_every_agent_can_read_it() {
    let world = World::start().await;
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.open(&world, "/requests").await;
    browser.write("#text", "Build a parser\nin Rust, please").await;
    browser.press(".compose .send").await;
    browser.sees(".row", "in Rust, please").await;
    browser.refresh().await.unwrap();
    assert_eq!(browser.count(".row").await, 1);
    let list = world.agent().get("/v1/requests").await.with(200);
    let request = &list["items"][0];
    assert_eq!((&request["title"], &request["text"]), (&json!("Build a parser"), &json!("Build a parser\nin Rust, please")));
    assert_eq!(request["from"], json!({"kind": "owner", "id": "token:olga", "via": "web"}));
    let owner = Plain::logged_in(&world).await;
    let form = [("csrf", owner.csrf.as_str()), ("once", "same"), ("text", "Twice?")];
    for _ in 0..2 {
        let reply = owner.post("/requests").form(&form).send().await.unwrap();
        assert!(location(&reply).starts_with("/requests#r-"), "{reply:?}");
    }
    assert_eq!(world.agent().get("/v1/requests").await.with(200)["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_request_that_cannot_be_taken_comes_back_with_every_word() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/requests").await;
    browser.press(".compose .send").await;
    browser.sees("[role=alert]", "must not be blank").await;
    let owner = Plain::logged_in(&world).await;
    let long = "<b>word ".repeat(600);
    let form = [("csrf", owner.csrf.as_str()), ("once", "x"), ("text", long.as_str())];
    let refused = owner.post("/requests").form(&form).send().await.unwrap();
    assert_eq!(refused.status(), 422);
    assert_eq!(refused.text().await.unwrap().matches("&#60;b&#62;word").count(), 600);
    assert_eq!(world.agent().get("/v1/requests").await.with(200)["items"], json!([]));
}

#[tokio::test]
async fn a_token_is_revoked_on_the_page_after_a_second_press_and_what_stays_open_is_named() {
    let world = World::start().await;
    world.asks("stays").await;
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.open(&world, "/settings").await;
    browser.sees("main", "Everything that it looks at by itself is well").await;
    let row = "//li[.//strong[text()='tester']]";
    browser.press_at(Locator::XPath(&format!("{row}//summary"))).await;
    browser.press_at(Locator::XPath(&format!("{row}//button"))).await;
    let told = browser.sees(".notice.done", "is revoked").await;
    assert!(told.contains("Release stays?"), "{told}");
    assert_eq!(world.agent().get("/v1/questions").await.status, 401);
}

#[tokio::test]
async fn a_device_answers_as_itself_and_has_no_say_in_tokens() {
    let world = World::start().await;
    let question = world.asks("phone").await;
    let token = world.new_token("device", "pocket").await;
    let mut device = Plain::new(&world);
    let reply = device.log_in(&token).await;
    device.take_cookie(&reply);
    device.take_csrf().await;
    let settings = device.get("/settings").await.text().await.unwrap();
    assert!(settings.contains("pocket") && !settings.contains("/settings/tokens/"), "{settings}");
    let list = world.pagerd(&["token", "list"]).await.output;
    let own = list.lines().find(|line| line.contains("olga")).unwrap().split('\t').next().unwrap().to_owned();
    let path = format!("/settings/tokens/{own}/revoke");
    let reply = device.post(&path).form(&[("csrf", device.csrf.as_str())]).send().await.unwrap();
    assert_eq!(reply.status(), 403);
    let path = format!("/questions/{}/answer", question["incarnation"].as_str().unwrap());
    device.post(&path).form(&[("csrf", device.csrf.as_str()), ("option", "1")]).send().await.unwrap();
    assert_eq!(world.saved_answer("phone").await["by"], json!({"kind": "device", "id": "token:pocket", "via": "web"}));
    let observer = world.new_token("observer", "wall").await;
    assert_eq!(Plain::new(&world).log_in(&observer).await.status(), 401);
}

#[tokio::test]
async fn the_number_of_open_questions_follows_on_every_page() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/history").await;
    assert_eq!(browser.title().await.unwrap(), "History · pager");
    world.asks("one").await;
    browser.sees(".ways .badge", "1").await;
    browser.sees("[aria-live=polite]", "A new question waits in the inbox.").await;
    assert_eq!(browser.title().await.unwrap(), "(1) History · pager");
    let icon = browser.the("link[rel=icon]").await.attr("href").await.unwrap().unwrap();
    let drawn = Plain::logged_in(&world).await.get(&icon).await;
    assert_eq!(drawn.headers()["content-type"], "image/svg+xml");
    assert!(drawn.text().await.unwrap().contains(">1</text>"));
    world.owner().post("/v1/questions/one/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    browser.sees(".row", "Release one?").await;
    browser.lacks(".ways .badge").await;
}

#[tokio::test]
async fn notifications_are_asked_for_on_a_press_alone() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/settings").await;
    let spy = "window.asked = 0; Notification.requestPermission = async () => { window.asked += 1; return 'default'; }";
    browser.run(spy).await;
    assert_eq!(browser.run("return window.asked").await, 0);
    if browser.run("return Notification.permission").await == "default" {
        browser.press("#notify button").await;
        assert_eq!(browser.run("return window.asked").await, 1);
    } else {
        browser.sees("#notify-state", "refuses notifications").await;
    }
    assert_eq!(browser.run("return localStorage.length + sessionStorage.length").await, 0);
}
