//! What is looked at before the bot is trusted with anything: Telegram's clock.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::json;

use super::{Telegram, chats::read};
use crate::api::Me;
use crate::outcome::Failure;

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
}
