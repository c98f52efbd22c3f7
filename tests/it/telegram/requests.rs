//! Owners' texts outside open questions: stored as requests, marked with 👀, nothing else.

use pager_tests::fake_telegram::{FORUM, Fault, Message, OWNER, STRANGER, Written, media};
use serde_json::{Value, json};

use crate::world::{Shown, World, until};

/// The stored requests, newest first.
async fn requests(world: &World) -> Vec<Value> {
    world.owner().get("/v1/requests").await.with(200)["items"].as_array().unwrap().clone()
}

async fn seen(world: &World, text: i64) {
    let is_seen = |message: &Message| message.id == text && message.reactions == ["👀"];
    world.telegram().wait_for_message("text with 👀", is_seen).await.unwrap();
}

/// The titles once everything by now was handled; a question is open and shown for it.
async fn titles_by_now(world: &World, shown: Shown) -> Vec<String> {
    world.replies_by_now(shown).await;
    requests(world).await.iter().map(|request| request["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_text_in_general_is_stored_as_a_request_and_gets_eyes() {
    let world = World::with_telegram().await;
    let text = world.telegram().write_in_general("Build this parser\n\nIn Rust, please. ").unwrap();
    seen(&world, text).await;
    let stored = requests(&world).await;
    assert_eq!(stored.len(), 1, "{stored:?}");
    let id = stored[0]["id"].as_str().unwrap();
    assert!(id.strip_prefix("r-").is_some_and(|digits| digits.len() == 16), "{id}");
    let message = world.telegram().message(FORUM, text).unwrap();
    let at = jiff::Timestamp::from_second(message.date).unwrap().strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string();
    let expected = json!({
        "id": id, "from": {"kind": "owner", "id": "telegram:4242", "via": "telegram"}, "title": "Build this parser",
        "text": "Build this parser\n\nIn Rust, please. ", "tags": [], "deadline": null, "issue": null, "about": null, "at": at,
        "state": "open",
    });
    assert_eq!(stored[0], expected);
    let found = world.agent().get(&format!("/v1/requests/{id}")).await.with(200);
    assert_eq!((&found["text"], &found["replies"]), (&expected["text"], &json!([])));
    assert!(world.telegram().calls_of("sendMessage").is_empty(), "nothing is said");
}

#[tokio::test]
async fn a_text_in_the_topic_of_an_ended_question_is_a_request_about_it_and_gets_eyes_alone() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    let text = world.telegram().write_in_topic(shown.thread, "Or rather on Monday").unwrap();
    seen(&world, text).await;
    let stored = requests(&world).await;
    assert_eq!((stored.len(), &stored[0]["about"], &stored[0]["text"]), (1, &json!("rel-1"), &json!("Or rather on Monday")));
    assert_eq!(world.replies(shown).len(), 0);
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_text_while_an_answer_is_being_saved_is_a_request_about_the_question() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let held = world.hold_writing();
    world.telegram().press(shown.message, "No").unwrap();
    world.in_state("rel-1", "answering").await;
    let text = world.telegram().write_in_topic(shown.thread, "And tell the others").unwrap();
    seen(&world, text).await;
    let reply = world.reply_to(FORUM, text).await;
    assert!(reply.words().contains("another one to this question is being saved"), "{}", reply.words());
    assert_eq!(requests(&world).await[0]["about"], "rel-1");
    assert_eq!(world.record("rel-1").await["state"], "answering");
    drop(held);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_text_in_a_topic_that_the_owner_made_is_a_request() {
    let world = World::with_telegram().await;
    let thread = world.telegram().open_topic("Ideas");
    let text = world.telegram().write_in_topic(thread, "A dark page").unwrap();
    seen(&world, text).await;
    let general = world.telegram().write(Written::text("And a light one").replying_to(text)).unwrap();
    seen(&world, general).await;
    let about: Vec<Value> = requests(&world).await.iter().map(|request| request["about"].clone()).collect();
    assert_eq!(about, [Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_long_first_line_is_cut_in_the_title_and_whole_in_the_text() {
    let world = World::with_telegram().await;
    let line = "ü".repeat(4096);
    let text = world.telegram().write_in_general(&line).unwrap();
    seen(&world, text).await;
    let request = requests(&world).await.remove(0);
    assert_eq!((&request["title"], &request["text"]), (&json!(format!("{}…", "ü".repeat(199))), &json!(line)));
}

#[tokio::test]
async fn what_is_not_an_owners_own_text_is_no_request() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let forwarded =
        json!({"forward_origin": {"type": "user", "date": 1, "sender_user": {"id": 7, "is_bot": false, "first_name": "F"}}});
    for written in [
        Written::text("forwarded").with(forwarded),
        Written::text("by way of a bot").with(json!({"via_bot": {"id": 8, "is_bot": true, "first_name": "B"}})),
        Written::text("by a stranger").by(STRANGER),
        Written::text("as the group").with(json!({"sender_chat": {"id": FORUM, "type": "supergroup", "title": "Pager test"}})),
        Written::text("/help"),
        Written::text("/cancel"),
        Written::text(" \u{200b}\n"),
        media::photo(),
        media::voice(),
    ] {
        world.telegram().write(written).unwrap();
    }
    world.telegram().add_private_chat(OWNER);
    world.telegram().write(Written::text("in another chat").in_chat(OWNER)).unwrap();
    assert_eq!(titles_by_now(&world, shown).await, [""; 0]);
    assert!(world.telegram().calls_of("setMessageReaction").is_empty());
}

#[tokio::test]
async fn a_caption_in_general_is_a_request_and_an_album_makes_one() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    for part in media::album(3, "These three") {
        world.telegram().write(part).unwrap();
    }
    assert_eq!(titles_by_now(&world, shown).await, ["These three"]);
}

#[tokio::test]
async fn an_edit_of_a_request_asks_nothing_a_second_time() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let text = world.telegram().write_in_general("Biuld this").unwrap();
    seen(&world, text).await;
    // Telegram also reports edits that changed nothing, such as this reaction of the bot.
    world.telegram().edit(FORUM, text, "Biuld this").unwrap();
    world.telegram().edit(FORUM, text, "Build this").unwrap();
    assert_eq!(titles_by_now(&world, shown).await, ["Biuld this"]);
}

#[tokio::test]
async fn an_edit_is_a_request_when_no_earlier_version_counted() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let blank = world.telegram().write_in_general("\u{3164}").unwrap();
    world.telegram().edit(FORUM, blank, "Build this").unwrap();
    seen(&world, blank).await;
    // Too long for an answer, and short enough once the question has one.
    let long = world.telegram().write_in_topic(shown.thread, &"x".repeat(1001)).unwrap();
    world.reply(shown).await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    world.telegram().edit(FORUM, long, "Not before Monday").unwrap();
    seen(&world, long).await;
    let stored = requests(&world).await;
    let told: Vec<_> = stored.iter().map(|request| (request["title"].as_str().unwrap(), &request["about"])).collect();
    assert_eq!(told.len(), 2);
    assert!(told.contains(&("Build this", &Value::Null)) && told.contains(&("Not before Monday", &json!("rel-1"))), "{told:?}");
}

#[tokio::test]
async fn an_edit_of_an_answer_is_no_request() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let other = world.asks_and_shows("rel-2").await;
    let text = world.telegram().write_in_topic(shown.thread, "Blue").unwrap();
    world.closed(shown).await;
    world.telegram().edit(FORUM, text, "Red").unwrap();
    assert_eq!(titles_by_now(&world, other).await, [""; 0]);
    assert_eq!(world.telegram().message(FORUM, text).unwrap().reactions, ["👍"]);
}

