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

#[tokio::test]
async fn markup_is_text_on_every_other_page_too() {
    let world = World::start().await;
    let evil = "\"'></p></textarea></title></script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let short = "<svg onload=alert(3)>";
    let question = world
        .asks_with(json!({
            "id": "evil", "purpose": "decision", "text": evil, "header": short, "waiting_on": evil, "recommended": "1",
            "options": [{"label": short, "detail": evil}, {"label": "<b>b</b>", "detail": evil}],
            "source": {"project": evil, "task": evil, "run": evil, "seat_hint": evil},
            "issue": {"tracker": short, "key": evil, "url": "https://example.org/\"onmouseover=alert(4)//"},
        }))
        .await;
    world.owner().post("/v1/questions/evil/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    let allow = json!({"id": "allow", "purpose": "approval", "text": evil, "gate": "merge", "subject": evil, "waiting_on": evil});
    let allow = world.asks_with(allow).await;
    let act = json!({"id": "act", "purpose": "action", "text": evil, "steps": [evil, short], "waiting_on": evil, "group": evil_group()});
    world.asks_with(act).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/requests").await;
    browser.write("#text", &format!("{evil}\n{evil}")).await;
    browser.press(".compose .send").await;
    browser.sees(".row", "onerror=alert(2)").await;
    let own = |record: &serde_json::Value| format!("/questions/{}", record["incarnation"].as_str().unwrap());
    let search = "/history?q=%22%3E%3Cscript%3Ealert(5)%3C%2Fscript%3E";
    for path in ["/", "/requests", "/history", search, "/decisions", "/settings", &own(&question), &own(&allow)] {
        browser.open(&world, path).await;
        browser.sees("main", "").await;
        assert_eq!(browser.count("main script, main img, main b").await, 0, "{path}");
        assert!(browser.get_alert_text().await.is_err(), "a script ran on {path}");
        assert_eq!(browser.console().await, Vec::<String>::new(), "{path}");
    }
}

/// An id of a set is the agent's own word, too.
fn evil_group() -> &'static str {
    "<i>g</i>"
}

#[tokio::test]
async fn a_robot_that_follows_every_address_changes_nothing() {
    let world = World::start().await;
    let question = world.asks("robot").await;
    let key = question["incarnation"].as_str().unwrap();
    let owner = Plain::logged_in(&world).await;
    for verb in ["answer", "decline", "cancel"] {
        assert_eq!(owner.get(&format!("/questions/{key}/{verb}?option=1&csrf={}", owner.csrf)).await.status(), 405);
    }
    for path in ["/logout", "/settings/tokens/t-1/revoke"] {
        assert_eq!(owner.get(path).await.status(), 405, "{path}");
    }
    for path in ["/", "/requests?text=x", "/history", "/decisions", "/settings?revoked=t-1", &format!("/questions/{key}")] {
        assert_eq!(owner.get(path).await.status(), 200, "{path}");
    }
    for (path, form) in [("/requests", vec![("text", "x"), ("once", "1")]), ("/settings/tokens/t-1/revoke", vec![])] {
        let form = [form, vec![("csrf", owner.csrf.as_str())]].concat();
        let sent = owner.post_from(Some("http://evil.example"), path).form(&form).send().await.unwrap();
        assert_eq!(sent.status(), 403, "{path}");
    }
    assert_eq!(world.record("robot").await["state"], "open");
    assert_eq!(world.agent().get("/v1/requests").await.with(200)["items"], json!([]));
}
