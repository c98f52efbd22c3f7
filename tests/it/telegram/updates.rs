//! News in Telegram: a topic for each source, a message for each update, buttons, and everything that may go wrong.

use pager_tests::fake_telegram::{BOT, ChatKind, FORUM, Fault, Message, OWNER, STRANGER};
use serde_json::{Value, json};

use crate::world::{PLAIN, World, until};

async fn publish(world: &World, body: Value) -> String {
    let update = world.agent().post("/v1/updates", &body).await.with(201);
    update["id"].as_str().unwrap().to_owned()
}

async fn news(world: &World, title: &str) -> String {
    publish(world, json!({"title": title, "body": "In short."})).await
}

/// The message of an update, once it is there.
async fn shown(world: &World, title: &str) -> Message {
    world.message_in(FORUM, &format!("{title}\n\n")).await
}

async fn published(world: &World, title: &str) -> (String, Message) {
    (news(world, title).await, shown(world, title).await)
}

/// The message once it looks like this.
async fn looks(world: &World, message: &Message, what: &str, fits: impl Fn(&Message) -> bool) -> Message {
    looks_in(FORUM, world, message, what, fits).await
}

async fn looks_in(chat: i64, world: &World, message: &Message, what: &str, fits: impl Fn(&Message) -> bool) -> Message {
    until(what, async || world.telegram().message(chat, message.id).filter(&fits)).await
}

/// What a button of this message sends.
fn data(message: &Message) -> Vec<String> {
    message.buttons().filter_map(|button| button.callback_data.clone()).collect()
}

fn refusal(code: u16, description: &str) -> Fault {
    Fault::Status { code, description: description.to_owned(), retry_after: None }
}

async fn state(world: &World, id: &str, state: &str) -> Value {
    let owner = world.owner();
    until(&format!("the update is {state}"), async || {
        let update = owner.get(&format!("/v1/updates/{id}")).await.with(200);
        (update["state"] == state).then_some(update)
    })
    .await
}

/// How many messages of the bot have this title.
fn copies(world: &World, title: &str) -> usize {
    let messages = world.telegram().messages(FORUM);
    messages.iter().filter(|message| message.from == BOT && message.words().starts_with(&format!("{title}\n\n"))).count()
}

#[tokio::test]
async fn an_update_stands_in_the_topic_of_its_source_with_its_buttons() {
    let world = World::with_telegram().await;
    publish(
        &world,
        json!({
            "title": "Released 2.4", "body": "All checks passed.",
            "links": [{"label": "Notes", "url": "https://example.org/2.4"}],
            "media": [{"url": "https://example.org/2.4.png", "mime_type": "image/png", "alt": "The new page"}],
        }),
    )
    .await;
    let message = shown(&world, "Released 2.4").await;
    let topic = world.telegram().topic(message.thread.expect("it stands in a topic")).unwrap();
    assert_eq!((topic.name.as_str(), &topic.icon), ("Updates of tester", &world.icon("📣").await));
    assert_eq!(message.labels(), ["Read", "Dismiss"]);
    assert_eq!(message.keyboard.len(), 1, "in one row");
    assert!(data(&message).iter().all(|data| data.len() < 64 && data.starts_with("u:")));
    for part in ["All checks passed.", "Notes", "The new page", "Published by tester"] {
        assert!(message.words().contains(part), "{}", message.words());
    }
    let sent = world.telegram().calls_of("sendMessage").pop().unwrap();
    assert!(sent.parameters["parse_mode"].is_null());
    assert!(sent.parameters["link_preview_options"].to_string().contains("true"), "no preview: {:?}", sent.parameters);
    let entities = sent.parameters["entities"].to_string();
    assert!(entities.contains("bold") && entities.contains("https://example.org/2.4.png"), "{entities}");
}

