//! Threads of requests in Telegram: a topic from the first reply on, texts in it, offers, late picks, and everything that may go wrong.

use pager_tests::fake_telegram::{BOT, ChatKind, FORUM, Fault, Message, OWNER};
use serde_json::{Value, json};

use super::unstored::store;
use crate::hub::{Hub, pager};
use crate::world::{PLAIN, World, until};

/// What the story of a reply passes, in the order in which it does.
pub const POINTS: [&str; 1] = ["thread.called"];

/// The id of the newest request, once its text is this.
async fn asked(world: &World, text: &str) -> String {
    until(&format!("the request {text:?} is stored"), async || {
        let requests = world.owner().get("/v1/requests").await.with(200);
        let newest = &requests["items"][0];
        (newest["text"] == text).then(|| newest["id"].as_str().unwrap().to_owned())
    })
    .await
}

/// The owner writes it in General; the text's message and the request's id.
async fn writes(world: &World, text: &str) -> (i64, String) {
    let message = world.telegram().write_in_general(text).unwrap();
    (message, asked(world, text).await)
}

pub(super) async fn reply(world: &World, request: &str, title: &str, text: &str) {
    let body = json!({"title": title, "text": text});
    world.agent().post(&format!("/v1/requests/{request}/replies"), &body).await.with(201);
}

/// The bot's message with these words, once it is there.
pub(super) async fn shown(world: &World, chat: i64, words: &str) -> Message {
    until(&format!("the bot says {words:?}"), async || {
        let messages = world.telegram().messages(chat).into_iter();
        messages.filter(|message| message.from == BOT).find(|message| message.words().contains(words))
    })
    .await
}

pub(super) fn copies(world: &World, words: &str) -> usize {
    let messages = world.telegram().messages(FORUM);
    messages.iter().filter(|message| message.from == BOT && message.words().contains(words)).count()
}

async fn seen(world: &World, text: i64) {
    let is_seen = |message: &Message| message.id == text && message.reactions == ["👀"];
    world.telegram().wait_for_message("text with 👀", is_seen).await.unwrap();
}

pub(super) async fn thread(world: &World, request: &str) -> Vec<Value> {
    let found = world.owner().get(&format!("/v1/requests/{request}")).await.with(200);
    found["replies"].as_array().unwrap().clone()
}

fn refusal(description: &str) -> Fault {
    Fault::Status { code: 400, description: description.to_owned(), retry_after: None }
}

/// A request with a reply, and the reply's message.
pub(super) async fn replied(world: &World) -> (String, Message) {
    let (_, request) = writes(world, "Build this parser\nIn Rust, please.").await;
    reply(world, &request, "Half of it", "First answer").await;
    (request, shown(world, FORUM, "First answer").await)
}

#[tokio::test]
async fn the_first_reply_gives_a_request_a_topic_with_the_request_first_and_a_link_where_it_was_written() {
    let world = World::with_telegram().await;
    let (text, request) = writes(&world, "Build this parser\nIn Rust, please.").await;
    assert!(world.telegram().topics().is_empty(), "nobody has replied");
    reply(&world, &request, "Half *of* it", "Not\u{202e} tested").await;
    reply(&world, &request, "The rest", "Now tested").await;
    let last = shown(&world, FORUM, "Now tested").await;
    let topics = world.telegram().topics();
    assert_eq!(topics.len(), 1, "{topics:?}");
    assert_eq!((topics[0].name.as_str(), &topics[0].icon), ("Build this parser", &world.icon("💬").await));
    let messages: Vec<String> =
        world.telegram().messages_in_topic(topics[0].thread).iter().map(|message| message.words().to_owned()).collect();
    let [first, second, third] = messages.as_slice() else { panic!("{messages:?}") };
    assert!(first.starts_with("Build this parser\nIn Rust, please.\n\nAsked by the owner (telegram:4242)\n"), "{first}");
    assert!(second.starts_with("Half *of* it\n\nNot\\u{202e} tested\n\nAnswered by tester\n"), "{second}");
    assert!(third.starts_with("The rest\n\nNow tested\n\nAnswered by tester\n"), "{third}");
    assert_eq!(last.thread, Some(topics[0].thread));
    let link = world.reply_to(FORUM, text).await;
    let expected = format!("https://t.me/c/{}/{}", &FORUM.to_string()[4..], topics[0].thread);
    assert!(link.thread.is_none() && link.words().ends_with(&expected), "{}", link.words());
}

