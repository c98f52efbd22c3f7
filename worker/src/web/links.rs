//! Links that agents give: to follow when they lead to the web, else words alone.

use pager_questions::Issue;
use url::Url;

use super::shown::Shown;

/// A link, when it is one that can be followed.
pub struct Link {
    /// What stands there.
    pub text: Shown,
    /// http or https.
    pub url: Option<String>,
}

impl Link {
    /// Under these words; under its address when they are empty.
    pub fn of(text: &str, url: &str) -> Self {
        let words = if text.trim().is_empty() { url } else { text };
        Self { text: Shown::of(words), url: followable(url) }
    }

    /// To the matter in its tracker.
    pub fn to_issue(issue: &Issue) -> Self {
        Self::of(&format!("{} {}", issue.tracker, issue.key), &issue.url)
    }
}

fn followable(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(followable("https://tracker.example/1?a=b\"c"), Some("https://tracker.example/1?a=b%22c".to_owned()));
        for hostile in ["javascript:alert(1)", "data:text/html,x", "//evil.example", " file:///etc/passwd", "vbscript:x"] {
            assert_eq!(followable(hostile), None, "{hostile}");
        }
    }

    #[test]
    fn a_link_without_words_shows_its_address() {
        assert_eq!(Link::of(" ", "https://example.org/").text.to_string(), "https://example.org/");
    }
}