#[tokio::test]
async fn a_press_on_read_takes_that_button_away_and_one_on_dismiss_both() {
    let world = World::with_telegram().await;
    let (id, message) = published(&world, "Released").await;
    let press = world.telegram().press(message.id, "Read").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    state(&world, &id, "read").await;
    looks(&world, &message, "only Dismiss is left", |message| message.labels() == ["Dismiss"]).await;
    world.telegram().press(message.id, "Dismiss").unwrap();
    let update = state(&world, &id, "dismissed").await;
    assert!(update["read_at"].is_string());
    let ended = looks(&world, &message, "no button is left", |message| message.keyboard.is_empty()).await;
    assert!(ended.words().contains("\n\nDismissed "), "{}", ended.words());
    assert!(ended.words().starts_with("Released\n\nIn short."), "{}", ended.words());
}

#[tokio::test]
async fn a_mark_over_http_shows_in_the_message() {
    let world = World::with_telegram().await;
    let (id, message) = published(&world, "Released").await;
    world.owner().post_empty(&format!("/v1/updates/{id}/read")).await.with(200);
    looks(&world, &message, "only Dismiss is left", |message| message.labels() == ["Dismiss"]).await;
    world.owner().post_empty(&format!("/v1/updates/{id}/dismiss")).await.with(200);
    looks(&world, &message, "no button is left", |message| message.keyboard.is_empty()).await;
}

