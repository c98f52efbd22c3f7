//! The way of events through the control repository: the workflow that carries them in says what pagerd expects, pagerd looks
//! where they go, and those that carry pagerd's own events on know it as their sender.

use super::Report;
use crate::commands::repository::{Caller, Repository};
use crate::configuration::control::Oidc;
use crate::configuration::{Control, Inbox};

const CHECK: &str = "control repository";
const FOLDER: &str = ".github/workflows";
const FORWARD: &str = "pager-forward.yml";
/// Those that go on for pagerd alone.
const FOR_PAGERD: [&str; 2] = ["pager-answered.yml", "pager-text.yml"];

/// Looks at it. The account that pagerd sends as, when workflows there go on for that one alone.
pub(super) async fn check(caller: &Caller, found: &Repository, control: &Control, report: &mut Report) -> Option<u64> {
    let pinned = control.oidc.as_ref().and_then(|oidc| pins(oidc, found, report));
    let file = format!("{FOLDER}/{}", pinned.as_deref().unwrap_or(FORWARD));
    let is_there = match caller.file(&found.name, &file).await {
        Ok(Some(_)) => {
            report.ok(CHECK, format!("it has {file}"));
            true
        }
        Ok(None) => {
            let says = format!("it has no {file} on {}, so agents' events go nowhere", found.default_branch);
            let fix = match file.ends_with(FORWARD) {
                true => "copy the files of workflows/ there, or let pagerd setup --commit-workflows do it",
                false => "put it there, or correct control.oidc.workflow_ref",
            };
            report.warn(CHECK, says, fix);
            false
        }
        Err(failure) => {
            report.warn(CHECK, format!("its workflows are not known: {}", failure.reason()), "run this again");
            false
        }
    };
    goes_where_pagerd_looks(caller, found, control, is_there, report).await;
    if is_there && file.ends_with(FORWARD) {
        maintainers(caller, found, control, report).await;
    }
    sender(caller, found, report).await
}

/// Compares the pins, as tokens spell them. The name of the workflow's file.
fn pins(oidc: &Oidc, found: &Repository, report: &mut Report) -> Option<String> {
    let mut differs = |key: &str, is: &str, expected: &str, why: &str| {
        if is != expected {
            let says = format!("control.oidc.{key} names {is}, and {why} {expected}: every event is refused");
            report.fail(CHECK, says, format!("write {expected} in control.oidc.{key}"));
        }
    };
    differs("repository_id", &oidc.repository_id, &found.id.to_string(), "the repository has the number");
    let (repository, file) = oidc.workflow_ref.split_once(&format!("/{FOLDER}/"))?;
    let (file, git_ref) = file.split_once('@')?;
    differs("workflow_ref", repository, &found.name.to_string(), "GitHub spells it");
    if oidc.event_name == "repository_dispatch" {
        let default = format!("refs/heads/{}", found.default_branch);
        differs("workflow_ref", git_ref, &default, "a dispatch runs on");
        differs("ref", &oidc.git_ref, &default, "a dispatch runs on");
    }
    Some(file.to_owned())
}

async fn goes_where_pagerd_looks(caller: &Caller, found: &Repository, control: &Control, is_there: bool, report: &mut Report) {
    // Who may not read variables cannot tell.
    let Ok(url) = caller.variable(&found.name, "PAGER_URL").await else { return };
    let is_proved = control.oidc.is_some() || !control.secrets.standard.is_empty();
    match (&control.inbox, url.filter(|url| !url.is_empty())) {
        (Some(Inbox::Repository), Some(url)) => {
            let says = format!("its variable PAGER_URL is {url}, and pagerd waits at the branch");
            report.warn(CHECK, says, "empty that variable, or take control.inbox out");
        }
        (None, None) if is_there && !control.secrets.has_app_secret() => {
            let says =
                "its variable PAGER_URL is not set, nor is control.inbox: events pile up unread on the branch pager-events";
            let fix = match is_proved {
                true => "set the variable PAGER_URL to pagerd's address",
                false => "set control.inbox to \"branch\"",
            };
            report.warn(CHECK, says, fix);
        }
        (None, Some(_)) if is_there && !is_proved => {
            let says = "its variable PAGER_URL is set, and pagerd takes no event: nothing proves one";
            report.warn(CHECK, says, "set control.oidc or control.secrets");
        }
        (None | Some(Inbox::Repository | Inbox::Url(_)), _) => {}
    }
}

/// The forwarder takes nobody's events but theirs.
async fn maintainers(caller: &Caller, found: &Repository, control: &Control, report: &mut Report) {
    let Ok(listed) = caller.variable(&found.name, "PAGER_MAINTAINER").await else { return };
    if listed.is_none_or(|listed| listed.trim().is_empty()) {
        let ids = control.maintainers.iter().flatten().map(u64::to_string).collect::<Vec<_>>().join(",");
        let ids = if ids.is_empty() { "the numeric ids of the accounts that agents send as".to_owned() } else { ids };
        let says = format!("its variable PAGER_MAINTAINER is not set, so {FORWARD} takes nobody's events");
        report.warn(CHECK, says, format!("set that variable to {ids}"));
    }
}

/// What pagerd sends is taken from its account alone.
async fn sender(caller: &Caller, found: &Repository, report: &mut Report) -> Option<u64> {
    let mut there = Vec::new();
    for file in FOR_PAGERD {
        if let Ok(Some(_)) = caller.file(&found.name, &format!("{FOLDER}/{file}")).await {
            there.push(file);
        }
    }
    let (login, id) = if there.is_empty() { None } else { caller.account(&found.name).await }?;
    if let Ok(listed) = caller.variable(&found.name, "PAGER_SENDER").await
        && !listed.unwrap_or_default().split(',').any(|listed| listed.trim() == id.to_string())
    {
        let says = format!("its variable PAGER_SENDER does not name pagerd's account, so {} fail", there.join(" and "));
        report.warn(CHECK, says, format!("set that variable to {id}, which is {login}"));
    }
    Some(id)
}
