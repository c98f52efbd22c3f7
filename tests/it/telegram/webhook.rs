//! Webhook mode: updates are sent to pagerd, stored before they are acknowledged, and handled as polled ones are.

mod refused;
mod switched;

use std::time::{Duration, Instant};

use pager_tests::fake_telegram::{Delivery, Fault, OWNER, State, TOKEN};
use serde_json::{Value, json};
use sqlx::Connection;

use crate::world::{Shown, World, sent, until};

const SECRET: &str = "s-3cret_OF-the-hook";
/// So often pagerd looks after its webhook in these tests.
const LOOKS_OFTEN: (&str, &str) = ("PAGER_WEBHOOK_LOOK_MILLIS", "50");

async fn world() -> World {
    World::with_webhook_and(SECRET, &[]).await
}

/// A call of the bot's that pagerd does not make.
async fn call(world: &World, method: &str, parameters: &Value) -> Value {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/bot{TOKEN}/{method}", world.telegram().base_url());
    client.post(url).json(parameters).send().await.unwrap().json().await.unwrap()
}

/// The webhook as Telegram knows it, once it fits.
async fn info(world: &World, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    until(what, async || Some(call(world, "getWebhookInfo", &json!({})).await["result"].clone()).filter(|info| fits(info))).await
}

/// The webhook once it leads to pagerd.
async fn set(world: &World) -> Value {
    let leads_here = |info: &Value| info["url"].as_str().is_some_and(|url| url.ends_with("/telegram/webhook"));
    info(world, "the webhook is set", leads_here).await
}

/// Posts a body to the webhook, with or without a secret; the status.
async fn post(world: &World, secret: Option<&str>, body: String) -> u16 {
    let mut request = world.nobody().request(reqwest::Method::POST, "/telegram/webhook").body(body);
    if let Some(secret) = secret {
        request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
    }
    sent(request).await.unwrap().status
}

/// The update that a press of a button makes, as the real server would send it.
fn press_of(world: &World, shown: Shown, id: i64) -> String {
    let data = world.message(shown).keyboard.concat()[1].callback_data.clone().unwrap();
    let chat = json!({"id": world.telegram().forum(), "type": "supergroup"});
    let from = json!({"id": OWNER, "is_bot": false, "first_name": "Olga"});
    let message = json!({"message_id": shown.message, "date": 1, "chat": chat});
    json!({"update_id": id, "callback_query": {"id": "1", "from": from, "message": message, "data": data}}).to_string()
}

async fn delivered(world: &World, what: &str, fits: impl Fn(&Delivery) -> bool) {
    let found = |state: &State| state.deliveries.iter().any(&fits).then_some(());
    world.telegram().wait_for(what, found).await.unwrap();
}

/// Somebody who holds the store's lock, so that nothing can be written.
async fn locked(world: &World) -> sqlx::SqliteConnection {
    let path = world.data_dir().join("pager.sqlite");
    let mut connection = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
    connection
}

#[tokio::test]
async fn a_press_that_is_sent_settles_the_question_and_nothing_is_asked_for() {
    let world = World::with_webhook_and(SECRET, &[("PAGER_LOG", "trace")]).await;
    let shown = world.asks_and_shows("rel-1").await;
    let press = world.telegram().press(shown.message, "Yes, release").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    let message = world.closed(shown).await;
    assert!(message.words().contains("You answered: Yes, release"), "{}", message.words());
    assert_eq!(world.saved_answer("rel-1").await["choice"], "1");
    assert!(world.telegram().calls_of("getUpdates").is_empty());
    assert!(world.telegram().calls_of("deleteWebhook").is_empty());
    let deliveries = world.telegram().deliveries();
    assert!(deliveries.iter().any(|delivery| delivery.status == Some(200)), "{deliveries:?}");
    // Whatever stands in a reply might be carried out.
    assert!(deliveries.iter().all(|delivery| delivery.body.is_empty()), "{deliveries:?}");
    assert!(!world.log().contains(SECRET));
}

#[tokio::test]
async fn pagerd_sets_the_webhook_itself_with_secret_kinds_and_connections() {
    let world = world().await;
    let info = set(&world).await;
    assert_eq!(info["allowed_updates"], json!(["message", "edited_message", "callback_query", "my_chat_member"]));
    let call = world.telegram().wait_for_call("setWebhook", |_| true).await.unwrap();
    assert_eq!((&call.parameters["secret_token"], &call.parameters["max_connections"]), (&json!(SECRET), &json!("20")));
    assert_eq!(call.parameters["drop_pending_updates"], "false");
}

