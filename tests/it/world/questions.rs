//! Asking, and looking at what became of a question.

use pager_tests::fake_telegram::{FORUM, Message};
use serde_json::{Value, json};

use super::World;
use super::until::until;

/// Where a question stands in the forum.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// Its topic.
    pub thread: i64,
    /// Its message.
    pub message: i64,
}

impl World {
    /// The agent asks for one of two options. The record.
    pub async fn asks(&self, id: &str) -> Value {
        self.asks_with(json!({
            "id": id, "text": format!("Release {id}?"),
            "options": [{"label": "Yes, release"}, {"label": "No"}],
        }))
        .await
    }

    /// The agent asks for own words. The record.
    pub async fn asks_for_words(&self, id: &str) -> Value {
        self.asks_with(json!({"id": id, "text": format!("Which port for {id}?"), "waiting_on": "the deploy"})).await
    }

    /// The agent asks one thing of every kind. The records, in this order: decision, approval, action, verify, several, private.
    pub async fn asks_everything(&self) -> Vec<Value> {
        let options = json!([
            {"id": "a", "label": "SQLite", "detail": "One file; one writer."},
            {"id": "b", "label": "PostgreSQL", "detail": "Many writers; one more service."},
        ]);
        let plain = json!([{"label": "Blog"}, {"label": "List"}, {"label": "Radio"}]);
        let mut records = Vec::new();
        for body in [
            json!({"id": "decide", "purpose": "decision", "text": "Which database?", "options": options, "recommended": "a",
                   "waiting_on": "the importer", "reversibility": "hard_to_reverse"}),
            json!({"id": "allow", "purpose": "approval", "text": "Drop the old tables?", "gate": "destructive_action",
                   "subject": "DROP TABLE old;\n-- \u{202e}elif", "waiting_on": "the migration"}),
            json!({"id": "act", "purpose": "action", "text": "Add the deploy key", "waiting_on": "the deploy",
                   "steps": ["Open the settings.", "Press Add."]}),
            json!({"id": "check", "purpose": "verify", "text": "Does the import work?", "waiting_on": "the task"}),
            json!({"id": "several", "text": "Where to announce it?", "options": plain, "multi": true, "group": "launch"}),
            json!({"id": "private", "text": "What is the password?", "secret": true, "waiting_on": "the import",
                   "group": "launch"}),
        ] {
            records.push(self.asks_with(body).await);
        }
        records
    }

    /// The agent asks for words that are for it alone. The record.
    pub async fn asks_in_secret(&self, id: &str) -> Value {
        self.asks_with(json!({"id": id, "text": format!("Which key for {id}?"), "waiting_on": "the deploy", "secret": true}))
            .await
    }

    /// The agent asks just this. The record.
    pub async fn asks_with(&self, body: Value) -> Value {
        self.agent().post("/v1/questions", &body).await.with(201)
    }

    /// The record, as its agent sees it.
    pub async fn record(&self, id: &str) -> Value {
        self.agent().get(&format!("/v1/questions/{id}")).await.with(200)
    }

    /// The record once it fits, over restarts.
    pub async fn record_when(&self, id: &str, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let agent = self.agent();
        until(&format!("{id} is {what}"), async || {
            let request = agent.request(reqwest::Method::GET, &format!("/v1/questions/{id}"));
            let record = super::sent(request).await.ok().filter(|reply| reply.status == 200)?.json();
            fits(&record).then_some(record)
        })
        .await
    }

    /// The record once it is in this state, as an owner sees it: whoever asked.
    pub async fn owner_record_when(&self, id: &str, state: &str) -> Value {
        let owner = self.owner();
        until(&format!("{id} is {state}"), async || {
            let record = owner.get(&format!("/v1/questions/{id}")).await.with(200);
            (record["state"] == state).then_some(record)
        })
        .await
    }

    /// The record once it is in this state.
    pub async fn in_state(&self, id: &str, state: &str) -> Value {
        self.record_when(id, state, |record| record["state"] == state).await
    }

    /// The record once its delivery is in this state.
    pub async fn delivered(&self, id: &str, state: &str) -> Value {
        self.record_when(id, state, |record| record["delivery"]["state"] == state).await
    }