#[tokio::test]
async fn a_request_of_an_agent_has_a_topic_too_and_a_text_in_it_is_the_owner_s_answer() {
    let world = World::with_telegram().await;
    let other = world.caller(&world.new_token("agent", "builder").await);
    let body = json!({"title": "Which colour?", "text": "Of the button.", "tags": ["cap:design"]});
    let request = other.post("/v1/requests", &body).await.with(201)["id"].as_str().unwrap().to_owned();
    reply(&world, &request, "Blue", "Or green.").await;
    let message = shown(&world, FORUM, "Or green.").await;
    let first = shown(&world, FORUM, "Of the button.").await;
    assert!(
        first.words().starts_with("Which colour?\n\nOf the button.\n\nFor cap:design\nAsked by builder\n"),
        "{}",
        first.words()
    );
    let text = world.telegram().write_in_topic(message.thread.unwrap(), "Red").unwrap();
    seen(&world, text).await;
    let replies = thread(&world, &request).await;
    assert_eq!((&replies[1]["kind"], &replies[1]["text"]), (&json!("answer"), &json!("Red")));
    assert_eq!(copies(&world, "Red"), 0, "what stands there already is not said again");
}

#[tokio::test]
async fn a_text_in_the_topic_is_a_further_message_once_and_no_new_request() {
    let world = World::with_telegram().await;
    let (request, message) = replied(&world).await;
    let text = world.telegram().write_in_topic(message.thread.unwrap(), "And with tests").unwrap();
    seen(&world, text).await;
    world.telegram().edit(FORUM, text, "And with more tests").unwrap();
    world.telegram().write_in_topic(message.thread.unwrap(), "\u{3164}").unwrap();
    let next = world.telegram().write_in_topic(message.thread.unwrap(), "Thanks").unwrap();
    seen(&world, next).await;
    let replies = thread(&world, &request).await;
    let kinds: Vec<(&str, &str)> =
        replies.iter().map(|reply| (reply["kind"].as_str().unwrap(), reply["text"].as_str().unwrap())).collect();
    assert_eq!(kinds, [("answer", "First answer"), ("message", "And with tests"), ("message", "Thanks")]);
    assert_eq!(world.owner().get("/v1/requests").await.with(200)["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_further_message_goes_out_as_a_text_of_the_same_request_and_gets_eyes_then() {
    let hub = Hub::start().await;
    let (request, message) = replied(&hub.world).await;
    let text = hub.world.telegram().write_in_topic(message.thread.unwrap(), "And with tests").unwrap();
    hub.seen(text).await;
    let events = hub.github.events();
    let sent = pager(events.last().unwrap());
    assert_eq!((&sent["text"], &sent["request"]), (&json!("And with tests"), &json!(request)));
    assert_eq!((&sent["topic"], &sent["reply"]), (&json!(message.thread), &thread(&hub.world, &request).await[1]["id"]));
}

#[tokio::test]
async fn a_reply_that_is_too_long_is_in_a_document_whole() {
    let world = World::with_telegram().await;
    let (_, request) = writes(&world, "Build this").await;
    let long = "ü\u{200b}".repeat(2048);
    reply(&world, &request, "Long", &long).await;
    let message = shown(&world, FORUM, "Too long for a message.").await;
    let document = until("the document is there", async || {
        let messages = world.telegram().messages(FORUM).into_iter();
        messages.filter(|other| other.reply_to == Some(message.id)).find_map(|other| other.document)
    })
    .await;
    assert!(String::from_utf8(document.content).unwrap().ends_with(&format!("{}\n", "ü\\u{200b}".repeat(2048))));
}

#[tokio::test]
async fn an_offer_has_its_own_topic_and_the_request_s_topic_links_to_it() {
    let world = World::with_telegram().await;
    let (_, request) = writes(&world, "Build this parser").await;
    let offer = json!({"deliverable": "untested code", "missing": "a build and a test run", "why": "no compiler", "id": "off-1"});
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    let told = shown(&world, FORUM, "A partial offer by tester: untested code").await;
    let question = world.shown_to_owner("off-1").await;
    assert_ne!(told.thread, Some(question.thread));
    let link = format!("https://t.me/c/{}/{}/{}", &FORUM.to_string()[4..], question.thread, question.message);
    assert!(told.words().ends_with(&link), "{}", told.words());
    let message = world.message(question);
    assert!(message.labels()[0].contains("untested code") && message.labels()[1].contains("no thanks"), "{:?}", message.labels());
    for words in ["Missing: a build and a test run", "Why: no compiler", "Asked by tester"] {
        assert!(message.words().contains(words), "{}", message.words());
    }
}

#[tokio::test]
async fn a_deleted_topic_is_made_anew_once_and_a_closed_one_opened() {
    let world = World::with_telegram().await;
    let (request, first) = replied(&world).await;
    world.telegram().delete_topic(first.thread.unwrap());
    reply(&world, &request, "Two", "Second answer").await;
    let second = shown(&world, FORUM, "Second answer").await;
    assert_ne!(second.thread, first.thread);
    let told = world.reply_to(FORUM, second.id).await;
    assert!(told.words().contains("was deleted"), "{}", told.words());
    world.telegram().close_topic(second.thread.unwrap(), true).unwrap();
    world.telegram().fault("sendMessage", refusal("Bad Request: TOPIC_CLOSED"));
    reply(&world, &request, "Three", "Third answer").await;
    assert_eq!(shown(&world, FORUM, "Third answer").await.thread, second.thread);
    world.telegram().faults("sendMessage", refusal("Bad Request: message thread not found"), 2);
    reply(&world, &request, "Four", "Fourth answer").await;
    reply(&world, &request, "Five", "Fifth answer").await;
    shown(&world, FORUM, "Fifth answer").await;
    assert_eq!(copies(&world, "Fourth answer"), 0, "given up after the second time");
}

#[tokio::test]
async fn a_topic_of_which_nobody_knows_whether_it_was_made_is_found_and_a_message_comes_at_most_twice() {
    let world = World::with_telegram().await;
    let (_, request) = writes(&world, "Build this parser").await;
    world.telegram().fault("createForumTopic", Fault::ResetAfter);
    world.telegram().fault_where("sendMessage", "Perhaps", Fault::ResetAfter);
    reply(&world, &request, "One", "Perhaps").await;
    reply(&world, &request, "Two", "Certainly").await;
    shown(&world, FORUM, "Certainly").await;
    assert_eq!(world.telegram().topics().len(), 1);
    assert_eq!((copies(&world, "Perhaps"), copies(&world, "Certainly")), (2, 1));
}

#[tokio::test]
async fn a_reply_survives_a_kill_at_every_step() {
    for point in ["job.taken", "job.attempted:3", "thread.called:1", "thread.called:2", "thread.called:3"] {
        let mut world = World::with_telegram().await;
        let (text, request) = writes(&world, "Build this parser").await;
        seen(&world, text).await;
        world.terminate().await;
        world.serve_to_crash(point).await;
        let body = json!({"title": "One", "text": "First answer"});
        let _ = world.agent().try_post(&format!("/v1/requests/{request}/replies"), &body).await;
        world.until_crashed().await;
        world.serve().await;
        shown(&world, FORUM, "First answer").await;
        assert_eq!(world.telegram().topics().len(), 1, "{point}");
        let most = if point == "thread.called:3" { 2 } else { 1 };
        assert!(copies(&world, "First answer") <= most, "{point}");
    }
}

#[tokio::test]
async fn in_a_chat_without_topics_a_reply_replies_to_the_text_and_names_the_request() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.telegram().set_privacy_mode(false);
    let text = world.says(PLAIN, "Build this parser");
    let request = asked(&world, "Build this parser").await;
    reply(&world, &request, "Half of it", "First answer").await;
    let message = shown(&world, PLAIN, "First answer").await;
    assert_eq!((message.reply_to, message.thread), (Some(text), None));
    assert!(message.words().starts_with(&format!("To ‘Build this parser’ ({request})\n\nHalf of it\n\n")), "{}", message.words());
    assert!(world.telegram().calls_of("createForumTopic").is_empty());
}

#[tokio::test]
async fn when_the_topics_were_switched_off_replies_stand_in_the_chat_itself() {
    let world = World::with_telegram().await;
    let (text, request) = writes(&world, "Build this parser").await;
    world.telegram().set_topics(FORUM, false);
    reply(&world, &request, "Half of it", "First answer").await;
    let message = shown(&world, FORUM, "First answer").await;
    assert_eq!((message.reply_to, message.thread), (Some(text), None));
}

#[tokio::test]
async fn in_a_private_chat_with_topics_the_text_is_told_the_topic_s_name() {
    let world = World::in_chat(OWNER, ChatKind::Private, true).await;
    let text = world.says(OWNER, "Build this parser");
    let request = asked(&world, "Build this parser").await;
    reply(&world, &request, "Half of it", "First answer").await;
    assert!(shown(&world, OWNER, "First answer").await.thread.is_some());
    let link = world.reply_to(OWNER, text).await;
    assert!(link.words().contains("in the topic ‘Build this parser’"), "{}", link.words());
}

#[tokio::test]
async fn status_says_how_many_wait_and_of_each_unanswered_request_its_notice() {
    let world = World::with_telegram_and(&[("PAGER_UNANSWERED_AFTER", "1s")]).await;
    let (_, request) = writes(&world, "Build this parser").await;
    let offer = json!({"deliverable": "untested code", "missing": "a test", "why": "no compiler", "id": "off-1"});
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    world.shown_to_owner("off-1").await;
    until("it counts as unanswered", async || {
        let status = world.owner().get("/v1/status").await.with(200);
        (status["unanswered"].as_array().unwrap().len() == 1).then_some(())
    })
    .await;
    let command = world.telegram().write_in_general("/status").unwrap();
    let told = world.reply_to(FORUM, command).await;
    let notice = "your ask 'Build this parser': 0 answers after 0 min · 1 clarify offering untested code";
    assert_eq!(told.words(), format!("1 question waits.\n\n{notice}"));
}

#[tokio::test]
async fn status_has_its_own_words_when_there_is_nothing_also_in_a_flat_chat() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    let told = world.replied(PLAIN, "/status").await;
    assert_eq!(told, "Nothing waits for you, and nothing that you asked is unanswered.");
}

