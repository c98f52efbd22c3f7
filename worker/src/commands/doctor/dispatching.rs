//! The agents' token for dispatching: it can send events, cannot write answers, and cannot pass for pagerd.

use pager_answers::github::{Access, RepositoryName, USUAL_API};
use url::Url;

use super::Report;
use crate::commands::repository::{Caller, Right};

const CHECK: &str = "dispatch token";

/// What the token is held against.
pub(super) struct Dispatching<'a> {
    /// What it must not write into.
    pub(super) answers: Option<&'a RepositoryName>,
    /// Where it sends events to.
    pub(super) control: Option<&'a RepositoryName>,
    /// The account that pagerd sends as, when workflows there go on for that one alone.
    pub(super) own_account: Option<u64>,
}

/// Looks at it. Whoever may dispatch can push, too: with the right on the answers an agent could answer itself.
pub(super) async fn check(access: &Access, against: &Dispatching<'_>, report: &mut Report) {
    let caller = match Caller::new(access) {
        Ok(caller) => caller,
        Err(wrong) => return report.fail(CHECK, wrong, "correct github.api_url"),
    };
    if let Some(name) = against.control {
        match caller.may_write(name).await {
            Right::Has => report.ok(CHECK, format!("it can send events to {name}")),
            Right::NotTaken(reason) => return not_taken(&reason, report),
            Right::Lacks(reason) => {
                let fix = format!("give it Contents: read and write on {name}, and on nothing else");
                report.fail(CHECK, format!("it cannot send events to {name}: {reason}"), fix);
            }
            Right::NotKnown(reason) => {
                report.warn(CHECK, format!("whether it can send events is not known: {reason}"), "run this again")
            }
        }
        own_account(&caller, name, against.own_account, report).await;
    }
    let Some(name) = against.answers else { return };
    match caller.may_write(name).await {
        Right::Has => {
            let alone = against.control.map_or_else(|| "the control repository".to_owned(), ToString::to_string);
            let fix = format!("make one that has {alone} alone; agents read answers with a second token");
            report.fail(CHECK, format!("it can write into {name}: an agent could forge its own answers"), fix);
        }
        Right::Lacks(_) => report.ok(CHECK, format!("it cannot write into {name}")),
        Right::NotTaken(reason) => not_taken(&reason, report),
        Right::NotKnown(reason) => {
            report.warn(CHECK, format!("whether it can write into {name} is not known: {reason}"), "run this again");
        }
    }
}

fn not_taken(reason: &str, report: &mut Report) {
    let fix = "make a new one and hand it out to the agents; this one has expired, was revoked, or is none";
    report.fail(CHECK, format!("the token is not taken by GitHub: {reason}"), fix);
}

/// Events are told apart by their sender alone.
async fn own_account(caller: &Caller, name: &RepositoryName, own: Option<u64>, report: &mut Report) {
    let theirs = caller.account(name).await;
    if let (Some(own), Some((login, theirs))) = (own, theirs)
        && own == theirs
    {
        let says = format!("it belongs to {login}, as pagerd's does: what agents send can pass for pagerd's own events");
        report.warn(CHECK, says, "let pagerd be a GitHub App or an account of its own, and name that in PAGER_SENDER");
    }
}

/// The repository on this GitHub that the git program is led to by `answers.url`.
pub(super) fn repository_at(url: &str, api_url: &str) -> Option<RepositoryName> {
    let plain = url.strip_prefix("git+").unwrap_or(url);
    let (host, path) = match Url::parse(plain) {
        Ok(url) if url.has_host() => (url.host_str()?.to_owned(), url.path().to_owned()),
        _ => {
            let (place, path) = plain.split_once(':')?;
            (place.rsplit_once('@')?.1.to_owned(), path.to_owned())
        }
    };
    let wanted = if api_url == USUAL_API { "github.com".to_owned() } else { Url::parse(api_url).ok()?.host_str()?.to_owned() };
    let path = path.trim_matches('/');
    host.eq_ignore_ascii_case(&wanted).then(|| path.strip_suffix(".git").unwrap_or(path).parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_the_git_program_names_a_repository_of_the_same_github() {
        let name = |url, api| repository_at(url, api).map(|name| name.to_string());
        for url in [
            "git+https://github.com/me/answers.git",
            "https://me:secret@github.com/me/answers",
            "git+ssh://git@github.com/me/answers.git",
            "git@github.com:me/answers.git",
        ] {
            assert_eq!(name(url, USUAL_API).as_deref(), Some("me/answers"), "{url}");
            assert_eq!(name(url, "https://github.example/api/v3"), None, "{url}");
        }
        let own = name("git+https://github.example/me/answers.git", "https://github.example/api/v3");
        assert_eq!(own.as_deref(), Some("me/answers"));
        for other in ["git+https://gitlab.com/me/answers.git", "file:/a/b", "git+file:/a/b", "git+https://github.com/me", "x"] {
            assert_eq!(name(other, USUAL_API), None, "{other}");
        }
    }
}
