//! A silence of more than 150 seconds: Telegram dropped the presses made meanwhile.

use sqlx::{Connection, SqliteConnection};

use crate::world::{Shown, World, until};

impl World {
    /// The store's idea of the last finished poll, moved back; nothing may serve.
    async fn last_heard(&self, seconds_ago: i64) {
        let path = self.data_dir().join("pager.sqlite");
        let mut connection = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
        let kept: String =
            sqlx::query_scalar("SELECT value FROM kept WHERE name = 'last_poll'").fetch_one(&mut connection).await.unwrap();
        let kept: jiff::Timestamp = kept.parse().expect("an RFC 3339 time");
        let moved = kept - jiff::SignedDuration::from_secs(seconds_ago);
        sqlx::query("UPDATE kept SET value = ? WHERE name = 'last_poll'")
            .bind(moved.to_string())
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    }

    fn press_again(&self, shown: Shown) -> usize {
        self.replies(shown).iter().filter(|message| message.words().contains("please press again")).count()
    }
}

#[tokio::test]
async fn after_a_long_silence_each_open_questions_topic_is_told_once_to_press_again() {
    let mut world = World::with_telegram().await;
    let (one, two) = (world.asks_and_shows("rel-1").await, world.asks_and_shows("rel-2").await);
    let ended = world.asks_and_shows("rel-3").await;
    world.telegram().press(ended.message, "No").unwrap();
    world.closed(ended).await;
    world.terminate().await;
    world.last_heard(200).await;
    world.serve().await;
    for shown in [one, two] {
        until("its topic is told", async || (world.press_again(shown) == 1).then_some(())).await;
    }
    assert_eq!(world.press_again(ended), 0, "nobody has to press there");
    // Once for each outage.
    world.restart().await;
    world.replies_by_now(one).await;
    assert_eq!((world.press_again(one), world.press_again(two)), (1, 1));
    world.telegram().press(one.message, "No").unwrap();
    world.in_state("rel-1", "answered").await;
}

#[tokio::test]
async fn a_short_silence_is_no_matter() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.terminate().await;
    world.last_heard(60).await;
    world.serve().await;
    world.replies_by_now(shown).await;
    assert_eq!(world.press_again(shown), 0);
}
