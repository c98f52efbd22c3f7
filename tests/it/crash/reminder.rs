//! Death around a reminder: it comes once, and where nobody knows whether it came, not a second time.

use pager_tests::fake_telegram::Message;
use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use crate::world::{World, until};

/// What a reminder passes.
pub const POINTS: [&str; 4] = ["reminder.due", "job.taken", "job.attempted", "reminder.called"];

impl World {
    /// Every question was asked so many seconds earlier than it was; nothing may serve.
    async fn asked_earlier(&self, seconds: i64) {
        let path = self.data_dir().join("pager.sqlite");
        let mut store = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
        let (text, asked_at): (String, i64) =
            sqlx::query_as("SELECT json_extract(record, '$.question.asked_at'), asked_at FROM questions")
                .fetch_one(&mut store)
                .await
                .unwrap();
        let earlier = text.parse::<jiff::Timestamp>().unwrap() - jiff::SignedDuration::from_secs(seconds);
        sqlx::query("UPDATE questions SET record = json_set(record, '$.question.asked_at', ?), asked_at = ?")
            .bind(format!("{earlier:.3}"))
            .bind(asked_at - seconds * 1000)
            .execute(&mut store)
            .await
            .unwrap();
        store.close().await.unwrap();
    }
}

/// A question that is shown, and half of whose time passes, with a death at each of these points, one life after the other.
pub async fn story(points: &[&str]) {
    eprintln!("reminder: {points:?}");
    let mut world = World::with_telegram_and(&[("PAGER_REMIND", "true"), ("PAGER_DEADLINE__MIN", "1s")]).await;
    let deadline = (jiff::Timestamp::now() + jiff::SignedDuration::from_secs(60)).to_string();
    world.asks_with(json!({"id": "q-1", "text": "Which port?", "waiting_on": "the deploy", "deadline": deadline})).await;
    let shown = world.shown("q-1").await;
    world.kill9().await;
    world.asked_earlier(50).await;
    let is_reminder = |message: &Message| message.words().starts_with("⏰");
    let mut is_lost = false;
    for point in points {
        world.serve_to_crash(point).await;
        // In a later life the point may lie behind: then the reminder is there, or nobody knows.
        until(&format!("a death or a reminder after {points:?}"), async || {
            let is_there = world.replies(shown).iter().any(is_reminder);
            (world.has_crashed() || is_there || is_lost).then_some(())
        })
        .await;
        if !world.has_crashed() {
            world.kill9().await;
        }
        is_lost |= ["job.attempted", "reminder.called"].contains(point);
    }
    world.serve().await;
    if !is_lost {
        until(&format!("a reminder after {points:?}"), async || world.replies(shown).into_iter().find(is_reminder)).await;
    }
    world.replies_by_now(shown).await;
    let count = world.replies(shown).into_iter().filter(is_reminder).count();
    // The call was never made, or it was made and its outcome not heard.
    let expected = usize::from(!points.contains(&"job.attempted"));
    assert_eq!(count, expected, "{points:?}");
}
