//! The bot, its chat and whom it obeys.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use super::reader::Reader;
use super::server::Server;
use super::webhook::Receiving;

/// `telegram.*`; only there with a token.
#[derive(Debug)]
pub struct Telegram {
    /// The bot's token.
    pub token: SecretString,
    /// The chat that questions are shown in.
    pub chat_id: i64,
    /// Numeric user ids of those who decide. Never empty.
    pub owners: Vec<i64>,
    /// How updates come in.
    pub receiving: Receiving,
    /// Telegram, or a fake of it.
    pub api_url: Url,
    /// Writing calls a minute in a group.
    pub group_budget_per_minute: u32,
    /// What becomes of the topics of ended questions.
    pub tidying: Tidying,
}

/// `telegram.close_answered`, `telegram.delete_topics_after`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tidying {
    /// Close them.
    pub close_answered: bool,
    /// Delete them this long after the end; None: never.
    pub delete_topics_after: Option<Duration>,
}

impl Tidying {
    fn read(reader: &mut Reader) -> Self {
        let close_answered = reader.flag("telegram.close_answered");
        let delete_topics_after = reader.duration("telegram.delete_topics_after", "a time like 12h, 30d or never");
        Self { close_answered, delete_topics_after }
    }
}

impl Telegram {
    pub(super) fn read(reader: &mut Reader, server: &Server) -> Option<Self> {
        let wanted = reader.has("telegram.token") || reader.has("telegram.token_file");
        let token = reader.secret("telegram.token");
        let chat_id = reader.parsed("telegram.chat_id", "a chat's numeric id like -1001234567890");
        let owners: Vec<i64> = reader.list("telegram.owners", "a numeric user id").unwrap_or_default();
        let usual = Url::parse("https://api.telegram.org").expect("a constant");
        let api_url = reader.parsed("telegram.api_url", "a URL like https://api.telegram.org").unwrap_or(usual);
        let budget: Option<u32> = reader.parsed("telegram.group_budget_per_minute", "a number of calls");
        if budget.is_some_and(|budget| budget < 4) {
            reader.problem("telegram.group_budget_per_minute", "is under 4; one question alone takes about five calls");
        }
        let receiving = Receiving::read(reader, server, &api_url, wanted);
        let tidying = Tidying::read(reader);
        if !wanted {
            return None;
        }
        if chat_id.is_none() {
            reader.missing("telegram.chat_id", "is missing; set the numeric id of the chat");
        }
        if owners.is_empty() {
            reader.missing(
                "telegram.owners",
                "is empty; with a token it must name at least one numeric user id, else nobody could decide",
            );
        }
        let budget = budget.unwrap_or(20);
        let (token, chat_id, receiving) = (token?, chat_id?, receiving?);
        Some(Self { token, chat_id, owners, receiving, api_url, group_budget_per_minute: budget, tidying })
    }
}
