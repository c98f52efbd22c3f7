//! Requests with their threads: what was replied and offered, what nobody answered, and what is an agent's own to settle.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::driver::Browser;
use super::page::card;
use super::plain::{Plain, location};
use crate::control::sending::{borrowed, signed_settings};
use crate::world::{Caller, World, until};

/// A pagerd that takes events of helpers, with deadlines as early as a test needs.
pub async fn world(more: &[(&str, &str)]) -> World {
    let signed = signed_settings();
    World::start_with(&[borrowed(&signed), vec![("PAGER_DEADLINE__MIN", "1s")], more.to_vec()].concat()).await
}

/// The owner asks for this on the page. The request's id.
pub async fn request(world: &World, text: &str) -> String {
    let owner = Plain::logged_in(world).await;
    let form = [("csrf", owner.csrf.as_str()), ("once", text), ("text", text)];
    let reply = owner.post("/requests").form(&form).send().await.unwrap();
    location(&reply).strip_prefix("/requests#").unwrap().to_owned()
}

/// The helper `builder` replies to it.
pub async fn reply(world: &World, event: &str, request: &str, text: &str) {
    let body = json!({"type": "reply", "agent": "builder", "request": request, "title": format!("About {event}"), "text": text});
    world.sends(event, &body).await.with(201);
}

