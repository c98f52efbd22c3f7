//! What people's messages look like to the bot.

use serde_json::{Value, json};

use super::super::{BOT, ChatKind, FORUM, OWNER, STRANGER, Standing, Written, media};
use super::Check;

fn newest(check: &Check) -> Value {
    check.telegram.waiting_updates().pop().unwrap()
}

#[tokio::test]
async fn a_text_in_a_topic_replies_to_its_first_message_by_itself() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    check.telegram.write_in_topic(thread, "Blue").unwrap();
    let message = newest(&check)["message"].clone();
    assert_eq!(message["message_thread_id"], thread);
    assert_eq!(message["is_topic_message"], true);
    assert_eq!(message["reply_to_message"]["message_id"], thread);
    assert!(message["reply_to_message"].get("forum_topic_created").is_some());
    assert_eq!(message["from"]["first_name"], "Olga");
}

#[tokio::test]
async fn general_has_no_thread_and_a_reply_there_one_that_means_nothing() {
    let check = Check::start().await;
    let first = check.telegram.write_in_general("Hello").unwrap();
    let message = newest(&check)["message"].clone();
    for field in ["message_thread_id", "is_topic_message", "reply_to_message"] {
        assert!(message.get(field).is_none(), "{field}");
    }
    check.telegram.write(Written::text("Hi").replying_to(first)).unwrap();
    let message = newest(&check)["message"].clone();
    assert_eq!(message["message_thread_id"], first);
    assert!(message.get("is_topic_message").is_none());
}

#[tokio::test]
async fn media_albums_and_disguises_look_as_they_do() {
    let check = Check::start().await;
    let field = |written: Written, field: &str| {
        check.telegram.write(written).unwrap();
        newest(&check)["message"][field].clone()
    };
    assert!(field(media::photo().captioned("Blue"), "photo").is_array());
    assert_eq!(newest(&check)["message"]["caption"], "Blue");
    assert!(field(media::voice(), "voice").is_object());
    assert!(field(media::forwarded("Red"), "forward_origin").is_object());
    assert_eq!(field(media::by_anonymous_admin("Red"), "from")["id"], 1_087_968_824);
    assert_eq!(newest(&check)["message"]["sender_chat"]["id"], FORUM);
    assert_eq!(field(media::by_channel("Red"), "from")["id"], 136_817_688);
    assert_eq!(field(media::by_bot("Red"), "from")["is_bot"], true);
    assert!(field(media::by_nobody("Red"), "from").is_null());
    assert_eq!(field(Written::text("Red").by(STRANGER), "from")["id"], STRANGER);
    for part in media::album(3, "Three") {
        check.telegram.write(part).unwrap();
    }
    let updates = check.telegram.waiting_updates();
    let groups = updates.iter().filter(|it| it["message"].get("media_group_id").is_some());
    assert_eq!(groups.count(), 3);
}

#[tokio::test]
async fn a_long_text_is_split_as_clients_do() {
    let check = Check::start().await;
    let long = Written::text("x".repeat(5000));
    assert!(check.telegram.write(long.clone()).is_err());
    let parts = check.telegram.write_long(long).unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(check.telegram.message(FORUM, parts[1]).unwrap().words().len(), 904);
}

#[tokio::test]
async fn an_edit_comes_as_an_edited_message() {
    let check = Check::start().await;
    let id = check.telegram.write_in_general("Hello").unwrap();
    check.telegram.edit(FORUM, id, "/help me").unwrap();
    let update = newest(&check);
    assert_eq!(update["edited_message"]["text"], "/help me");
    assert_eq!(update["edited_message"]["entities"][0]["type"], "bot_command");
    assert!(update["edited_message"]["edit_date"].is_i64());
}

#[tokio::test]
async fn privacy_mode_hides_texts_from_a_bot_that_is_no_administrator() {
    let check = Check::start().await;
    check.telegram.set_standing(FORUM, BOT, Standing::Member, OWNER);
    let count = || check.telegram.waiting_updates().len();
    let before = count();
    check.telegram.write_in_general("unheard").unwrap();
    check.telegram.write_in_general("/open@other_bot").unwrap();
    assert_eq!(count(), before);
    check.telegram.write_in_general("/open@pager_test_bot").unwrap();
    let own = check.question().await;
    check.telegram.write(Written::text("heard").replying_to(own)).unwrap();
    assert_eq!(count(), before + 2);
    check.telegram.set_privacy_mode(false);
    check.telegram.write_in_general("heard").unwrap();
    assert_eq!(count(), before + 3);
}

#[tokio::test]
async fn other_chats_and_closed_or_missing_topics() {
    let check = Check::start().await;
    check.telegram.add_chat(-1_003_000_000_001, ChatKind::Channel, "News");
    check.telegram.post_in_channel(-1_003_000_000_001, "Post").unwrap();
    let update = newest(&check);
    assert_eq!(update["channel_post"]["text"], "Post");
    let thread = check.topic("Topic").await;
    check.telegram.close_topic(thread, true).unwrap();
    let text = Written::text("Hello").in_topic(thread);
    assert!(check.telegram.write(text.clone().by(STRANGER)).is_err());
    check.telegram.write(text.clone()).unwrap();
    check.telegram.delete_topic(thread);
    assert!(check.telegram.write(text).is_err());
    assert!(check.telegram.write(Written::text("Hello").in_chat(7)).is_err());
}

#[tokio::test]
async fn a_second_bot_has_updates_of_its_own() {
    let check = Check::start().await;
    let other = check.telegram.add_bot("200:other-token", "other_pager_bot");
    check.telegram.set_standing(FORUM, other, Standing::administrator(), OWNER);
    check.telegram.write_in_general("Hello").unwrap();
    let url = format!("{}/bot200:other-token/getUpdates", check.telegram.base_url());
    let reply: Value = check.client.post(url).json(&json!({})).send().await.unwrap().json().await.unwrap();
    let updates = reply["result"].as_array().unwrap();
    assert_eq!(updates.last().unwrap()["message"]["text"], "Hello");
    check.telegram.revoke("200:other-token");
    assert_eq!(check.telegram.waiting_updates().len(), 1);
}
