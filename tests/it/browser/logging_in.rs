//! Who gets in, and who is put out.

use reqwest::Method;
use tokio::io::{AsyncBufReadExt, BufReader};

use super::driver::Browser;
use super::plain::{Plain, location};
use crate::world::{Running, World, until};

/// `pagerd try`, and the login link that is its first line.
async fn tried(world: &World) -> (Running, String) {
    let mut running = Running::start(world.pagerd_command().arg("try"));
    let mut lines = BufReader::new(running.child().stdout.take().unwrap()).lines();
    let link = lines.next_line().await.unwrap().expect("the link is the first line");
    let (host, _) = link.strip_prefix("http://").unwrap().split_once('/').unwrap();
    world.address.set(host);
    // Whoever prints needs somebody who reads.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    (running, link)
}

#[tokio::test]
async fn a_link_logs_in_once_and_looking_at_it_spends_nothing() {
    let world = World::prepare(&[], None).await;
    let (_running, link) = tried(&world).await;
    let path = link.strip_prefix(&world.address.url()).unwrap();
    let robot = Plain::new(&world);
    for method in [Method::GET, Method::HEAD, Method::GET] {
        let reply = robot.request(method, path).send().await.unwrap();
        assert_eq!(reply.status(), 200);
        assert!(reply.headers().get("set-cookie").is_none(), "{reply:?}");
    }
    let browser = Browser::start().await;
    browser.goto(&link).await.unwrap();
    browser.sees("main button", "Log in").await;
    browser.press("main button").await;
    browser.sees("#headline", "One question waits for you").await;
    browser.goto(&link).await.unwrap();
    browser.sees("[role=alert]", "This login link was used before").await;
    assert_eq!(robot.post(path).send().await.unwrap().status(), 410);
}

#[tokio::test]
async fn whoever_is_not_logged_in_is_sent_to_the_login() {
    let world = World::start().await;
    let question = world.asks("door").await;
    let nobody = Plain::new(&world);
    let reply = nobody.get("/").await;
    assert_eq!((reply.status().as_u16(), location(&reply)), (303, "/login"));
    let path = format!("/questions/{}/decline", question["incarnation"].as_str().unwrap());
    let reply = nobody.post(&path).form(&[("csrf", "x")]).send().await.unwrap();
    assert_eq!((reply.status().as_u16(), location(&reply)), (303, "/login"));
    assert_eq!(world.record("door").await["state"], "open");
}

#[tokio::test]
async fn only_an_owners_token_logs_in_and_guessing_is_slowed_down() {
    let world = World::start().await;
    let nobody = Plain::new(&world);
    assert_eq!(nobody.log_in(&world.agent_token).await.status(), 401);
    for _ in 1..10 {
        assert_eq!(nobody.log_in("pager_owner_guess").await.status(), 401);
    }
    let reply = nobody.log_in("pager_owner_guess").await;
    assert_eq!(reply.status(), 429);
    let seconds: u64 = reply.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=61).contains(&seconds), "{seconds}");
    assert_eq!(nobody.log_in(&world.owner_token).await.status(), 303, "guessing locks no owner out");
}

#[tokio::test]
async fn a_revoked_token_decides_nothing_and_ends_its_sessions() {
    let world = World::start().await;
    let question = world.asks("late").await;
    let owner = Plain::logged_in(&world).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let list = world.pagerd(&["token", "list"]).await.output;
    let token = list.lines().find(|line| line.contains("olga")).unwrap().split('\t').next().unwrap().to_owned();
    assert_eq!(world.pagerd(&["token", "revoke", &token]).await.code, Some(0));
    let path = format!("/questions/{}/answer", question["incarnation"].as_str().unwrap());
    let reply = owner.post(&path).form(&[("csrf", owner.csrf.as_str()), ("option", "1")]).send().await.unwrap();
    assert_eq!((reply.status().as_u16(), location(&reply)), (303, "/login"));
    browser.press(".option").await;
    browser.sees("#line", "You are logged out").await;
    assert_eq!(world.record("late").await["state"], "open");
    browser.refresh().await.unwrap();
    browser.sees("h1", "Log in").await;
}

#[tokio::test]
async fn logging_out_ends_the_session_for_good() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let cookie = browser.get_all_cookies().await.unwrap().remove(0);
    assert!(cookie.http_only().unwrap_or_default() && cookie.name().starts_with("pager-"), "{cookie:?}");
    assert_eq!(browser.run("return document.cookie").await, "");
    browser.open(&world, "/settings").await;
    browser.press(".log-out").await;
    browser.sees("h1", "Log in").await;
    let mut stolen = Plain::new(&world);
    stolen.cookie = Some(format!("{}={}", cookie.name(), cookie.value()));
    let status = until("the session is over", async || Some(stolen.get("/").await.status())).await;
    assert_eq!(status, 303);
}
