//! News on the page: shown as text, read and dismissed by plain forms, told as it comes.

use serde_json::{Value, json};

use super::driver::Browser;
use super::plain::Plain;
use crate::world::World;

async fn publish(world: &World, body: Value) -> String {
    let update = world.agent().post("/v1/updates", &body).await.with(201);
    update["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_update_is_read_and_dismissed_without_scripts() {
    let world = World::start().await;
    let id = publish(&world, json!({"title": "Released 2.4", "body": "All tests passed."})).await;
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.sees(".ways", "1").await;
    browser.open(&world, "/updates").await;
    browser.sees(&format!("#{id}"), "New").await;
    browser.press(&format!("#{id} form[action*=read] button")).await;
    browser.lacks(".unread").await;
    browser.lacks(".ways .badge").await;
    browser.press(&format!("#{id} form[action*=dismiss] button")).await;
    browser.sees("#rows", "News of agents stands here").await;
    browser.open(&world, "/updates?state=dismissed").await;
    browser.sees(&format!("#{id}"), "Released 2.4").await;
    assert_eq!(browser.count(".row form").await, 0);
    let list = world.owner().get("/v1/updates?state=dismissed").await.with(200);
    assert_eq!(list["items"][0]["id"], id.as_str());
}

#[tokio::test]
async fn markup_in_every_field_of_an_update_is_text_and_its_links_lead_to_the_web() {
    let world = World::start().await;
    let evil = "\"'></p></title></script><script>alert(1)</script><img src=x onerror=alert(2)>\u{202e}";
    let url = "https://example.org/\"onmouseover=alert(4)//";
    let body = json!({
        "title": evil, "body": evil, "links": [{"label": evil, "url": url}],
        "media": [{"url": url, "mime_type": "image/png", "alt": evil}],
        "issue": {"tracker": "<b>t</b>", "key": evil, "url": url}, "source": {"project": evil, "run": evil},
    });
    let id = publish(&world, body).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/updates").await;
    let text = browser.sees(&format!("#{id}"), "onerror=alert(2)>\\u{202e}").await;
    assert!(text.contains("(image/png)"), "{text}");
    assert_eq!(browser.count("main script, main img, main b").await, 0);
    assert_eq!(browser.count("main a[target][rel='noopener noreferrer'][href^='https://example.org/%22']").await, 3);
    assert!(browser.get_alert_text().await.is_err(), "a script of the text ran");
    assert_eq!(browser.console().await, Vec::<String>::new());
}

#[tokio::test]
async fn news_comes_by_itself_and_a_foreign_page_marks_nothing() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/updates").await;
    let id = publish(&world, json!({"title": "Nightly build", "body": "It passed."})).await;
    browser.sees(&format!("#{id}"), "It passed.").await;
    browser.sees("[aria-live=polite]", "tester: Nightly build").await;
    let owner = Plain::logged_in(&world).await;
    for verb in ["read", "dismiss"] {
        let path = format!("/updates/{id}/{verb}");
        let form = [("csrf", owner.csrf.as_str())];
        assert_eq!(owner.post_from(Some("http://evil.example"), &path).form(&form).send().await.unwrap().status(), 403);
        owner.post(&path).form(&[("csrf", "forged")]).send().await.unwrap();
        assert_eq!(owner.get(&path).await.status(), 405);
    }
    assert_eq!(world.owner().get("/v1/updates?state=unread").await.with(200)["items"][0]["id"], id.as_str());
    // Marked elsewhere, it is marked here.
    world.owner().post_empty(&format!("/v1/updates/{id}/dismiss")).await.with(200);
    browser.lacks(&format!("#{id}")).await;
}
