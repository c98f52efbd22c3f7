//! Foreign pages, foreign names and texts that would be more than text.

use serde_json::json;

use super::driver::Browser;
use super::page::card;
use super::plain::Plain;
use crate::world::World;

#[tokio::test]
async fn markup_in_every_field_is_text() {
    let world = World::start().await;
    let evil = "\"'></p></textarea></title></script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let short = "<svg onload=alert(3)>";
    let question = world
        .asks_with(json!({
            "id": "evil", "text": evil, "header": short, "waiting_on": evil, "recommended": "1",
            "options": [{"label": short, "detail": evil}, {"label": "<b>b</b>\u{202e}"}],
            "source": {"project": evil, "task": evil, "run": evil, "seat_hint": evil},
            "issue": {"tracker": short, "key": evil, "url": "https://example.org/\"onmouseover=alert(4)//"},
        }))
        .await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let text = browser.sees(&card(&question), "onerror=alert(2)").await;
    assert!(text.contains("<b>b</b>\\u{202e}"), "{text}");
    assert_eq!(browser.count("#main script, #main img, #main b").await, 0);
    assert_eq!(browser.the("#main a[target]").await.attr("rel").await.unwrap().as_deref(), Some("noopener noreferrer"));
    browser.write(&format!("{} textarea", card(&question)), evil).await;
    browser.press(&format!("{} .send", card(&question))).await;
    browser.sees(".notice.done", "alert(1)").await;
    world.asks_with(json!({"id": "more", "text": evil, "waiting_on": evil})).await;
    browser.sees("#news", "alert(1)").await;
    assert!(browser.get_alert_text().await.is_err(), "a script of the text ran");
    assert_eq!(browser.console().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_foreign_page_decides_nothing() {
    let world = World::start().await;
    let question = world.asks("csrf").await;
    let key = question["incarnation"].as_str().unwrap();
    let owner = Plain::logged_in(&world).await;
    for verb in ["answer", "decline", "cancel"] {
        let path = format!("/questions/{key}/{verb}");
        let form = if verb == "answer" {
            vec![("csrf", owner.csrf.as_str()), ("option", "1")]
        } else {
            vec![("csrf", owner.csrf.as_str())]
        };
        for origin in [Some("http://evil.example"), Some("http://127.0.0.1:1"), Some("null"), None] {
            let reply = owner.post_from(origin, &path).form(&form).send().await.unwrap();
            assert_eq!(reply.status(), 403, "{origin:?}");
        }
        let sent = owner.post(&path).header("sec-fetch-site", "same-site").form(&form).send().await.unwrap();
        assert_eq!(sent.status(), 403);
        let forged: Vec<_> = form.iter().map(|(name, value)| (*name, if *name == "csrf" { "forged" } else { value })).collect();
        assert_eq!(owner.post(&path).form(&forged).send().await.unwrap().status(), 403);
        assert_eq!(owner.get(&path).await.status(), 405);
    }
    assert_eq!(
        owner.post_from(Some("http://evil.example"), "/login").form(&[("token", "x")]).send().await.unwrap().status(),
        403
    );
    assert_eq!(world.record("csrf").await["state"], "open");
}

#[tokio::test]
async fn a_form_on_a_page_from_elsewhere_is_refused_by_browser_and_service() {
    let world = World::start().await;
    let question = world.asks("lure").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let action = format!("{}/questions/{}/decline", world.address.url(), question["incarnation"].as_str().unwrap());
    let lure = world.folder().join("lure.html");
    std::fs::write(&lure, format!("<form method=post action=\"{action}\"><input name=csrf value=x><button>Win!</button></form>"))
        .unwrap();
    browser.goto(&format!("file://{}", lure.display())).await.unwrap();
    browser.press("button").await;
    browser.sees("h1", "Refused: this came from another page").await;
    assert_eq!(world.record("lure").await["state"], "open");
}

#[tokio::test]
async fn a_foreign_name_that_leads_here_shows_nothing() {
    let world = World::start().await;
    let owner = Plain::logged_in(&world).await;
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example"] {
        for path in ["/", "/login", "/history", "/assets/page.js"] {
            assert_eq!(owner.get_as(host, path).await.status(), 421, "{host} {path}");
        }
    }
    let port = world.address.host().rsplit(':').next().unwrap().to_owned();
    assert_eq!(owner.get_as(&format!("localhost:{port}"), "/").await.status(), 200);
}

#[tokio::test]
async fn a_decline_carries_its_token_alone() {
    let world = World::start().await;
    let question = world.asks("bare").await;
    let owner = Plain::logged_in(&world).await;
    let path = format!("/questions/{}/decline", question["incarnation"].as_str().unwrap());
    let more = [("csrf", owner.csrf.as_str()), ("answer", "and a word")];
    assert_eq!(owner.post(&path).form(&more).send().await.unwrap().status(), 400);
    assert_eq!(world.record("bare").await["state"], "open");
}

#[tokio::test]
async fn every_page_carries_the_headers_that_keep_it_alone() {
    let world = World::start().await;
    let owner = Plain::logged_in(&world).await;
    for path in ["/", "/login", "/login/nothing", "/requests", "/settings"] {
        let reply = owner.get(path).await;
        let header = |name: &str| reply.headers()[name].to_str().unwrap();
        assert!(
            header("content-security-policy").starts_with("default-src 'none'; style-src 'self'; script-src 'self';"),
            "{path}"
        );
        assert!(!header("content-security-policy").contains("unsafe"), "{path}");
        assert_eq!((header("x-content-type-options"), header("cache-control")), ("nosniff", "no-store"), "{path}");
        assert_eq!(header("referrer-policy"), "same-origin", "{path}");
    }
    let page = owner.get("/").await.text().await.unwrap();
    assert!(!page.contains(" style=") && !page.contains(" onclick=") && !page.contains("<script>"), "{page}");
}
