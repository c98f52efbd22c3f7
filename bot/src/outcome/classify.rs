//! From what came back to a failure, by the texts that the Bot API server is known to send.
//! The texts are no promised interface: what is not known stays [`Kind::Other`], with its reason.

use std::time::Duration;

use serde_json::Value;

use super::{Failure, Kind};

/// The most characters of a reason.
const MOST_REASON: usize = 200;

/// Telegram's words, in lower case, and what they mean. The first row whose words stand in the description counts.
const TABLE: [(&str, Kind); 32] = [
    ("message is not modified", Kind::NotModified),
    ("topic_not_modified", Kind::NotModified),
    ("message thread not found", Kind::ThreadNotFound),
    ("topic_deleted", Kind::ThreadNotFound),
    ("topic_id_invalid", Kind::ThreadNotFound),
    ("invalid forum topic identifier", Kind::ThreadNotFound),
    ("topic_closed", Kind::TopicClosed),
    ("the chat is not a forum", Kind::NotAForum),
    ("the chat is not a supergroup forum", Kind::NotAForum),
    ("not enough rights", Kind::NoRights),
    ("have no rights", Kind::NoRights),
    ("need administrator rights", Kind::NoRights),
    ("chat_admin_required", Kind::NoRights),
    ("chat_write_forbidden", Kind::NoRights),
    ("chat not found", Kind::ChatGone),
    ("bot was kicked", Kind::ChatGone),
    ("bot was blocked", Kind::ChatGone),
    ("bot is not a member", Kind::ChatGone),
    ("chat was deleted", Kind::ChatGone),
    ("user is deactivated", Kind::ChatGone),
    ("can't initiate conversation", Kind::ChatGone),
    ("group is deactivated", Kind::ChatGone),
    ("message to edit not found", Kind::MessageGone),
    ("message can't be edited", Kind::MessageGone),
    ("message to delete not found", Kind::MessageGone),
    ("message can't be deleted", Kind::NotDeletable),
    ("message to react not found", Kind::MessageGone),
    ("message to be replied not found", Kind::MessageGone),
    ("message_id_invalid", Kind::MessageGone),
    ("reaction", Kind::ReactionRefused),
    ("query is too old", Kind::QueryTooOld),
    ("query_id_invalid", Kind::QueryTooOld),
];

/// What came back over HTTP: the `result`, or how it failed. `retry_header` is the `Retry-After` header in seconds.
///
/// # Errors
/// The [`Failure`] that the status and the body mean.
pub fn answered(status: u16, body: &[u8], retry_header: Option<u64>) -> Result<Value, Failure> {
    let body: Option<Value> = serde_json::from_slice(body).ok();
    if let Some(Value::Object(mut fields)) = body {
        match fields.get("ok") {
            Some(Value::Bool(true)) if (200..300).contains(&status) => {
                let missing = || Failure::Unknown { reason: "an answer without a result".to_owned() };
                return fields.remove("result").ok_or_else(missing);
            }
            Some(Value::Bool(false)) => return Err(refused(status, &Value::Object(fields), retry_header)),
            Some(_) | None => {}
        }
    }
    Err(without_telegram(status, retry_header))
}

/// A call that brought no answer at all. The address is left out, since it holds the token.
pub fn sending(error: &reqwest::Error) -> Failure {
    if error.is_builder() {
        return Failure::Permanent { kind: Kind::Other, reason: "the call could not be put together".to_owned() };
    }
    if error.is_connect() {
        return Failure::NotApplied { retry_after: None, reason: "no connection to Telegram".to_owned() };
    }
    let reason = if error.is_timeout() { "no answer in time" } else { "the connection broke" };
    Failure::Unknown { reason: reason.to_owned() }
}

