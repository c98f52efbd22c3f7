//! The branch on which events lie as files, for a pagerd that nobody can reach from outside.

use super::Reader;

/// Where events are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inbox {
    /// On the branch of the control repository, `control.repo`.
    Repository,
    /// On the branch of this git repository: an address that the git program takes, without credentials in it.
    Url(String),
}

impl Inbox {
    pub(super) fn read(reader: &mut Reader, has_repository: bool) -> Option<Self> {
        let is_set = reader.has("control.inbox");
        let kind = reader.text("control.inbox");
        let url = reader.text("control.inbox_url").filter(|url| is_url(reader, url));
        match kind.as_deref() {
            Some("branch") => {}
            Some(other) => {
                let detail = format!("is {other:?}; the only inbox is \"branch\"");
                reader.problem("control.inbox", &detail);
                return None;
            }
            None => {
                if url.is_some() && !is_set {
                    reader.problem("control.inbox_url", "is set without control.inbox; set that to \"branch\" too");
                }
                return None;
            }
        }
        match (url, has_repository) {
            (Some(url), _) => Some(Self::Url(url)),
            (None, true) => Some(Self::Repository),
            (None, false) => {
                reader.missing("control.inbox_url", "is missing; an inbox needs it, or control.repo");
                None
            }
        }
    }
}

/// Something, and nothing with a password in it: an address is shown in logs and to other processes.
fn is_url(reader: &mut Reader, url: &str) -> bool {
    if url.trim().is_empty() {
        reader.problem("control.inbox_url", "is empty; name a git repository, or take it out");
        return false;
    }
    if url::Url::parse(url).is_ok_and(|url| url.password().is_some()) {
        reader.problem("control.inbox_url", "holds a password; take it out of the address, and set it as answers.token");
        return false;
    }
    true
}
