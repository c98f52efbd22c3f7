//! Edited messages: a saved answer never changes; words that really differ count while the question is open.

use pager_tests::fake_telegram::FORUM;

use crate::world::World;

#[tokio::test]
async fn an_edit_never_changes_a_saved_answer() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let text = world.telegram().write_in_topic(shown.thread, "Blue").unwrap();
    world.closed(shown).await;
    world.telegram().edit(FORUM, text, "Red").unwrap();
    world.replies_by_now(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "Blue");
    assert!(world.message(shown).words().contains("You answered: Blue"));
}

#[tokio::test]
async fn an_edit_with_other_words_counts_when_the_first_version_was_refused() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let text = world.telegram().write_in_topic(shown.thread, &"x".repeat(1200)).unwrap();
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    world.telegram().edit(FORUM, text, "Short enough").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Short enough");
}

#[tokio::test]
async fn an_edit_that_changed_nothing_says_nothing_again() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let long = "x".repeat(1200);
    let text = world.telegram().write_in_topic(shown.thread, &long).unwrap();
    world.telegram().edit(FORUM, text, &long).unwrap();
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn an_edit_of_a_text_that_could_not_be_saved_is_not_an_answer_until_it_differs() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.break_repository();
    let text = world.telegram().write_in_topic(shown.thread, "Blue").unwrap();
    world.reply(shown).await;
    world.mend_repository();
    world.telegram().edit(FORUM, text, "Blue").unwrap();
    world.replies_by_now(shown).await;
    assert_eq!(world.record("rel-1").await["state"], "open");
    world.telegram().edit(FORUM, text, "Green").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Green");
}