fn refused(status: u16, body: &Value, retry_header: Option<u64>) -> Failure {
    let code = body.get("error_code").and_then(Value::as_u64).unwrap_or_else(|| u64::from(status));
    let description = body.get("description").and_then(Value::as_str).unwrap_or("no description");
    let reason: String = description.chars().take(MOST_REASON).collect();
    let parameter = |name: &str| body.pointer(&format!("/parameters/{name}"));
    if let Some(to) = parameter("migrate_to_chat_id").and_then(Value::as_i64) {
        return Failure::Permanent { kind: Kind::Migrated { to }, reason };
    }
    let retry_after = parameter("retry_after").and_then(Value::as_u64).or(retry_header);
    match code {
        429 => Failure::NotApplied { retry_after: Some(Duration::from_secs(retry_after.unwrap_or(1))), reason },
        409 => Failure::NotApplied { retry_after: retry_after.map(Duration::from_secs), reason },
        500.. => Failure::Unknown { reason },
        401 => Failure::Permanent { kind: Kind::BadToken, reason },
        404 if reason == "Not Found" => Failure::Permanent { kind: Kind::BadToken, reason },
        _ => Failure::Permanent { kind: kind(&reason), reason },
    }
}

fn kind(description: &str) -> Kind {
    let description = description.to_lowercase();
    TABLE.into_iter().find(|(words, _)| description.contains(words)).map_or(Kind::Other, |(_, kind)| kind)
}

