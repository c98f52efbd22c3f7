//! What is looked at before the bot is trusted with anything: Telegram's clock, and whether a webhook takes the updates.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde::Deserialize;
use serde_json::json;

use super::{Telegram, chats::read};
use crate::api::Me;
use crate::outcome::Failure;

/// What takes the bot's updates.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WebhookInfo {
    /// The webhook's address, which may hold a secret; empty without a webhook.
    #[serde(default)]
    pub url: String,
    /// How many updates wait.
    #[serde(default)]
    pub pending_update_count: u64,
}

impl Telegram {
    /// The bot itself, and the time by Telegram's clock when it answered; None when the answer carries no date.
    ///
    /// # Errors
    /// [`Failure`]; `BadToken` when the token is not taken.
    pub async fn get_me_and_time(&self) -> Result<(Me, Option<Timestamp>), Failure> {
        let (result, date) = self.call_with_date("getMe", &json!({})).await?;
        let time = date.and_then(|date| DateTimeParser::new().parse_timestamp(&date).ok());
        Ok((read("getMe", result)?, time))
    }

    /// Whether a webhook is set.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn get_webhook_info(&self) -> Result<WebhookInfo, Failure> {
        read("getWebhookInfo", self.call("getWebhookInfo", &json!({})).await?)
    }
}