/// An offer to the owner whose default holds; its message.
async fn defaulted(world: &World, request: &str) -> Message {
    let offer = json!({
        "deliverable": "untested code", "missing": "a test", "why": "no compiler", "id": "off-1", "deadline": soon(), "wake": "nightly",
    });
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    let question = world.shown_to_owner("off-1").await;
    until("its default holds", async || {
        let message = world.message(question);
        (message.keyboard.is_empty() && message.words().contains("goes on with its default: untested code")).then_some(message)
    })
    .await
}

fn soon() -> String {
    (jiff::Timestamp::now() + std::time::Duration::from_secs(8)).to_string()
}

#[tokio::test]
async fn a_late_pick_is_kept_and_told_and_wakes_the_helper_once_and_a_late_text_is_no_new_request() {
    let mut hub = Hub::prepare().await;
    hub.world.set("PAGER_DEADLINE__MIN", "1s");
    hub.world.serve().await;
    let world = &hub.world;
    let (_, request) = writes(world, "Build this parser").await;
    let message = defaulted(world, &request).await;
    let incarnation = world.record("off-1").await["incarnation"].as_str().unwrap().to_owned();
    let press = world.telegram().press_data(FORUM, OWNER, message.id, &format!("a:{incarnation}:1"));
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    let told = world.telegram().callback(&press).unwrap().answer.unwrap();
    assert!(
        told.text.starts_with("Kept as a late pick. Nobody answered by ") && told.text.ends_with("default: untested code"),
        "{}",
        told.text
    );
    let shown_pick = shown(world, FORUM, "Picked too late by").await;
    assert!(shown_pick.words().starts_with("no thanks\n\n"), "{}", shown_pick.words());
    let again = world.telegram().press_data(FORUM, OWNER, message.id, &format!("a:{incarnation}:0"));
    world.telegram().wait_for_callback_answer(&again).await.unwrap();
    let told = world.telegram().callback(&again).unwrap().answer.unwrap();
    assert!(told.text.starts_with("Somebody picked late before. Nobody answered by "), "{}", told.text);
    let text = world.telegram().write_in_topic(message.thread.unwrap(), "Better in C").unwrap();
    hub.seen(text).await;
    let told = world.reply_to(FORUM, text).await;
    assert!(told.words().contains("goes on with its default: untested code\nSomebody picked late before"), "{}", told.words());
    let replies = thread(world, &request).await;
    let kinds: Vec<(&str, &str)> =
        replies.iter().map(|reply| (reply["kind"].as_str().unwrap(), reply["text"].as_str().unwrap())).collect();
    assert_eq!(kinds, [("late_pick", "no thanks"), ("message", "Better in C")]);
    let ids: Vec<&str> = replies.iter().map(|reply| reply["id"].as_str().unwrap()).collect();
    assert_eq!(told_of_replies(world).await, ids);
    let events = hub.github.events();
    let sent = events.iter().map(pager).find(|sent| sent["text"] == "Better in C").unwrap();
    assert_eq!((&sent["about"], &sent["request"]), (&json!("off-1"), &json!(request)));
    let late = events.iter().filter(|event| pager(event)["reason"] == "late_pick").count();
    assert_eq!(late, 1);
    assert_eq!(hub.requests().await.len(), 1);
}

