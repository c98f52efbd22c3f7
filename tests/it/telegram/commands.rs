//! The bot's commands and their menus: what they answer, where, and to whom.

use pager_tests::fake_telegram::{Call, ChatKind, FORUM, Fault, OWNER, STRANGER, Written};
use serde_json::{Value, json};
use sqlx::Connection as _;

use crate::browser::Plain;
use crate::world::{PLAIN, World, until};

fn menu(world: &World, scope: Value) -> Vec<String> {
    let is_it = |call: &&Call| call.parameters["scope"] == scope;
    let calls = world.telegram().calls_of("setMyCommands");
    let call = calls.iter().find(is_it).expect("that scope has a menu");
    call.parameters["commands"].as_array().unwrap().iter().map(|entry| entry["command"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn each_chat_s_menu_lists_what_works_there() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-1").await;
    assert_eq!(
        menu(&world, json!({"type": "chat", "chat_id": FORUM})),
        ["decline", "cancel", "open", "status", "mute", "login", "help"]
    );
    assert_eq!(menu(&world, json!({"type": "all_private_chats"})), ["login", "open", "status", "mute", "help"]);
    assert_eq!(menu(&world, json!({"type": "default"})), ["help"]);
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.asks("rel-1").await;
    world.delivered("rel-1", "shown").await;
    let flat = ["answer", "decline", "cancel", "open", "status", "mute", "login", "help"];
    assert_eq!(menu(&world, json!({"type": "chat", "chat_id": PLAIN})), flat);
}

#[tokio::test]
async fn help_and_start_work_in_general_and_other_bots_commands_are_left_alone() {
    let world = World::with_telegram().await;
    for text in ["/help", "/start", "/START@pager_test_bot"] {
        let reply = world.replied(FORUM, text).await;
        assert!(reply.starts_with("Each question has a topic") && reply.contains("/mute 2h"), "{reply}");
    }
    let other = world.says(FORUM, "/help@other_bot");
    world.replied(FORUM, "/help").await;
    assert!(!world.telegram().messages(FORUM).iter().any(|message| message.reply_to == Some(other)));
}

#[tokio::test]
async fn open_lists_what_waits_hard_ones_first_with_links_and_how_many_more() {
    let world = World::with_telegram().await;
    assert_eq!(world.replied(FORUM, "/open").await, "Nothing waits for you.");
    for number in 1..=12 {
        world.asks(&format!("rel-{number}")).await;
    }
    let hard = json!({
        "id": "hard", "text": "Drop it all?", "reversibility": "hard_to_reverse", "options": [{"label": "Yes"}, {"label": "No"}],
    });
    world.asks_with(hard).await;
    world.shown("hard").await;
    let first = world.shown("rel-1").await;
    let listed = world.replied(FORUM, "/open").await;
    assert!(listed.starts_with("13 questions wait.\n\n• ⚠️ Drop it all?"), "{listed}");
    assert!(listed.ends_with("… and 3 more."), "{listed}");
    assert!(listed.contains(&format!("/{}/{}", first.thread, first.message)), "{listed}");
    let titles: Vec<&str> = listed.lines().filter_map(|line| line.strip_prefix("• ")).collect();
    assert_eq!((titles.len(), titles[1], titles[9]), (10, "Release rel-1?", "Release rel-9?"));
}

#[tokio::test]
async fn keys_work_outside_a_question_s_topic_as_well() {
    let world = World::with_telegram().await;
    let asked = world.asks("rel-1").await;
    world.shown("rel-1").await;
    let reply = world.replied(FORUM, "/decline").await;
    assert!(reply.contains("Write the command in the topic"), "{reply}");
    world.says(FORUM, &format!("/decline {}", &asked["incarnation"].as_str().unwrap()[..8]));
    world.in_state("rel-1", "declined").await;
}

#[tokio::test]
async fn a_key_of_what_is_put_to_an_agent_is_told_whose_it_is_and_calls_it_off() {
    let world = World::with_telegram().await;
    world.agent().post("/v1/requests", &json!({"id": "r-1", "title": "Build this", "text": "In Rust."})).await.with(201);
    let helper = world.caller(&world.new_token("agent", "helper").await);
    let offer = json!({"id": "o-1", "deliverable": "untested code", "missing": "a build", "why": "no compiler"});
    let offered = helper.post("/v1/requests/r-1/offers", &offer).await.with(201);
    let key = offered["incarnation"].as_str().unwrap()[..6].to_owned();
    for command in [format!("/answer {key} Go on"), format!("/decline {key}")] {
        let told = world.replied(FORUM, &command).await;
        assert!(told.starts_with("Only tester answers this question") && told.contains(&format!("/cancel {key} ")), "{told}");
    }
    assert_eq!(world.record("o-1").await["state"], "open");
    world.says(FORUM, &format!("/cancel {key}"));
    world.in_state("o-1", "cancelled").await;
}

#[tokio::test]
async fn a_command_that_comes_too_late_is_told_what_happened() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let held = world.hold_writing();
    world.telegram().press(shown.message, "No").unwrap();
    world.in_state("rel-1", "answering").await;
    let late = async |text: &str| {
        let said = world.telegram().write_in_topic(shown.thread, text).unwrap();
        world.reply_to(FORUM, said).await.words().to_owned()
    };
    let told = late("/cancel").await;
    assert_eq!(told, "Not taken: that question is no longer open. Being saved…");
    drop(held);
    world.closed(shown).await;
    let told = late("/decline").await;
    assert!(told.starts_with("Not taken: that question is no longer open. You answered: No"), "{told}");
    assert_eq!(world.record("rel-1").await["state"], "answered");
}

/// Follows a login link as a browser does, with the press of its button.
async fn log_in(world: &World, reply: &str) -> Option<Plain> {
    let link = reply.lines().last().unwrap();
    let path = link.strip_prefix(&world.address.url()).expect("the link is the page's");
    let mut plain = Plain::new(world);
    let reply = plain.post(path).send().await.unwrap();
    (reply.status() == 303).then(|| {
        plain.take_cookie(&reply);
        plain
    })
}

async fn is_in(plain: &Plain) -> bool {
    plain.get("/").await.status() == 200
}

#[tokio::test]
async fn an_owner_s_login_link_works_once_and_its_sessions_end_with_the_token() {
    let world = World::with_telegram().await;
    world.owner_writes_in_private();
    let reply = world.replied(OWNER, "/login").await;
    assert!(reply.contains("within 10 minutes"), "{reply}");
    let browser = log_in(&world, &reply).await.expect("the link logs in");
    assert!(is_in(&browser).await);
    assert!(log_in(&world, &reply).await.is_none(), "it was used before");
    let name = format!("telegram:{OWNER}");
    assert!(world.pagerd(&["token", "list"]).await.output.contains(&name));
    let again = world.replied(OWNER, "/login").await;
    assert_eq!(world.pagerd(&["token", "list"]).await.output.matches(&name).count(), 2, "one row: its id and its name");

    assert_eq!(world.pagerd(&["token", "revoke", &name]).await.code, Some(0));
    assert!(!is_in(&browser).await);
    assert!(log_in(&world, &again).await.is_none(), "a link goes with its token, too");
    let new = world.replied(OWNER, "/login").await;
    assert!(log_in(&world, &new).await.is_some(), "whoever is still an owner logs in anew");
}

#[tokio::test]
async fn a_login_ends_when_its_owner_is_one_no_more() {
    let mut world = World::with_telegram().await;
    world.owner_writes_in_private();
    let mut browser = log_in(&world, &world.replied(OWNER, "/login").await).await.unwrap();
    let secret = browser.cookie.take().unwrap().split_once('=').unwrap().1.to_owned();
    for (owners, expected) in [(format!("{OWNER},{STRANGER}"), true), (STRANGER.to_string(), false)] {
        world.kill9().await;
        world.set("PAGER_TELEGRAM__OWNERS", &owners);
        world.serve().await;
        // The cookie's name has the port in it, which is another one now.
        let port = world.address.host().rsplit(':').next().unwrap().to_owned();
        browser.cookie = Some(format!("pager-{port}={secret}"));
        assert_eq!(is_in(&browser).await, expected, "{owners}");
    }
    assert!(world.pagerd(&["token", "list"]).await.output.contains("revoked"));
}

/// The state of the login that waits to be sent, if one does.
async fn waiting_login(world: &World) -> Option<String> {
    let path = world.data_dir().join("pager.sqlite");
    let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    let query = sqlx::query_scalar("SELECT state FROM jobs WHERE kind ->> 'kind' = 'send_login'");
    let state = query.fetch_optional(&mut store).await.unwrap();
    store.close().await.unwrap();
    state
}

#[tokio::test]
async fn a_login_that_waits_while_its_owner_is_removed_is_never_given() {
    let mut world = World::with_telegram().await;
    world.owner_writes_in_private();
    let before = world.telegram().messages(OWNER).len();
    world.telegram().fault("sendMessage", Fault::flood(3));
    world.says(OWNER, "/login");
    world.telegram().wait_for_call("sendMessage", |_| true).await.unwrap();
    until("the login waits again", async || waiting_login(&world).await.filter(|state| state == "waiting")).await;
    world.kill9().await;
    world.set("PAGER_TELEGRAM__OWNERS", &STRANGER.to_string());
    world.serve().await;
    until("the login is dropped", async || waiting_login(&world).await.is_none().then_some(())).await;
    let tokens = world.pagerd(&["token", "list"]).await.output;
    assert!(!tokens.contains(&format!("telegram:{OWNER}-2")), "no token is made in the place of the revoked one: {tokens}");
    assert_eq!(world.telegram().messages(OWNER).len(), before + 1, "nothing but what the owner wrote");
}

#[tokio::test]
async fn a_login_link_is_given_in_private_only_to_owners_and_stored_nowhere() {
    let world = World::with_telegram().await;
    let hint = world.replied(FORUM, "/login").await;
    assert!(hint.contains("in private") && hint.contains("https://t.me/pager_test_bot") && !hint.contains("/login/"), "{hint}");
    world.owner_writes_in_private();
    world.telegram().add_private_chat(STRANGER);
    world.telegram().write(Written::text("/login").in_chat(STRANGER).by(STRANGER)).unwrap();
    let reply = world.replied(OWNER, "/login").await;
    let secret = reply.rsplit('/').next().unwrap().to_owned();
    assert_eq!(world.telegram().messages(STRANGER).len(), 1, "a stranger gets no reply");
    for entry in std::fs::read_dir(world.data_dir()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", path.display());
        }
    }
    assert!(!world.log().contains(&secret));
}

