//! Calls whose outcome the store did not take: they are looked at once more, and hold up nothing for long.

use pager_tests::fake_telegram::FORUM;
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::threads::{copies, replied, reply, shown};
use crate::world::World;

/// The file of the store, beside the service.
pub(super) async fn store(world: &World) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(world.data_dir().join("pager.sqlite"));
    SqliteConnection::connect_with(&options).await.unwrap()
}

#[tokio::test]
async fn a_reply_whose_outcome_could_not_be_stored_holds_up_no_later_one() {
    let mut world = World::with_telegram().await;
    let (request, _) = replied(&world).await;
    world.terminate().await;
    let mut store = store(&world).await;
    let fails_once = "CREATE TRIGGER fails BEFORE DELETE ON jobs WHEN OLD.attempts = 1 AND OLD.kind LIKE '%show_reply%' \
                      BEGIN SELECT RAISE(ABORT, 'no room'); END";
    sqlx::query(fails_once).execute(&mut store).await.unwrap();
    store.close().await.unwrap();
    world.serve().await;
    reply(&world, &request, "Two", "Second answer").await;
    reply(&world, &request, "Three", "Third answer").await;
    shown(&world, FORUM, "Third answer").await;
    assert_eq!(copies(&world, "Second answer"), 2, "nobody knew that it stood there");
}