/// The helper `builder` offers untested code for it, with more fields. The record.
pub async fn offer(world: &World, event: &str, request: &str, more: Value) -> Value {
    let mut body = json!({
        "type": "offer", "agent": "builder", "request": request, "id": event, "deliverable": "untested code",
        "missing": "a build and a test run", "why": "no compiler in this run",
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.sends(event, &body).await.with(201)
}

/// The moment after so many milliseconds.
pub fn in_millis(millis: i64) -> String {
    (Timestamp::now() + SignedDuration::from_millis(millis)).to_string()
}

#[tokio::test]
async fn a_thread_grows_by_itself_and_its_offers_are_settled_on_their_cards() {
    let world = world(&[]).await;
    let id = request(&world, "Build this Rust parser\nfor the importer").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, &format!("/requests/{id}")).await;
    browser.sees("#rows", "Nobody wrote into this thread yet").await;
    browser.sees("#standing", "Open").await;
    browser.write("#text", "half a tho").await;
    let record = offer(&world, "offer-0001", &id, json!({"deadline": in_millis(3_600_000)})).await;
    let row = browser.sees(".entry", "It waits for you").await;
    for words in ["Offer", "control/builder", "untested code (default) · no thanks", "59 min left", "goes on with: untested code"]
    {
        assert!(row.contains(words), "{words} in {row}");
    }
    browser.sees("#standing", "0 answers · 1 offer waits for you").await;
    reply(&world, "reply-0001", &id, "Use the crate nom.").await;
    browser.sees(".entry:last-child", "Use the crate nom.").await;
    browser.sees("#standing", "Answered").await;
    browser.sees("[aria-live=polite]", "Answer: agent:control/builder").await;
    browser.active_element().await.unwrap().send_keys("ught").await.unwrap();
    assert_eq!(browser.typed("#text").await, "half a thought", "what is typed stays");
    browser.press(".entry a.button").await;
    let text = browser.sees(&card(&record), "Partial, and marked as such. Missing: a build and a test run").await;
    assert!(text.contains("About the request Build this Rust parser"), "{text}");
    let labels = browser.run("return [...document.querySelectorAll('.option .label')].map((label) => label.textContent)").await;
    assert_eq!(labels, json!(["untested code", "no thanks"]), "the deliverable first, the way out last");
    browser.press(".option").await;
    browser.sees(".notice.done", "You answered: untested code").await;
    browser.open(&world, "/history").await;
    browser.press(".row .aside a").await;
    let row = browser.sees(".entry:first-child", "You answered: untested code").await;
    assert!(row.contains("token:olga on the page"), "{row}");
}

#[tokio::test]
async fn what_nobody_answered_stands_at_the_top_and_on_its_row_in_the_words_of_the_service() {
    let world = world(&[("PAGER_UNANSWERED_AFTER", "1s")]).await;
    let id = request(&world, "Build this Rust parser").await;
    offer(&world, "offer-0001", &id, json!({})).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let notice = "your ask 'Build this Rust parser': 0 answers after 0 min · 1 clarify offering untested code";
    until("the request counts as unanswered", async || {
        browser.open(&world, "/requests").await;
        (browser.count(&format!("#{id} .unheard")).await == 1).then_some(())
    })
    .await;
    assert_eq!(browser.the("#unanswered li").await.text().await.unwrap(), notice);
    assert_eq!(browser.the(&format!("#{id} .unheard")).await.text().await.unwrap(), notice);
    let row = browser.sees(&format!("#{id}"), "Open").await;
    assert!(row.contains("0 answers · 1 offer waits for you"), "{row}");
    browser.press("#unanswered a").await;
    assert_eq!(browser.the("#standing .unheard").await.text().await.unwrap(), notice);
    browser.open(&world, "/requests").await;
    reply(&world, "reply-0001", &id, "It is in the branch parser.").await;
    browser.sees(&format!("#{id}"), "Answered").await;
    browser.lacks(".unheard").await;
    browser.lacks("#unanswered:not([hidden])").await;
}

#[tokio::test]
async fn a_further_message_is_written_without_scripts_once_a_press_and_no_word_of_it_is_lost() {
    let world = world(&[]).await;
    let id = request(&world, "Build a parser").await;
    let path = format!("/requests/{id}");
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.open(&world, &path).await;
    browser.press(".compose .send").await;
    browser.sees("[role=alert]", "must not be blank").await;
    browser.write("#text", "In Rust,\nplease").await;
    browser.press(".compose .send").await;
    let row = browser.sees(".entry", "In Rust,\nplease").await;
    assert!(row.contains("Further message") && row.contains("token:olga on the page"), "{row}");
    browser.sees("#standing", "Open").await;
    let owner = Plain::logged_in(&world).await;
    let send = async |text: &str, once: &str, csrf: &str| {
        let form = [("csrf", csrf), ("once", once), ("text", text)];
        owner.post(&format!("{path}/replies")).form(&form).send().await.unwrap()
    };
    for _ in 0..2 {
        assert!(location(&send("Twice?", "same", &owner.csrf).await).starts_with(&format!("{path}#y-")));
    }
    let refused = send(&"<b>word ".repeat(600), "long", &owner.csrf).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(refused.text().await.unwrap().matches("&#60;b&#62;word").count(), 600);
    let forged = send("my careful words", "forged", "forged").await;
    assert_eq!(forged.status(), 422);
    assert!(forged.text().await.unwrap().contains("my careful words"));
    let foreign = owner.post_from(Some("http://evil.example"), &format!("{path}/replies"));
    assert_eq!(foreign.form(&[("csrf", owner.csrf.as_str()), ("once", "1"), ("text", "x")]).send().await.unwrap().status(), 403);
    assert_eq!(owner.get(&format!("{path}/replies")).await.status(), 405);
    assert_eq!(owner.get("/requests/r-0000000000000000").await.status(), 404);
    browser.refresh().await.unwrap();
    browser.open(&world, &path).await;
    assert_eq!(browser.count(".entry").await, 2);
}

#[tokio::test]
async fn a_pick_on_a_stale_page_is_told_the_outcome_and_is_kept_as_a_late_one_once() {
    let world = world(&[]).await;
    let id = request(&world, "Build a parser").await;
    let record = offer(&world, "offer-0001", &id, json!({"deadline": in_millis(6000)})).await;
    let owner = Plain::logged_in(&world).await;
    let answer = format!("/questions/{}/answer", record["incarnation"].as_str().unwrap());
    let press = async |option: &str| {
        let reply = owner.post(&answer).form(&[("csrf", owner.csrf.as_str()), ("option", option)]).send().await.unwrap();
        assert_eq!(reply.status(), 409);
        reply.text().await.unwrap()
    };
    world.owner_record_when("offer-0001", "defaulted").await;
    for _ in 0..2 {
        let told = press("out").await;
        assert!(told.contains("It was settled before. Nobody answered by"), "{told}");
        assert!(told.contains("goes on with its default: untested code."), "{told}");
        assert!(told.contains("Your pick, no thanks, was kept as a late one"), "{told}");
    }
    let told = press("deliverable").await;
    assert!(told.contains("Yours was not recorded. A late pick was kept before: no thanks."), "{told}");
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.sees("#ended", "goes on with its default: untested code").await;
    browser.open(&world, &format!("/requests/{id}")).await;
    let row = browser.sees(".entry:last-child", "Late pick").await;
    assert!(row.contains("no thanks") && row.contains("Of the offer A partial offer for"), "{row}");
    assert_eq!(browser.count(".entry").await, 2, "one late pick alone is kept");
    let row = browser.sees(".entry:first-child", "goes on with its default").await;
    assert!(!row.contains("It waits for you"), "{row}");
}

#[tokio::test]
async fn markup_in_a_thread_is_text() {
    let world = world(&[("PAGER_UNANSWERED_AFTER", "1s")]).await;
    let evil = "\"'></p></textarea></title></script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let id = request(&world, evil).await;
    reply(&world, "reply-0001", &id, &format!("{evil}\u{202e}")).await;
    let more = json!({"deliverable": "<svg onload=alert(3)>", "missing": evil, "why": evil, "or": "<b>no</b>"});
    let record = offer(&world, "offer-0001", &id, more).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let own = format!("/questions/{}", record["incarnation"].as_str().unwrap());
    for path in [format!("/requests/{id}"), "/requests".to_owned(), own, "/".to_owned()] {
        browser.open(&world, &path).await;
        browser.sees("main", "onerror=alert(2)").await;
        assert_eq!(browser.count("main script, main img, main b, main svg[onload]").await, 0, "{path}");
        assert!(browser.get_alert_text().await.is_err(), "a script ran on {path}");
        assert_eq!(browser.console().await, Vec::<String>::new(), "{path}");
    }
    browser.open(&world, &format!("/requests/{id}")).await;
    browser.sees("#rows", "\\u{202e}").await;
}

/// The agent `rusty`, which settles itself what helpers ask about its request, and that request's id.
async fn rusty(world: &World) -> (Caller, String) {
    let rusty = Caller::new(world.address.clone(), Some(&world.new_token("agent", "rusty").await));
    let body = json!({"title": "Compile my crate", "text": "It needs a linker.", "tags": ["cap:rust"]});
    let request = rusty.post("/v1/requests", &body).await.with(201);
    (rusty, request["id"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn what_is_put_to_an_agent_is_a_plain_line_that_an_owner_can_call_off_and_nothing_else() {
    let world = world(&[]).await;
    let (_, id) = rusty(&world).await;
    let record = offer(&world, "offer-0001", &id, json!({"deadline": in_millis(3_600_000)})).await;
    assert_eq!(record["put_to"], "rusty");
    let (key, path) = (record["incarnation"].as_str().unwrap(), format!("/requests/{id}"));
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.sees("#headline", "Nothing waits for you").await;
    assert_eq!(browser.count(".card, .badge").await, 0);
    browser.open(&world, "/requests").await;
    let row = browser.sees(&format!("#{id}"), "0 answers · 1 offer waits for rusty").await;
    assert!(row.contains("agent:rusty") && row.contains("cap:rust") && row.contains("Open"), "{row}");
    browser.open(&world, &format!("/questions/{key}")).await;
    browser.sees(".card", "It is put to rusty").await;
    assert_eq!(browser.count(".option, .card textarea, form[action*=decline]").await, 0);
    let owner = Plain::logged_in(&world).await;
    let form = [("csrf", owner.csrf.as_str()), ("option", "deliverable")];
    let refused = owner.post(&format!("/questions/{key}/answer")).form(&form).send().await.unwrap();
    assert_eq!(refused.status(), 403);
    let page = refused.text().await.unwrap();
    assert!(page.contains("It is put to the agent whose request it is about") && !page.contains("class=\"option"), "{page}");
    let cancel = format!("{path}/questions/{key}/cancel");
    assert_eq!(owner.post(&cancel).form(&[("csrf", "forged")]).send().await.unwrap().status(), 403);
    let foreign = owner.post_from(Some("http://evil.example"), &cancel);
    assert_eq!(foreign.form(&[("csrf", owner.csrf.as_str())]).send().await.unwrap().status(), 403);
    assert_eq!(world.owner().get("/v1/questions/offer-0001").await.with(200)["state"], "open");
    browser.open(&world, &path).await;
    let row = browser.sees(".entry", "put to rusty").await;
    assert!(row.contains("untested code (default) · no thanks") && row.contains("Open."), "{row}");
    assert_eq!(browser.count(".entry a.button, .entry .option").await, 0);
    browser.press(".entry form button").await;
    browser.sees(".entry", "Cancelled by token:olga").await;
    world.owner_record_when("offer-0001", "cancelled").await;
    let inbox = owner.get("/").await.text().await.unwrap();
    assert!(!inbox.contains("A partial offer for"), "what was an agent's never stood in the inbox");
    assert!(owner.get("/history").await.text().await.unwrap().contains(&format!("href=\"{path}\"")));
    let again = owner.post(&cancel).form(&[("csrf", owner.csrf.as_str())]).send().await.unwrap();
    assert_eq!(again.status(), 409);
    assert!(again.text().await.unwrap().contains("there was nothing to cancel. Cancelled by token:olga"));
    browser.write("#text", "I have one; it is on the build machine.").await;
    browser.press(".compose .send").await;
    let row = browser.sees(".entry:last-child", "it is on the build machine").await;
    assert!(row.contains("Answer") && row.contains("token:olga on the page"), "{row}");
    browser.sees("#standing", "Answered").await;
}

#[tokio::test]
async fn the_history_says_of_what_an_agent_settled_that_the_agent_did_and_what_it_was_about() {
    let world = world(&[]).await;
    let (rusty, id) = rusty(&world).await;
    let record = offer(&world, "offer-0001", &id, json!({})).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, &format!("/requests/{id}")).await;
    browser.sees(".entry", "put to rusty").await;
    rusty.post("/v1/questions/offer-0001/pick", &json!({"option": "out"})).await.with(200);
    let row = browser.sees(".entry", "Answered: no thanks").await;
    assert!(row.contains("agent:rusty over HTTP") && !row.contains("You answered"), "{row}");
    assert_eq!(browser.count(".entry form").await, 0);
    browser.open(&world, "/history").await;
    let row = browser.sees(".row", "Answered: no thanks").await;
    assert!(row.contains("agent:rusty over HTTP") && row.contains("About the request Compile my crate"), "{row}");
    browser.open(&world, &format!("/questions/{}", record["incarnation"].as_str().unwrap())).await;
    browser.sees("main", "About the request Compile my crate").await;
    let inbox = Plain::logged_in(&world).await.get("/").await.text().await.unwrap();
    assert!(!inbox.contains("A partial offer for"), "what was an agent's never stood in the inbox");
}

#[tokio::test]
async fn the_card_of_a_question_about_a_question_leads_to_it() {
    let world = world(&[]).await;
    let first = world.asks("first").await;
    let second =
        json!({"id": "second", "purpose": "clarification", "text": "Which of them?", "about": "first", "waiting_on": "it"});
    let second = world.asks_with(second).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.sees(&card(&second), "About the question Release first?").await;
    browser.press(&format!("{} .aside a", card(&second))).await;
    browser.sees(&card(&first), "Release first?").await;
}