#[tokio::test]
async fn a_text_that_is_sent_is_an_answer_or_a_request() {
    let world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_general("Build this").unwrap();
    world.telegram().write_in_topic(shown.thread, "After lunch").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "After lunch");
    assert_eq!(world.owner().get("/v1/requests").await.with(200)["items"][0]["title"], "Build this");
}

#[tokio::test]
async fn a_press_survives_a_kill_between_stored_and_acknowledged_and_before_it_is_handled() {
    for point in ["update.received", "update.stored", "press.acknowledged"] {
        let mut world = world().await;
        let shown = world.asks_and_shows("rel-1").await;
        // What the bot hears of its own topic is delivered first.
        info(&world, "nothing waits", |info| info["pending_update_count"] == 0).await;
        world.kill9().await;
        world.serve_to_crash(point).await;
        world.telegram().press(shown.message, "No").unwrap();
        world.until_crashed().await;
        world.serve().await;
        world.telegram().age(60);
        world.closed(shown).await;
        assert_eq!(world.saved_answer("rel-1").await["choice"], "2", "{point}");
        assert_eq!(world.commits_of("rel-1").len(), 1, "{point}");
        info(&world, "nothing waits", |info| info["pending_update_count"] == 0).await;
    }
}

#[tokio::test]
async fn a_repeated_update_is_acknowledged_and_handled_once() {
    let world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, &"x".repeat(1001)).unwrap();
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    let before = world.telegram().deliveries().len();
    let updates = world.telegram().all_updates();
    for update in &updates {
        world.telegram().replay(update["update_id"].as_i64().unwrap()).unwrap();
    }
    let all = |state: &State| (state.deliveries.len() >= before + updates.len()).then_some(());
    world.telegram().wait_for("every repetition", all).await.unwrap();
    assert!(world.telegram().deliveries().iter().all(|delivery| delivery.status == Some(200)));
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
}

#[tokio::test]
async fn nothing_is_acknowledged_before_it_is_stored() {
    let world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    let body = press_of(&world, shown, 900_000_001);
    let lock = locked(&world).await;
    let mut posting = Box::pin(post(&world, Some(SECRET), body));
    let early = tokio::time::timeout(Duration::from_millis(700), &mut posting).await;
    assert!(early.is_err(), "acknowledged with {early:?} while the store was locked");
    lock.close().await.unwrap();
    assert_eq!(posting.await, 200);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_store_that_fails_is_told_to_telegram_which_repeats_the_update() {
    let world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    let lock = locked(&world).await;
    world.telegram().press(shown.message, "No").unwrap();
    delivered(&world, "503", |delivery| delivery.status == Some(503)).await;
    lock.close().await.unwrap();
    world.telegram().age(4);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
    assert_eq!(world.commits_of("rel-1").len(), 1);
}

#[tokio::test]
async fn two_hundred_updates_at_once_are_each_acknowledged_within_a_second() {
    let world = world().await;
    let mut quickest = Duration::MAX;
    // The quickest of three times: other tests run on this machine at the same time.
    for time in 0..3 {
        let posts = (0..200).map(async |number| {
            let began = Instant::now();
            let update = 900_000_000 + 200 * time + number;
            let body = json!({"update_id": update, "message": {"text": "x".repeat(4096)}}).to_string();
            assert_eq!(post(&world, Some(SECRET), body).await, 200);
            began.elapsed()
        });
        let slowest = futures_util::future::join_all(posts).await.into_iter().max().unwrap();
        quickest = quickest.min(slowest);
    }
    assert!(quickest < Duration::from_secs(1), "the slowest took {quickest:?}");
}

#[tokio::test]
async fn an_update_counts_that_comes_before_telegram_could_be_reached_from_here() {
    let mut world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    let body = press_of(&world, shown, 900_000_001);
    world.kill9().await;
    world.telegram().fault("getMe", Fault::hang());
    world.serve().await;
    assert_eq!(post(&world, Some(SECRET), body).await, 200);
    assert_eq!(world.record("rel-1").await["state"], "open");
    world.telegram().release();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn readiness_tells_when_telegram_cannot_deliver() {
    let mut world = World::prepare(&[LOOKS_OFTEN], Some(pager_tests::fake_telegram::FakeTelegram::start().await)).await;
    world.use_webhook(SECRET).await;
    world.set("PAGER_SERVER__PUBLIC_URL", "http://127.0.0.1:1");
    world.serve().await;
    world.telegram().write_in_general("Hello").unwrap();
    let told = async || {
        let ready = world.nobody().get("/readyz").await.with(200)["degraded"].to_string();
        (ready.contains("webhook: Telegram cannot deliver") && ready.contains("Connection refused")).then_some(())
    };
    until("readiness tells of it", told).await;
}
