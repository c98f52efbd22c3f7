//! Chats without topics: a question is a message with buttons, and own words come by `/answer` with its key.

use pager_tests::fake_telegram::{BOT, ChatKind, FORUM, Fault, OWNER, Standing, Written};
use serde_json::{Value, json};

use crate::world::{GROUP, PLAIN, World, until};

#[tokio::test]
async fn a_question_in_a_group_without_topics_is_one_message_with_buttons_and_its_key() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    let asked = world.asks("rel-1").await;
    let record = world.delivered("rel-1", "shown").await;
    let message = world.message_in(PLAIN, "Release rel-1?").await;
    assert_eq!(message.labels(), ["Yes, release", "No"]);
    assert!(asked["incarnation"].as_str().unwrap().starts_with(&World::key_in(&message)), "{}", message.words());
    assert_eq!(record["delivery"]["link"], format!("https://t.me/c/1000000777/{}", message.id));
    assert!(world.telegram().calls_of("createForumTopic").is_empty());

    world.telegram().press_as(PLAIN, OWNER, message.id, "No").unwrap();
    let ended = world.ended_in(PLAIN, "You answered: No").await;
    assert_eq!(ended.id, message.id);
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
    assert!(world.telegram().calls_of("editForumTopic").is_empty(), "there is no topic to put a mark on");
}

#[tokio::test]
async fn a_basic_group_and_a_private_chat_work_the_same_without_a_link_of_telegram_s() {
    for (chat, kind) in [(GROUP, ChatKind::Group), (OWNER, ChatKind::Private)] {
        let world = World::in_chat(chat, kind, false).await;
        world.asks("rel-1").await;
        let record = world.delivered("rel-1", "shown").await;
        let link = record["delivery"]["link"].as_str().unwrap();
        assert!(link.starts_with(&world.address.url()), "the page's link stays: {link}");
        let message = world.message_in(chat, "Release rel-1?").await;
        let said = world.says(chat, &format!("/answer {} Only after lunch", World::key_in(&message)));
        world.ended_in(chat, "You answered: Only after lunch").await;
        assert_eq!(world.saved_answer("rel-1").await["outcome"], "own_words");
        let thumbed = async || world.telegram().message(chat, said).filter(|message| message.reactions == ["👍"]);
        until("the command has 👍", thumbed).await;
    }
}

#[tokio::test]
async fn a_plain_text_is_never_an_answer_also_not_as_a_reply() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.telegram().set_privacy_mode(false);
    world.asks_for_words("port").await;
    let message = world.message_in(PLAIN, "Which port").await;
    world.says(PLAIN, "8080");
    world.telegram().write(Written::text("8080").in_chat(PLAIN).replying_to(message.id)).unwrap();
    world.replied(PLAIN, "/open").await;
    assert_eq!(world.record("port").await["state"], "open");
    world.says(PLAIN, &format!("/answer@pager_test_bot {} 8080\nand 8081", World::key_in(&message)));
    assert_eq!(world.in_state("port", "answered").await["answer"]["answer"], "8080\nand 8081");
}

#[tokio::test]
async fn decline_and_cancel_take_the_key() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    for (id, command, state, words) in
        [("rel-1", "decline", "declined", "Declined: the agent"), ("rel-2", "cancel", "cancelled", "Cancelled by")]
    {
        world.asks(id).await;
        let message = world.message_in(PLAIN, &format!("Release {id}?")).await;
        world.says(PLAIN, &format!("/{command} {}", World::key_in(&message).to_uppercase()));
        world.in_state(id, state).await;
        world.ended_in(PLAIN, words).await;
    }
}

#[tokio::test]
async fn what_names_no_open_question_is_told_in_a_reply_and_changes_nothing() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.asks("rel-1").await;
    let key = World::key_in(&world.message_in(PLAIN, "Release rel-1?").await);
    let check = async |text: &str, words: &str| {
        let reply = world.replied(PLAIN, text).await;
        assert!(reply.contains(words), "{text}: {reply}");
    };
    check("/answer", "Write the key").await;
    check(&format!("/answer {key}"), "Write the key").await;
    check("/answer 000000 yes", "No question has the key 000000").await;
    check("/answer yes please", "No question has the key yes").await;
    check("/decline", "Which question?").await;
    check("/cancel zzz", "No question has the key zzz").await;
    check(&format!("/answer {key} \u{200b}\u{3164}"), "nothing to see").await;
    check(&format!("/answer {key} {}", "x".repeat(1001)), "1001").await;
    assert_eq!(world.record("rel-1").await["state"], "open");

    world.telegram().age(3);
    world.says(PLAIN, &format!("/answer {key} yes"));
    world.in_state("rel-1", "answered").await;
    check(&format!("/answer {key} no"), "You answered: yes").await;
    check(&format!("/cancel {key}"), "no longer open").await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "yes");
}