#[tokio::test]
async fn in_an_owner_s_private_chat_nothing_but_these_commands_counts() {
    let world = World::with_telegram().await;
    let asked = world.asks("rel-1").await;
    world.shown("rel-1").await;
    world.owner_writes_in_private();
    let key = &asked["incarnation"].as_str().unwrap()[..6];
    world.says(OWNER, "Hello");
    world.says(OWNER, &format!("/answer {key} yes"));
    world.says(OWNER, &format!("/decline {key}"));
    assert!(world.replied(OWNER, "/open").await.starts_with("1 question waits."));
    assert!(world.replied(OWNER, "/start").await.starts_with("Questions are shown and answered in another chat."));
    assert_eq!(world.record("rel-1").await["state"], "open");
    let replies = world.telegram().messages(OWNER).into_iter().filter(|message| message.reply_to.is_some()).count();
    assert_eq!(replies, 2);
}

#[tokio::test]
async fn a_reply_that_telegram_did_not_take_comes_later_once() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", Fault::flood(1));
    let said = world.says(FORUM, "/open");
    world.reply_to(FORUM, said).await;
    world.replied(FORUM, "/help").await;
    let replies = world.telegram().messages(FORUM).into_iter().filter(|message| message.reply_to == Some(said)).count();
    assert_eq!(replies, 1);
}

#[tokio::test]
async fn a_reply_that_may_have_been_sent_is_not_sent_again() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", Fault::ResetAfter);
    let said = world.says(FORUM, "/open");
    world.reply_to(FORUM, said).await;
    world.replied(FORUM, "/help").await;
    let replies = world.telegram().messages(FORUM).into_iter().filter(|message| message.reply_to == Some(said)).count();
    assert_eq!(replies, 1);
}
