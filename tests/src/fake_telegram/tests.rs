//! The fake checked from outside, over HTTP as a client sees it.
#![expect(clippy::unwrap_used)]

mod callbacks;
mod faults;
mod messages;
mod page;
mod people;
mod schema;
mod topics;
mod transport;
mod updates;
mod webhooks;

use serde_json::{Value, json};

use super::{FORUM, FakeTelegram, TOKEN};

/// A fake with a client.
struct Check {
    telegram: FakeTelegram,
    client: reqwest::Client,
}

impl Check {
    async fn start() -> Self {
        Self { telegram: FakeTelegram::start().await, client: reqwest::Client::new() }
    }

    fn url(&self, method: &str) -> String {
        format!("{}/bot{TOKEN}/{method}", self.telegram.base_url())
    }

    async fn try_call(&self, method: &str, parameters: Value) -> reqwest::Result<Value> {
        let request = self.client.post(self.url(method)).json(&parameters);
        let response = request.send().await?;
        let status = response.status().as_u16();
        let body: Value = response.json().await?;
        if body["ok"] == false {
            assert_eq!(body["error_code"], status, "the status is the code");
        } else {
            assert_eq!((status, &body["ok"]), (200, &json!(true)));
        }
        Ok(body)
    }

    async fn body(&self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).await.unwrap()
    }

    /// The result of a call that must succeed.
    async fn done(&self, method: &str, parameters: Value) -> Value {
        let body = self.body(method, parameters).await;
        assert_eq!(body["ok"], true, "{method}: {body}");
        body["result"].clone()
    }

    /// The code and description of a call that must be refused.
    async fn refused(&self, method: &str, parameters: Value) -> String {
        let body = self.body(method, parameters).await;
        assert_eq!(body["ok"], false, "{method}: {body}");
        format!("{} {}", body["error_code"], body["description"].as_str().unwrap())
    }

    async fn topic(&self, name: &str) -> i64 {
        let topic = self.done("createForumTopic", json!({ "chat_id": FORUM, "name": name })).await;
        topic["message_thread_id"].as_i64().unwrap()
    }

    /// A message with two buttons, `yes` and `no`, in General.
    async fn question(&self) -> i64 {
        let message = self
            .done(
                "sendMessage",
                json!({
                    "chat_id": FORUM, "text": "Deploy?", "reply_markup": keyboard(&["Yes", "No"]),
                }),
            )
            .await;
        message["message_id"].as_i64().unwrap()
    }
}

/// One row for each label; the data is the label in lower case.
fn keyboard(labels: &[&str]) -> Value {
    let rows: Vec<_> = labels.iter().map(|label| json!([{ "text": label, "callback_data": label.to_lowercase() }])).collect();
    json!({ "inline_keyboard": rows })
}