#[tokio::test]
async fn a_repeated_update_makes_one_request() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let text = world.telegram().write_in_general("Build this").unwrap();
    seen(&world, text).await;
    for _ in 0..2 {
        for update in world.telegram().all_updates() {
            world.telegram().replay(update["update_id"].as_i64().unwrap()).unwrap();
        }
        assert_eq!(titles_by_now(&world, shown).await, ["Build this"]);
        world.restart().await;
    }
    assert_eq!(world.telegram().calls_of("setMessageReaction").len(), 1);
}

#[tokio::test]
async fn a_refused_reaction_keeps_the_request_and_holds_nothing_up() {
    let world = World::with_telegram().await;
    world.telegram().set_reactions(FORUM, Some(&["🔥"]));
    world.telegram().write_in_general("Build this").unwrap();
    until("it is stored", async || (requests(&world).await.len() == 1).then_some(())).await;
    world.asks_and_shows("rel-1").await;
    assert_eq!(world.telegram().calls_of("setMessageReaction").len(), 1);
    assert_eq!(world.nobody().get("/readyz").await.with(200)["status"], "ready");
}

#[tokio::test]
async fn a_reaction_that_broke_off_is_tried_again() {
    let world = World::with_telegram().await;
    for fault in [Fault::ResetBefore, Fault::flood(1)] {
        world.telegram().fault("setMessageReaction", fault);
        let text = world.telegram().write_in_general("Build this").unwrap();
        seen(&world, text).await;
    }
    assert_eq!(requests(&world).await.len(), 2);
}

#[tokio::test]
async fn a_question_can_still_be_answered_while_a_request_is_marked() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_general("Build this").unwrap();
    world.telegram().write_in_topic(shown.thread, "After lunch").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "After lunch");
    assert_eq!(requests(&world).await.len(), 1);
}

#[tokio::test]
async fn requests_are_listed_newest_first_in_pages_for_owners_and_agents() {
    let world = World::with_telegram().await;
    for number in 0..5 {
        let text = world.telegram().write_in_general(&format!("Request {number}")).unwrap();
        seen(&world, text).await;
    }
    let titles = |page: &Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|request| request["title"].as_str().unwrap().to_owned()).collect()
    };
    let first = world.agent().get("/v1/requests?limit=3").await.with(200);
    assert_eq!(titles(&first), ["Request 4", "Request 3", "Request 2"]);
    let next = format!("/v1/requests?limit=3&cursor={}", first["next"].as_str().unwrap());
    let second = world.owner().get(&next).await.with(200);
    assert_eq!((titles(&second), &second["next"]), (vec!["Request 1".to_owned(), "Request 0".to_owned()], &Value::Null));
}

#[tokio::test]
async fn requests_are_for_callers_with_a_token() {
    let world = World::start().await;
    assert_eq!(world.owner().get("/v1/requests").await.with(200), json!({"items": [], "next": null}));
    for path in ["/v1/requests", "/v1/requests/r-0000000000000000"] {
        world.nobody().get(path).await.problem(401, "unauthenticated");
    }
    for id in ["r-0000000000000000", "x", "..%2f..", "'"] {
        world.agent().get(&format!("/v1/requests/{id}")).await.problem(404, "not_found");
    }
    for (query, field) in [("limit=0", "limit"), ("cursor=x", "cursor"), ("state=x", "state")] {
        let problem = world.agent().get(&format!("/v1/requests?{query}")).await.problem(422, "invalid");
        assert_eq!(problem["field"], field);
    }
}
