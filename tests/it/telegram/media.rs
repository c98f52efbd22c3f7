//! Only words count: what photos, voices, stickers and albums get instead.

use pager_tests::fake_telegram::{FORUM, Written, media};
use serde_json::json;

use super::threads::{copies, replied, thread};
use crate::world::World;

#[tokio::test]
async fn a_photo_a_voice_and_a_sticker_get_a_reply_and_decide_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let sticker = json!({"sticker": {"file_id": "s", "file_unique_id": "s", "type": "regular", "width": 1, "height": 1}});
    for (count, written) in [media::photo(), media::voice(), Written::default().with(sticker)].into_iter().enumerate() {
        world.telegram().write(written.in_topic(shown.thread)).unwrap();
        let replies = world.replies_by_now(shown).await;
        assert_eq!(replies.len(), count + 1, "{replies:?}");
        assert!(replies[count].contains("Only a text counts"), "{replies:?}");
    }
    assert_eq!(world.record("rel-1").await["state"], "open");
    assert_eq!(world.message(shown).labels().len(), 2);
}

#[tokio::test]
async fn whatever_else_can_be_sent_gets_one_reply_and_what_nobody_knows_none() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let kinds = [
        "animation",
        "audio",
        "document",
        "video",
        "video_note",
        "story",
        "poll",
        "location",
        "contact",
        "venue",
        "dice",
        "checklist",
        "paid_media",
        "rich_message",
        "game",
        "invoice",
        "giveaway",
    ];
    for kind in kinds {
        let written = Written::default().with(json!({kind: {"file_id": "f"}})).in_topic(shown.thread);
        world.telegram().write(written).unwrap();
    }
    for kind in ["of_the_future", "pinned_message", "new_chat_title", "video_chat_started"] {
        let written = Written::default().with(json!({kind: {"x": 1}})).in_topic(shown.thread);
        world.telegram().write(written).unwrap();
    }
    let replies = world.replies_by_now(shown).await;
    assert_eq!(replies.len(), kinds.len(), "{replies:?}");
    assert!(replies.iter().all(|reply| reply.contains("Only a text counts")), "{replies:?}");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_caption_counts_and_a_reply_says_that_the_picture_is_not_passed_on() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write(media::photo().captioned("Like this").in_topic(shown.thread)).unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Like this");
    let replies = world.replies_by_now(shown).await;
    assert!(replies.len() == 1 && replies[0].contains("not passed on"), "{replies:?}");
}

#[tokio::test]
async fn an_album_without_words_gets_one_reply() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    for _ in 0..3 {
        let part = media::photo().with(json!({"media_group_id": "7"})).in_topic(shown.thread);
        world.telegram().write(part).unwrap();
    }
    let replies = world.replies_by_now(shown).await;
    assert_eq!(replies.len(), 1, "{replies:?}");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn an_albums_caption_counts_and_it_gets_one_reply() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    for part in media::album(3, "These three") {
        world.telegram().write(part.in_topic(shown.thread)).unwrap();
    }
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "These three");
    let replies = world.replies_by_now(shown).await;
    assert_eq!(replies.len(), 1, "{replies:?}");
}

#[tokio::test]
async fn a_photo_or_a_voice_in_the_topic_is_told_what_counts_and_of_a_caption_that_it_alone_does() {
    let world = World::with_telegram().await;
    let (request, message) = replied(&world).await;
    let album = media::photo().with(json!({"media_group_id": "7"}));
    for written in [media::voice(), album.clone(), album] {
        world.telegram().write(written.in_topic(message.thread.unwrap())).unwrap();
    }
    let captioned = world.telegram().write(media::photo().captioned("Like this").in_topic(message.thread.unwrap())).unwrap();
    let told = world.reply_to(FORUM, captioned).await;
    assert!(told.words().starts_with("The caption is taken as your text"), "{}", told.words());
    assert_eq!(told.thread, message.thread);
    assert_eq!(copies(&world, "Only a text goes into this thread"), 2, "an album is told once");
    let replies = thread(&world, &request).await;
    assert_eq!((&replies[1]["text"], replies.len()), (&json!("Like this"), 2));
}