#[tokio::test]
async fn two_sources_have_two_topics_and_the_updates_of_one_keep_their_order() {
    let world = World::with_telegram().await;
    let other = world.caller(&world.new_token("agent", "other").await);
    for number in 1..=4 {
        news(&world, &format!("Mine {number}")).await;
        other.post("/v1/updates", &json!({"title": format!("Other {number}"), "body": "b"})).await.with(201);
    }
    shown(&world, "Other 4").await;
    shown(&world, "Mine 4").await;
    let mut topics = world.telegram().topics();
    topics.sort_by(|one, next| one.name.cmp(&next.name));
    let names: Vec<&str> = topics.iter().map(|topic| topic.name.as_str()).collect();
    assert_eq!(names, ["Updates of other", "Updates of tester"]);
    for (topic, of) in topics.iter().zip(["Other", "Mine"]) {
        let messages = world.telegram().messages_in_topic(topic.thread);
        let titles: Vec<&str> = messages.iter().map(|message| message.words().lines().next().unwrap()).collect();
        assert_eq!(titles, (1..=4).map(|number| format!("{of} {number}")).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_text_in_the_topic_of_updates_is_a_request() {
    let world = World::with_telegram().await;
    let (id, message) = published(&world, "Released").await;
    let text = world.telegram().write_in_topic(message.thread.unwrap(), "And the documents?").unwrap();
    let is_seen = |message: &Message| message.id == text && message.reactions == ["👀"];
    world.telegram().wait_for_message("text with 👀", is_seen).await.unwrap();
    let requests = world.owner().get("/v1/requests").await.with(200);
    assert_eq!((&requests["items"][0]["text"], &requests["items"][0]["about"]), (&json!("And the documents?"), &Value::Null));
    assert_eq!(state(&world, &id, "unread").await["title"], "Released");
}

#[tokio::test]
async fn a_press_of_anybody_else_and_a_button_that_is_not_known_do_nothing_but_end_the_spinning() {
    let world = World::with_telegram().await;
    let (id, message) = published(&world, "Released").await;
    let data = data(&message).remove(0);
    let stranger = world.telegram().press_as(FORUM, STRANGER, message.id, "Dismiss").unwrap();
    world.telegram().wait_for_callback_answer(&stranger).await.unwrap();
    for data in ["u:0000000000000000:d".to_owned(), data.replace(":r", ":x"), data.to_uppercase(), format!("{data}:0")] {
        let press = world.telegram().press_data(FORUM, OWNER, message.id, &data);
        world.telegram().wait_for_callback_answer(&press).await.unwrap();
        let told = world.telegram().callback(&press).unwrap().answer.unwrap();
        assert!(told.text.contains("not known") || told.text.contains("no question that is known"), "{data}: {}", told.text);
    }
    assert_eq!(state(&world, &id, "unread").await["dismissed_at"], Value::Null);
}

#[tokio::test]
async fn a_press_on_what_was_dismissed_says_so_and_closes_that_message_too() {
    let world = World::with_telegram().await;
    let (id, message) = published(&world, "Released").await;
    let data = data(&message).remove(0);
    world.owner().post_empty(&format!("/v1/updates/{id}/dismiss")).await.with(200);
    looks(&world, &message, "no button is left", |message| message.keyboard.is_empty()).await;
    let edits = world.telegram().calls_of("editMessageText").len();
    let press = world.telegram().press_data(FORUM, OWNER, message.id, &data);
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    let told = world.telegram().callback(&press).unwrap().answer.unwrap();
    assert!(told.text.starts_with("Dismissed before, "), "{}", told.text);
    until("it is edited once more", async || (world.telegram().calls_of("editMessageText").len() > edits).then_some(())).await;
    assert!(state(&world, &id, "dismissed").await["read_at"].is_null());
}

#[tokio::test]
async fn a_deleted_topic_is_made_anew_with_the_next_update_and_the_owner_told() {
    let world = World::with_telegram().await;
    let (_, first) = published(&world, "One").await;
    world.telegram().delete_topic(first.thread.unwrap());
    let (id, second) = published(&world, "Two").await;
    assert_ne!(second.thread, first.thread);
    let told = world.reply_to(FORUM, second.id).await;
    assert!(told.words().contains("was deleted") && told.thread == second.thread, "{}", told.words());
    world.telegram().press(second.id, "Dismiss").unwrap();
    state(&world, &id, "dismissed").await;
    let (_, third) = published(&world, "Three").await;
    assert_eq!(third.thread, second.thread);
}

#[tokio::test]
async fn an_update_whose_topic_is_deleted_a_second_time_is_given_up_and_the_next_one_comes() {
    let world = World::with_telegram().await;
    world.telegram().faults("sendMessage", refusal(400, "Bad Request: message thread not found"), 2);
    let id = news(&world, "One").await;
    until("it was tried in two topics", async || (world.telegram().calls_of("sendMessage").len() == 2).then_some(())).await;
    shown_next(&world).await;
    assert_eq!((copies(&world, "One"), copies(&world, "Two")), (0, 1));
    assert_eq!(state(&world, &id, "unread").await["title"], "One", "it can still be read elsewhere");
}

async fn shown_next(world: &World) {
    news(world, "Two").await;
    shown(world, "Two").await;
}

#[tokio::test]
async fn a_mark_on_an_update_whose_message_was_deleted_counts() {
    let world = World::with_telegram().await;
    let (id, message) = published(&world, "Released").await;
    world.telegram().delete_message(FORUM, message.id);
    world.owner().post_empty(&format!("/v1/updates/{id}/dismiss")).await.with(200);
    world.telegram().wait_for_call("editMessageText", |_| true).await.unwrap();
    shown_next(&world).await;
    assert_eq!(copies(&world, "Released"), 0, "it is not sent again");
}

#[tokio::test]
async fn a_topic_that_was_closed_is_opened() {
    let world = World::with_telegram().await;
    let (_, first) = published(&world, "One").await;
    let thread = first.thread.unwrap();
    world.telegram().close_topic(thread, true).unwrap();
    world.telegram().fault("sendMessage", refusal(400, "Bad Request: TOPIC_CLOSED"));
    let (_, second) = published(&world, "Two").await;
    assert_eq!(second.thread, Some(thread));
    assert!(!world.telegram().topic(thread).unwrap().is_closed);
}

#[tokio::test]
async fn a_message_of_which_nobody_knows_whether_it_was_sent_is_not_sent_again() {
    let world = World::with_telegram().await;
    shown_next(&world).await;
    world.telegram().fault("sendMessage", Fault::ResetAfter);
    let id = news(&world, "Perhaps").await;
    let message = shown(&world, "Perhaps").await;
    published(&world, "Three").await;
    assert_eq!(copies(&world, "Perhaps"), 1);
    // A press makes the message known.
    world.telegram().press(message.id, "Dismiss").unwrap();
    state(&world, &id, "dismissed").await;
    looks(&world, &message, "no button is left", |message| message.keyboard.is_empty()).await;
}

#[tokio::test]
async fn a_topic_of_which_nobody_knows_whether_it_was_made_is_found_by_the_bot_s_own_news() {
    let world = World::with_telegram().await;
    world.telegram().fault("createForumTopic", Fault::ResetAfter);
    let (_, message) = published(&world, "Released").await;
    assert_eq!(world.telegram().topics().len(), 1);
    assert_eq!(world.telegram().topic(message.thread.unwrap()).unwrap().name, "Updates of tester");
}

#[tokio::test]
async fn after_a_kill_an_update_is_shown_and_a_mark_shows() {
    for point in ["job.taken", "job.taken:2", "job.taken:3"] {
        let mut world = World::with_telegram().await;
        world.terminate().await;
        world.serve_to_crash(point).await;
        let id = news(&world, "Released").await;
        let is_edit = point == "job.taken:3";
        if is_edit {
            shown(&world, "Released").await;
            let _ = world.owner().try_post(&format!("/v1/updates/{id}/dismiss"), &json!({})).await;
        }
        world.until_crashed().await;
        world.serve().await;
        let message = shown(&world, "Released").await;
        if is_edit {
            looks(&world, &message, "no button is left", |message| message.keyboard.is_empty()).await;
        }
        assert_eq!((copies(&world, "Released"), world.telegram().topics().len()), (1, 1), "{point}");
    }
}

#[tokio::test]
async fn a_kill_before_the_call_that_sends_costs_the_message_and_never_brings_two() {
    let mut world = World::with_telegram().await;
    shown_next(&world).await;
    world.terminate().await;
    world.serve_to_crash("job.attempted").await;
    let id = news(&world, "Lost").await;
    world.until_crashed().await;
    world.serve().await;
    published(&world, "Three").await;
    assert_eq!(copies(&world, "Lost"), 0, "nobody knows that it was not sent");
    assert_eq!(state(&world, &id, "unread").await["title"], "Lost", "it is in every other door");
}

#[tokio::test]
async fn hostile_texts_are_shown_with_what_hides_and_any_length_is_deliverable() {
    let world = World::with_telegram().await;
    let hostile = "*b* _i_ `c` [a](http://b) <b>x</b> \u{202e}turned\u{202c} zero\u{200b}width\u{7}";
    publish(
        &world,
        json!({
            "title": format!("Hostile {hostile}"), "body": hostile,
            "links": [{"label": hostile, "url": "http://localhost/x"}, {"label": "ok", "url": "https://user:pass@example.org"}],
            "media": [{"url": "https://例え.テスト/😀", "mime_type": "image/png", "alt": hostile}],
            "source": {"run": hostile},
        }),
    )
    .await;
    let message = world.message_in(FORUM, "Hostile ").await;
    for escape in ["\\u{202e}turned", "zero\\u{200b}width\\u{7}"] {
        assert!(message.words().matches(escape).count() >= 4, "{escape}: {}", message.words());
    }
    let widest = "👍".repeat(200);
    let link = json!({"label": widest, "url": format!("http://localhost/{}", "a".repeat(1900))});
    let media = json!({"url": "https://example.org/a.png", "mime_type": "image/png", "alt": widest});
    let body = json!({"title": format!("Wide {}", "👍".repeat(195)), "body": "\u{e0041}x".repeat(1000), "links": vec![link; 8], "media": vec![media; 8]});
    publish(&world, body).await;
    let message = world.message_in(FORUM, "Wide ").await;
    assert!(message.words().contains("The page has it whole"), "{}", message.words());
    assert!(message.words().contains("Published by tester"));
}

#[tokio::test]
async fn in_a_chat_without_topics_an_update_is_a_message() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    let id = news(&world, "Released").await;
    let message = world.message_in(PLAIN, "Released\n\n").await;
    assert_eq!((message.thread, message.labels()), (None, vec!["Read", "Dismiss"]));
    world.telegram().press_as(PLAIN, OWNER, message.id, "Dismiss").unwrap();
    state(&world, &id, "dismissed").await;
    looks_in(PLAIN, &world, &message, "no button is left", |message| message.keyboard.is_empty()).await;
    assert!(world.telegram().topics().is_empty());
}

#[tokio::test]
async fn while_muted_updates_are_held_back_and_come_in_their_order() {
    let mut world = World::with_telegram().await;
    let (_, before) = published(&world, "Before").await;
    world.replied(FORUM, "/mute 2h").await;
    news(&world, "One").await;
    let gone = news(&world, "Gone").await;
    news(&world, "Two").await;
    // A mark still shows.
    world.telegram().press(before.id, "Read").unwrap();
    looks(&world, &before, "only Dismiss is left", |message| message.labels() == ["Dismiss"]).await;
    world.owner().post_empty(&format!("/v1/updates/{gone}/dismiss")).await.with(200);
    world.restart().await;
    assert!(world.replied(FORUM, "/mute").await.starts_with("No new questions but approvals, and no updates, until "));
    assert_eq!((copies(&world, "One"), copies(&world, "Two")), (0, 0));
    world.replied(FORUM, "/mute off").await;
    let (one, two) = (shown(&world, "One").await, shown(&world, "Two").await);
    assert!(one.id < two.id);
    assert_eq!(copies(&world, "Gone"), 0, "what was dismissed meanwhile needs no message");
}

#[tokio::test]
async fn a_question_goes_before_an_update_and_an_update_before_the_mark_of_a_topic() {
    let world = World::with_telegram().await;
    let question = world.asks_and_shows("rel-1").await;
    shown_next(&world).await;
    world.telegram().fault("sendMessage", Fault::flood(2));
    news(&world, "First").await;
    world.telegram().wait_for_call("sendMessage", |call| call.parameters["text"].to_string().contains("First")).await.unwrap();
    news(&world, "Second").await;
    world.asks("rel-2").await;
    world.telegram().press(question.message, "No").unwrap();
    world.in_state("rel-1", "answered").await;
    shown(&world, "Second").await;
    world.closed(question).await;
    let calls = world.telegram().calls();
    let at = |what: &str, fits: &dyn Fn(&str, &str) -> bool| {
        let found = calls.iter().rposition(|call| fits(&call.method, &call.parameters.to_string()));
        found.unwrap_or_else(|| panic!("no {what}"))
    };
    let edited = at("edit", &|method, _| method == "editmessagetext");
    let asked = at("question", &|method, text| method == "sendmessage" && text.contains("Release rel-2?"));
    let told = at("update", &|method, text| method == "sendmessage" && text.contains("Second"));
    let marked = at("mark", &|method, _| method == "editforumtopic");
    assert!(edited < asked && asked < told && told < marked, "{edited} {asked} {told} {marked}");
}

#[tokio::test]
async fn in_another_chat_what_nobody_has_read_and_was_not_shown_yet_is_sent() {
    let mut world = World::with_telegram().await;
    published(&world, "Shown before").await;
    world.replied(FORUM, "/mute 2h").await;
    news(&world, "Held back").await;
    world.replied(FORUM, "/mute off").await;
    shown(&world, "Held back").await;
    world.telegram().faults("sendMessage", Fault::flood(60), 1);
    news(&world, "Never shown").await;
    world.telegram().wait_for_call("sendMessage", |call| call.parameters["text"].to_string().contains("Never")).await.unwrap();
    world.telegram().add_chat(PLAIN, ChatKind::Supergroup, "Another");
    world.set("PAGER_TELEGRAM__CHAT_ID", &PLAIN.to_string());
    world.restart().await;
    world.message_in(PLAIN, "Never shown\n\n").await;
    let messages = world.telegram().messages(PLAIN);
    assert!(!messages.iter().any(|message| message.words().contains("Shown before") || message.words().contains("Held back")));
}