    /// Where the question stands, once it is shown.
    pub async fn shown(&self, id: &str) -> Shown {
        place(&self.delivered(id, "shown").await)
    }

    /// The same of a question that another than the agent asked.
    pub async fn shown_to_owner(&self, id: &str) -> Shown {
        let owner = self.owner();
        let record = until(&format!("{id} is shown"), async || {
            let record = owner.get(&format!("/v1/questions/{id}")).await.with(200);
            (record["delivery"]["state"] == "shown").then_some(record)
        })
        .await;
        place(&record)
    }

    /// Asks for one of two options and waits until it is shown.
    pub async fn asks_and_shows(&self, id: &str) -> Shown {
        self.asks(id).await;
        self.shown(id).await
    }

    /// The question's message as it is.
    pub fn message(&self, shown: Shown) -> Message {
        self.telegram().message(FORUM, shown.message).expect("the message is there")
    }

    /// The question's message once its words hold these.
    pub async fn message_says(&self, shown: Shown, words: &str) -> Message {
        let fits = |message: &Message| message.id == shown.message && message.words().contains(words);
        self.telegram().wait_for_message(&format!("message that says {words:?}"), fits).await.unwrap()
    }

    /// The question's message once it has its end: no buttons, the topic with ✅.
    pub async fn closed(&self, shown: Shown) -> Message {
        let ended = self.icon("✅").await;
        let is_marked = |message: &Message| message.id == shown.message && message.keyboard.is_empty();
        self.telegram().wait_for_message("message without buttons", is_marked).await.unwrap();
        let marked = async || self.telegram().topic(shown.thread).filter(|topic| topic.icon == ended);
        until("the topic has ✅", marked).await;
        // One that never had buttons was found before its end was shown: the mark comes behind that.
        self.message(shown)
    }

    /// The replies in a topic: everything there that is neither the question nor a person's.
    pub fn replies(&self, shown: Shown) -> Vec<Message> {
        let mut messages = self.telegram().messages_in_topic(shown.thread);
        messages.retain(|message| message.id != shown.message && message.from == pager_tests::fake_telegram::BOT);
        messages
    }

    /// The only reply in a topic, once it is there.
    pub async fn reply(&self, shown: Shown) -> Message {
        let reply = until("there is a reply", async || self.replies(shown).pop()).await;
        assert_eq!(self.replies(shown).len(), 1);
        reply
    }

    /// The replies in a topic once pagerd handled and sent everything by now: `/help` comes last and is left out.
    pub async fn replies_by_now(&self, shown: Shown) -> Vec<String> {
        let is_help = |message: &Message| message.words().starts_with("Each question has a topic");
        let before = self.replies(shown).into_iter().filter(is_help).count();
        self.telegram().write_in_topic(shown.thread, "/help").unwrap();
        until("the help is there", async || {
            let replies = self.replies(shown);
            (replies.iter().filter(|message| is_help(message)).count() > before).then_some(())
        })
        .await;
        self.replies(shown).iter().filter(|message| !is_help(message)).map(|message| message.words().to_owned()).collect()
    }

    /// The id of a topic icon.
    pub async fn icon(&self, emoji: &str) -> String {
        let url = format!("{}/bot{}/getForumTopicIconStickers", self.telegram().base_url(), pager_tests::fake_telegram::TOKEN);
        let reply: Value =
            reqwest::Client::builder().no_proxy().build().unwrap().get(url).send().await.unwrap().json().await.unwrap();
        let stickers = reply["result"].as_array().unwrap();
        let is_it = |sticker: &&Value| sticker["emoji"].as_str().unwrap().trim_end_matches('\u{fe0f}') == emoji;
        stickers.iter().find(is_it).unwrap()["custom_emoji_id"].as_str().unwrap().to_owned()
    }
}

/// Where a shown record's link leads.
fn place(record: &Value) -> Shown {
    let link = record["delivery"]["link"].as_str().expect("what is shown has a link");
    let parts: Vec<i64> = link.strip_prefix("https://t.me/c/").unwrap().split('/').map(|part| part.parse().unwrap()).collect();
    assert_eq!(format!("-100{}", parts[0]), FORUM.to_string());
    Shown { thread: parts[1], message: parts[2] }
}
