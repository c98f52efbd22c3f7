//! Receiving: updates as raw JSON, since a typed parser loses what it does not know; and what stands in their way.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::chats::read;
use super::{Telegram, call::unreadable};
use crate::outcome::Failure;

/// What Telegram tells about the webhook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WebhookInfo {
    /// Where updates go; empty when none is set. Of somebody else's, it may hold a secret.
    #[serde(default)]
    pub url: String,
    /// How many updates wait.
    #[serde(default)]
    pub pending_update_count: i64,
    /// When a delivery failed last, in seconds since 1970.
    #[serde(default)]
    pub last_error_date: Option<i64>,
    /// Why it failed.
    #[serde(default)]
    pub last_error_message: String,
    /// The kinds of updates that come; empty for the usual ones.
    #[serde(default)]
    pub allowed_updates: Vec<String>,
}

impl Telegram {
    /// Waits up to `timeout_seconds` (Telegram cuts it to 50) for updates from `offset` on; asking confirms all before it.
    /// The client waits longer than the poll, so a dead connection ends by itself.
    ///
    /// # Errors
    /// [`Failure`]; asking again is safe after every kind of it.
    pub async fn get_updates(
        &self,
        offset: Option<i64>,
        timeout_seconds: u32,
        allowed_updates: &[&str],
    ) -> Result<Vec<Value>, Failure> {
        let mut parameters = json!({"timeout": timeout_seconds, "limit": 100, "allowed_updates": allowed_updates});
        if let Some(offset) = offset {
            parameters["offset"] = offset.into();
        }
        let patience = self.patience.saturating_add(Duration::from_secs(u64::from(timeout_seconds)));
        match self.call_within("getUpdates", &parameters, patience).await? {
            Value::Array(updates) => Ok(updates),
            _ => Err(unreadable("getUpdates")),
        }
    }

    /// Has updates sent to an address, with a secret in a header; what waits is kept and sent, too. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; Telegram takes one such call a second.
    pub async fn set_webhook(
        &self,
        url: &str,
        secret: &str,
        max_connections: u32,
        allowed_updates: &[&str],
    ) -> Result<(), Failure> {
        let parameters = json!({
            "url": url, "secret_token": secret, "max_connections": max_connections, "allowed_updates": allowed_updates,
            "drop_pending_updates": false,
        });
        self.call("setWebhook", &parameters).await.map(drop)
    }

    /// The webhook as Telegram knows it.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn webhook_info(&self) -> Result<WebhookInfo, Failure> {
        read("getWebhookInfo", self.call("getWebhookInfo", &json!({})).await?)
    }

    /// Takes a webhook out of the poll's way; the updates that wait are kept.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn delete_webhook(&self) -> Result<(), Failure> {
        self.call("deleteWebhook", &json!({"drop_pending_updates": false})).await.map(drop)
    }

    /// Answers a press. At once, for every press: until then the button spins.
    ///
    /// # Errors
    /// [`Failure`]; `QueryTooOld` is harmless.
    pub async fn answer_callback(&self, callback_id: &str, text: &str) -> Result<(), Failure> {
        self.call("answerCallbackQuery", &json!({"callback_query_id": callback_id, "text": text})).await.map(drop)
    }

    /// Sets the menu of commands (name, description) of some chats. A narrower scope wins.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn set_my_commands(&self, commands: &[(&str, &str)], scope: Scope) -> Result<(), Failure> {
        let list: Vec<Value> =
            commands.iter().map(|(name, description)| json!({"command": name, "description": description})).collect();
        let scope = match scope {
            Scope::Everywhere => json!({"type": "default"}),
            Scope::PrivateChats => json!({"type": "all_private_chats"}),
            Scope::Chat(chat) => json!({"type": "chat", "chat_id": chat}),
        };
        self.call("setMyCommands", &json!({"commands": list, "scope": scope})).await.map(drop)
    }
}

/// Which chats a menu is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every chat without a menu of its own.
    Everywhere,
    /// Private chats.
    PrivateChats,
    /// This one.
    Chat(i64),
}