#[tokio::test]
async fn an_edit_that_telegram_only_reports_says_nothing_again_and_one_that_differs_counts() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.asks("rel-1").await;
    let key = World::key_in(&world.message_in(PLAIN, "Release rel-1?").await);
    let wrong = world.says(PLAIN, "/answer 000000 yes");
    world.reply_to(PLAIN, wrong).await;
    world.telegram().edit(PLAIN, wrong, "/answer 000000 yes").unwrap();
    world.telegram().edit(PLAIN, wrong, &format!("/answer {key} yes")).unwrap();
    world.in_state("rel-1", "answered").await;
    world.telegram().edit(PLAIN, wrong, &format!("/answer {key} yes")).unwrap();
    world.replied(PLAIN, "/open").await;
    let replies = world.telegram().messages(PLAIN).into_iter().filter(|message| message.reply_to == Some(wrong)).count();
    assert_eq!(replies, 1);
}

#[tokio::test]
async fn a_long_question_s_document_is_a_reply_to_it() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    let option = |letter: &str| json!({"label": letter.repeat(100), "detail": "😀".repeat(500)});
    let body = json!({"id": "long", "text": "x".repeat(999), "options": [option("a"), option("b"), option("c"), option("d")]});
    world.asks_with(body).await;
    let message = world.message_in(PLAIN, "xxx").await;
    let document = world.reply_to(PLAIN, message.id).await.document.expect("the reply is the document");
    assert!(String::from_utf8_lossy(&document.content).contains(&"d".repeat(100)));
}

#[tokio::test]
async fn an_answer_that_cannot_be_saved_is_told_in_a_reply_and_can_be_given_again() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.asks("rel-1").await;
    let message = world.message_in(PLAIN, "Release rel-1?").await;
    world.break_repository();
    let said = world.says(PLAIN, &format!("/answer {} yes", World::key_in(&message)));
    assert!(world.reply_to(PLAIN, said).await.words().contains("Could not be saved"));
    world.telegram().press_as(PLAIN, OWNER, message.id, "No").unwrap();
    let to_the_question = world.reply_to(PLAIN, message.id).await;
    assert!(to_the_question.words().contains("Could not be saved"), "{}", to_the_question.words());
    world.mend_repository();
    world.telegram().press_as(PLAIN, OWNER, message.id, "No").unwrap();
    world.ended_in(PLAIN, "You answered: No").await;
}

#[tokio::test]
async fn topics_that_were_switched_off_leave_old_questions_and_show_new_ones_flat() {
    let mut world = World::with_telegram().await;
    let old = world.asks_and_shows("rel-1").await;
    world.kill9().await;
    world.telegram().set_topics(FORUM, false);
    world.serve().await;
    world.asks("rel-2").await;
    let flat = world.message_in(FORUM, "Release rel-2?").await;
    assert_eq!(flat.thread, None);
    world.delivered("rel-2", "shown").await;
    world.says(FORUM, &format!("/answer {} yes", World::key_in(&flat)));
    world.in_state("rel-2", "answered").await;
    // The other's message is still there with its buttons, and says how it is answered now.
    world.message_in(FORUM, "/answer").await;
    let now = async || world.telegram().message(FORUM, old.message).filter(|message| message.words().contains("/answer"));
    assert_eq!(until("the old message tells", now).await.labels().len(), 2);
    world.telegram().press(old.message, "No").unwrap();
    world.ended_in(FORUM, "You answered: No").await;
    let again = world.replied(FORUM, "/open").await;
    assert_eq!(again, "Nothing waits for you.");

    world.kill9().await;
    world.telegram().set_topics(FORUM, true);
    world.serve().await;
    world.asks_and_shows("rel-3").await;
    assert_eq!(world.record("rel-2").await["state"], Value::from("answered"));
}

#[tokio::test]
async fn a_question_that_was_to_be_shown_flat_gets_a_topic_once_there_are_topics() {
    let mut world = World::prepared_in(FORUM, ChatKind::Supergroup, false, &[]).await;
    world.telegram().fault("sendMessage", Fault::flood(600));
    world.serve().await;
    world.asks("rel-1").await;
    world.telegram().wait_for_call("sendMessage", |_| true).await.unwrap();
    world.kill9().await;
    world.telegram().set_topics(FORUM, true);
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.serve().await;
    let shown = world.shown("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
}
