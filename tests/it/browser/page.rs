//! The page as a person finds it: by what stands on it.

use fantoccini::Locator;
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::Value;

use super::driver::Browser;
use crate::world::{World, until};

impl Browser {
    /// Opens a path of this world's page.
    pub async fn open(&self, world: &World, path: &str) {
        self.goto(&format!("{}{path}", world.address.url())).await.unwrap();
    }

    /// Logs in with the owner's token and stands before the inbox.
    pub async fn log_in(&self, world: &World) {
        self.open(world, "/login").await;
        self.write("#token", &world.owner_token).await;
        self.press("main button").await;
        self.sees("#headline", "").await;
    }

    /// The element, once it is there.
    pub async fn the(&self, css: &str) -> Element {
        until(&format!("{css} is on the page"), async || self.find(Locator::Css(css)).await.ok()).await
    }

    /// Presses the element, once it is there.
    pub async fn press(&self, css: &str) {
        self.press_at(Locator::Css(css)).await;
    }

    /// Presses what is found so, brought to the middle first: below, a phone has the bar.
    pub async fn press_at(&self, place: Locator<'_>) {
        let press = async || {
            let found = self.find(place).await.ok()?;
            let centre = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
            self.execute(centre, vec![serde_json::to_value(&found).ok()?]).await.ok()?;
            found.click().await.ok()
        };
        until(&format!("{place:?} can be pressed"), press).await;
    }

    /// Types into the element.
    pub async fn write(&self, css: &str, text: &str) {
        self.the(css).await.send_keys(text).await.unwrap();
    }

    /// The text of the element once it holds these words.
    pub async fn sees(&self, css: &str, words: &str) -> String {
        let look = async || {
            let text = self.find(Locator::Css(css)).await.ok()?.text().await.ok()?;
            text.contains(words).then_some(text)
        };
        until(&format!("{css} says {words:?}"), look).await
    }

    /// Waits until nothing of this kind is on the page.
    pub async fn lacks(&self, css: &str) {
        let gone = async || self.find_all(Locator::Css(css)).await.ok()?.is_empty().then_some(());
        until(&format!("{css} is gone"), gone).await;
    }

    /// How many of this kind are on the page.
    pub async fn count(&self, css: &str) -> usize {
        self.find_all(Locator::Css(css)).await.unwrap().len()
    }

    /// What stands in a field.
    pub async fn typed(&self, css: &str) -> String {
        self.the(css).await.prop("value").await.unwrap().unwrap_or_default()
    }

    /// Goes on with the keyboard alone until the focus is on such an element.
    pub async fn tab_to(&self, css: &str) {
        for _ in 0..40 {
            self.key(Key::Tab).await;
            if self.has_focus(css).await {
                return;
            }
        }
        panic!("the keyboard does not reach {css}");
    }

    /// Whether the focus is on such an element.
    pub async fn has_focus(&self, css: &str) -> bool {
        self.execute("return document.activeElement.matches(arguments[0])", vec![css.into()]).await.unwrap() == true
    }

    /// Presses a key where the focus is.
    pub async fn key(&self, key: Key) {
        self.active_element().await.unwrap().send_keys(&char::from(key).to_string()).await.unwrap();
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str) -> Value {
        self.execute(script, vec![]).await.unwrap()
    }
}

/// The selector of a question's card.
pub fn card(record: &Value) -> String {
    format!("#q-{}", record["incarnation"].as_str().unwrap())
}
