//! What a reply of GitHub's means that is not what was hoped for. The same status is a limit, a lack of rights or their own
//! trouble: headers and words tell which.

use std::time::Duration;

use super::client::Reply;
use crate::distant::Trouble;
use crate::json::Json;

/// Classifies it. What a 404, 409 or 422 means at one path is for the caller to know first.
pub fn trouble(reply: &Reply, token: &str) -> Trouble {
    let status = reply.status;
    let message = message(reply);
    match status {
        403 | 429 if is_limit(reply, &message) => {
            Trouble::Limited { words: format!("GitHub limits requests ({status}): {message}"), wait: wait(reply) }
        }
        401 => Trouble::Refused(format!(
            "GitHub does not accept the token of {token}: {message}; it may have expired, make a new one"
        )),
        403 => {
            let wanted = reply.header("x-accepted-github-permissions").filter(|text| !text.is_empty());
            let wanted = wanted.map(|text| format!("; it asks for {text}")).unwrap_or_default();
            Trouble::Refused(format!("GitHub refuses this to the token of {token}: {message}{wanted}"))
        }
        408 | 500.. => Trouble::Passing(format!("GitHub failed ({status}): {message}")),
        300..=399 => Trouble::Refused(format!(
            "GitHub redirects ({status}) to where a token is not sent; was the repository renamed or moved? Use its new name"
        )),
        _ => Trouble::Refused(format!("GitHub answered {status}: {message}")),
    }
}

/// What GitHub says, with what it nests, and the request's id to ask its support with.
pub fn message(reply: &Reply) -> String {
    let document = Json::parse(&String::from_utf8_lossy(&reply.body)).unwrap_or(Json::Null);
    let mut words = document.text("message").unwrap_or("without a reason").to_owned();
    for error in document.get("errors").map(Json::items).unwrap_or_default() {
        if let Some(more) = error.text("message").or(error.as_text()) {
            words = format!("{words} ({more})");
        }
    }
    if let Some(id) = reply.header("x-github-request-id") {
        words = format!("{words} [request {id}]");
    }
    words
}

fn is_limit(reply: &Reply, message: &str) -> bool {
    let message = message.to_lowercase();
    reply.status == 429
        || reply.header("retry-after").is_some()
        || reply.header("x-ratelimit-remaining") == Some("0")
        || message.contains("rate limit")
        || message.contains("abuse detection")
}

/// For how long they ask to wait, by their own clock.
fn wait(reply: &Reply) -> Option<Duration> {
    let number = |name: &str| reply.header(name).and_then(|text| text.trim().parse::<u64>().ok());
    if let Some(seconds) = number("retry-after") {
        return Some(Duration::from_secs(seconds));
    }
    let reset = number("x-ratelimit-reset").filter(|_| reply.header("x-ratelimit-remaining") == Some("0"))?;
    let now = reply.date().unwrap_or_else(crate::again::now).as_millis() / 1000;
    // Their clock shows whole seconds: one more is safe.
    let left = reset.saturating_sub(u64::try_from(now).unwrap_or(0));
    Some(Duration::from_secs(if left == 0 { 0 } else { left + 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, headers: &[(&'static str, &str)], body: &str) -> Reply {
        let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Reply { status, headers, body: body.as_bytes().to_vec(), is_cut: false }
    }

    #[test]
    fn a_limit_is_told_by_headers_or_by_words_alone() {
        let check = |status, headers: &[(&'static str, &str)], body: &str, seconds: Option<u64>| match trouble(
            &reply(status, headers, body),
            "T",
        ) {
            Trouble::Limited { wait, .. } => assert_eq!(wait.map(|wait| wait.as_secs()), seconds),
            other => panic!("{other:?}"),
        };
        check(429, &[("retry-after", "7")], "", Some(7));
        let reset =
            [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1796045200"), ("date", "Mon, 30 Nov 2026 13:25:03 GMT")];
        check(403, &reset, "{}", Some(98));
        check(403, &[], r#"{"message":"You have exceeded a secondary rate limit."}"#, None);
        check(429, &[("x-ratelimit-remaining", "12")], "", None);
    }

    #[test]
    fn no_right_is_no_limit_and_names_the_token() {
        let words = |status, headers: &[(&'static str, &str)]| match trouble(
            &reply(status, headers, r#"{"message":"No"}"#),
            "GH_TOKEN",
        ) {
            Trouble::Refused(words) => words,
            other => panic!("{other:?}"),
        };
        assert!(words(401, &[]).contains("GH_TOKEN"));
        let permission = [("x-accepted-github-permissions", "contents=write"), ("x-ratelimit-remaining", "12")];
        assert!(words(403, &permission).contains("contents=write"));
    }

    #[test]
    fn nested_words_and_the_requests_id_are_passed_on() {
        let reply = reply(422, &[("x-github-request-id", "A:1")], r#"{"message":"No","errors":[{"message":"too many"},"x"]}"#);
        assert_eq!(message(&reply), "No (too many) (x) [request A:1]");
    }
}