/// The replies that whoever listens was told of.
async fn told_of_replies(world: &World) -> Vec<String> {
    let told = sqlx::query_scalar("SELECT about FROM happenings WHERE kind = 'request.replied' ORDER BY number");
    told.fetch_all(&mut store(world).await).await.unwrap()
}

#[tokio::test]
async fn a_text_alone_is_a_late_pick_too() {
    let mut hub = Hub::prepare().await;
    hub.world.set("PAGER_DEADLINE__MIN", "1s");
    hub.world.serve().await;
    let (_, request) = writes(&hub.world, "Build this parser").await;
    let message = defaulted(&hub.world, &request).await;
    let text = hub.world.telegram().write_in_topic(message.thread.unwrap(), "Better in C").unwrap();
    hub.seen(text).await;
    let told = hub.world.reply_to(FORUM, text).await;
    assert!(told.words().ends_with("Your text is kept as a late pick, and tester is told."), "{}", told.words());
    let replies = thread(&hub.world, &request).await;
    assert_eq!((&replies[0]["kind"], &replies[0]["offer"], replies.len()), (&json!("late_pick"), &json!("off-1"), 1));
    assert_eq!(hub.requests().await.len(), 1);
}

#[tokio::test]
async fn in_a_chat_without_topics_a_late_answer_by_key_is_a_late_pick() {
    let mut world = World::prepared_in(PLAIN, ChatKind::Supergroup, false, &[("PAGER_DEADLINE__MIN", "1s")]).await;
    world.serve().await;
    world.telegram().set_privacy_mode(false);
    world.says(PLAIN, "Build this parser");
    let request = asked(&world, "Build this parser").await;
    let offer =
        json!({"deliverable": "untested code", "missing": "a test", "why": "no compiler", "id": "off-1", "deadline": soon()});
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    let key = World::key_in(&shown(&world, PLAIN, "/answer").await);
    world.ended_in(PLAIN, "goes on with its default: untested code").await;
    let told = world.replied(PLAIN, &format!("/answer {key} Better in C")).await;
    assert!(told.ends_with("Your text is kept as a late pick, and tester is told."), "{told}");
    let replies = thread(&world, &request).await;
    assert_eq!((&replies[0]["kind"], &replies[0]["text"]), (&json!("late_pick"), &json!("Better in C")));
}
