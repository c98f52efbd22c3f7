//! `--issue`: a link to the matter in some tracker, as `URL` or `TRACKER:KEY=URL`.

use serde_json::{Value, json};

/// Reads one. Of a bare URL, the host names the tracker and the end of the path the key; GitHub's are written as people
/// write them, `owner/repo#42`.
///
/// # Errors
/// When it is neither form.
pub fn parse(text: &str) -> Result<Value, String> {
    if is_web(text) {
        let (tracker, key) = name(text);
        return Ok(json!({"tracker": tracker, "key": key, "url": text}));
    }
    let shape = "write it as a URL (https://…), or as TRACKER:KEY=URL like linear:ENG-7=https://…";
    let (name, url) = text.split_once('=').ok_or(shape)?;
    let (tracker, key) = name.split_once(':').ok_or(shape)?;
    if tracker.is_empty() || key.is_empty() || !is_web(url) {
        return Err(shape.to_owned());
    }
    Ok(json!({"tracker": tracker, "key": key, "url": url}))
}

fn is_web(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

fn name(url: &str) -> (String, String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let mut parts = rest.split('/').filter(|part| !part.is_empty());
    let host = parts.next().unwrap_or_default();
    let path: Vec<&str> = parts.collect();
    match path[..] {
        [owner, repository, "issues" | "pull", number, ..] if host == "github.com" => {
            ("github".to_owned(), format!("{owner}/{repository}#{number}"))
        }
        [.., last] => (host.to_owned(), last.to_owned()),
        [] => (host.to_owned(), host.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn an_issue_is_a_link_with_a_name() {
        let check = |text: &str, tracker: &str, key: &str, url: &str| {
            assert_eq!(parse(text).unwrap(), json!({"tracker": tracker, "key": key, "url": url}), "{text}");
        };
        let github = "https://github.com/ada/engine/issues/42";
        check(github, "github", "ada/engine#42", github);
        check("https://tracker.example/browse/ENG-7?x=1", "tracker.example", "ENG-7", "https://tracker.example/browse/ENG-7?x=1");
        check("http://tracker.example", "tracker.example", "tracker.example", "http://tracker.example");
        check("linear:ENG-7=https://linear.app/x?a=b", "linear", "ENG-7", "https://linear.app/x?a=b");
    }

    #[test]
    fn anything_else_is_refused_with_both_forms() {
        for text in ["", "42", "javascript:alert(1)", "a:b=ftp://x", ":k=https://x", "t:=https://x", "t=https://x"] {
            assert!(parse(text).unwrap_err().contains("TRACKER:KEY=URL"), "{text:?}");
        }
    }
}
