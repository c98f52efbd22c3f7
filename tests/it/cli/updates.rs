//! News, from the agent's command to the owner's.

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn news_are_published_listed_read_and_dismissed() {
    let world = World::start().await;
    let publish = ["update", "Nightly", "--body", "3 of 4", "--link", "Log=https://ci.example/1", "--publication-id", "p-1"];
    let published = world.ask(&publish).await;
    assert_eq!((published.code, &published.json()["state"]), (Some(0), &json!("unread")), "{published:?}");
    assert_eq!(world.ask(&publish).await.json(), published.json(), "published again, the original comes back");
    let changed = world.ask(&["update", "Nightly", "--body", "4 of 4", "--publication-id", "p-1"]).await;
    assert_eq!((changed.code, changed.output.as_str()), (Some(7), ""), "{changed:?}");

    let listed = world.ask_as_owner(&["updates", "--state", "unread"]).await.json();
    let id = published.json()["id"].as_str().unwrap().to_owned();
    assert_eq!((&listed["items"][0]["id"], &listed["items"][0]["body"]), (&json!(id), &json!("3 of 4")));
    for (verb, state) in [("read", "read"), ("dismiss", "dismissed"), ("read", "dismissed")] {
        let marked = world.ask_as_owner(&[verb, &id]).await;
        assert_eq!((marked.code, &marked.json()["state"]), (Some(0), &json!(state)), "{verb}: {marked:?}");
    }
    assert_eq!(world.ask_as_owner(&["updates"]).await.json()["items"], json!([]));
    assert_eq!(world.ask_as_owner(&["updates", "--state", "all"]).await.json()["items"][0]["id"], json!(id));
    assert_eq!(world.ask_as_owner(&["read", "u-0000000000000000"]).await.code, Some(8));
    assert_eq!(world.ask(&["read", &id]).await.code, Some(1), "an agent reads none");
}