/// Something on the way answered in Telegram's place.
fn without_telegram(status: u16, retry_header: Option<u64>) -> Failure {
    let reason = format!("HTTP status {status} without an answer of Telegram's");
    match status {
        429 => Failure::NotApplied { retry_after: Some(Duration::from_secs(retry_header.unwrap_or(1))), reason },
        408 => Failure::Unknown { reason },
        300..=499 => Failure::NotApplied { retry_after: retry_header.map(Duration::from_secs), reason },
        _ => Failure::Unknown { reason },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(code: u16, description: &str) -> Failure {
        let body = json!({"ok": false, "error_code": code, "description": description}).to_string();
        answered(code, body.as_bytes(), None).expect_err("a refusal")
    }

    #[test]
    fn each_known_text_has_its_meaning() {
        let check = |description: &str, kind: Kind| {
            assert_eq!(refusal(400, description).kind(), Some(&kind), "{description}");
        };
        check("Bad Request: message thread not found", Kind::ThreadNotFound);
        check("Bad Request: TOPIC_DELETED", Kind::ThreadNotFound);
        check("Bad Request: TOPIC_CLOSED", Kind::TopicClosed);
        check("Bad Request: TOPIC_NOT_MODIFIED", Kind::NotModified);
        check("Bad Request: message is not modified: specified new message content and …", Kind::NotModified);
        check("Bad Request: the chat is not a forum", Kind::NotAForum);
        check("Bad Request: not enough rights to create a topic", Kind::NoRights);
        check("Bad Request: chat not found", Kind::ChatGone);
        check("Forbidden: bot was blocked by the user", Kind::ChatGone);
        check("Forbidden: bot was kicked from the supergroup chat", Kind::ChatGone);
        check("Forbidden: bot is not a member of the supergroup chat", Kind::ChatGone);
        check("Bad Request: message to edit not found", Kind::MessageGone);
        check("Bad Request: message to react not found", Kind::MessageGone);
        check("Bad Request: message to delete not found", Kind::MessageGone);
        check("Bad Request: message can't be deleted", Kind::NotDeletable);
        check("Bad Request: REACTION_INVALID", Kind::ReactionRefused);
        check("Bad Request: query is too old and response timeout expired or query ID is invalid", Kind::QueryTooOld);
        check("Bad Request: something that nobody has met", Kind::Other);
    }

    #[test]
    fn a_wrong_token_is_told_from_an_unknown_method() {
        assert_eq!(refusal(401, "Unauthorized").kind(), Some(&Kind::BadToken));
        assert_eq!(refusal(404, "Not Found").kind(), Some(&Kind::BadToken));
        assert_eq!(refusal(404, "Not Found: method not found").kind(), Some(&Kind::Other));
    }

    #[test]
    fn a_flood_limit_says_how_long_to_wait() {
        let body = br#"{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 137","parameters":{"retry_after":137}}"#;
        let wait = |failure| match failure {
            Failure::NotApplied { retry_after, .. } => retry_after,
            Failure::Permanent { .. } | Failure::Unknown { .. } => None,
        };
        assert_eq!(answered(429, body, None).map_err(wait), Err(Some(Duration::from_secs(137))));
        assert_eq!(answered(429, b"slow down", Some(7)).map_err(wait), Err(Some(Duration::from_secs(7))));
        assert_eq!(answered(429, b"", None).map_err(wait), Err(Some(Duration::from_secs(1))));
    }

    #[test]
    fn the_new_id_of_a_migrated_group_is_read() {
        let body = br#"{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded to a supergroup chat",
            "parameters":{"migrate_to_chat_id":-1001}}"#;
        let failure = answered(400, body, None).expect_err("a refusal");
        assert_eq!(failure.kind(), Some(&Kind::Migrated { to: -1001 }));
    }

    #[test]
    fn a_conflict_is_not_applied_and_a_webhook_is_named() {
        let webhook =
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
        let poller = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
        assert!(refusal(409, webhook).is_webhook_in_the_way());
        assert!(refusal(409, poller).is_conflict() && !refusal(409, poller).is_webhook_in_the_way());
    }

    #[test]
    fn what_may_have_happened_is_unknown() {
        let unknown = |status, body: &[u8]| matches!(answered(status, body, None), Err(Failure::Unknown { .. }));
        assert!(unknown(500, br#"{"ok":false,"error_code":500,"description":"Internal Server Error: restart"}"#));
        assert!(unknown(502, b"<html>Bad Gateway</html>"));
        assert!(unknown(504, b""));
        assert!(unknown(200, b"<html>hello</html>"));
        assert!(unknown(200, br#"{"ok":true}"#));
    }

    #[test]
    fn a_refusal_by_something_on_the_way_is_tried_again() {
        for status in [302, 403, 404, 413] {
            assert!(matches!(answered(status, b"<html>", None), Err(Failure::NotApplied { .. })), "{status}");
        }
    }

    #[test]
    fn a_reason_never_grows_without_bound() {
        let failure = refusal(400, &"ä".repeat(10_000));
        assert_eq!(failure.reason().chars().count(), MOST_REASON);
    }

    #[test]
    fn every_published_error_is_classified() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/telegram/errors.json");
        // The published list is kept outside of the repository; the texts that matter are in the tests above.
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let list: Value = serde_json::from_str(&text).expect("JSON");
        let mut other = Vec::new();
        for error in list["errors"].as_array().expect("a list") {
            let code = u16::try_from(error["error_code"].as_u64().expect("a code")).expect("a status");
            let description = error["description"].as_str().expect("a text");
            let failure = refusal(code, description);
            let fitting = match code {
                429 | 409 => matches!(failure, Failure::NotApplied { .. }),
                500.. => matches!(failure, Failure::Unknown { .. }),
                _ => matches!(failure, Failure::Permanent { .. }),
            };
            assert!(fitting, "{code} {description}: {failure:?}");
            if failure.kind() == Some(&Kind::Other) {
                other.push(description.to_owned());
            }
        }
        insta::assert_snapshot!(other.join("\n"), @"
        Not Found: method not found
        Bad Request: chat_id is empty
        Bad Request: group chat was upgraded to a supergroup chat
        Bad Request: message text is empty
        Bad Request: text must be non-empty
        Bad Request: text is too long
        Bad Request: message is too long
        Bad Request: can't parse entities: …
        Bad Request: unsupported parse_mode
        Bad Request: name must be non-empty
        Bad Request: invalid icon color specified
        Bad Request: message identifier is not specified
        Bad Request: BUTTON_DATA_INVALID
        Bad Request: inline keyboard expected
        Bad Request: text buttons are unallowed in the inline keyboard
        Bad Request: reply markup is too long
        Bad Request: can't parse reply keyboard markup JSON object
        Bad Request: object expected as reply markup
        Bad Request: invalid webhook URL specified
        Bad Request: secret token is too long
        Bad Request: secret token contains unallowed characters
        Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443
        Bad Request: bad webhook: An HTTPS URL must be provided for webhook
        Bad Request: file is too big
        ");
    }

    proptest::proptest! {
        #[test]
        fn any_answer_has_an_outcome(status: u16, body: Vec<u8>, text: String, retry: Option<u64>) {
            let _ = answered(status, &body, retry);
            let body = json!({"ok": false, "description": text}).to_string();
            proptest::prop_assert!(answered(status, body.as_bytes(), retry).is_err());
        }
    }
}
