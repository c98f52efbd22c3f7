//! GitHub: the answers repository and the control repository with their privacy and pagerd's rights, the workflows, and
//! that the agents' token for dispatching cannot write answers.

use pager_answers::github::{Access, Proof, RepositoryName};
use secrecy::SecretString;

use super::{Report, clocks};
use crate::clock;
use crate::commands::repository::{Caller, Repository, Right};
use crate::configuration::{Configuration, Control, Inbox};

const GITHUB: &str = "github";
const ANSWERS: &str = "answers repository";
const CONTROL: &str = "control repository";
const TOKEN: &str = "dispatch token";

/// Looks at all of it that is set. `dispatch_token` is the agents', when the caller brought it.
pub async fn check(configuration: &Configuration, dispatch_token: Option<SecretString>, report: &mut Report) {
    let answers = configuration.answers.keeper.github_repository();
    let control = &configuration.control;
    let Some(access) = &configuration.github.access else {
        if control.repo.is_some() {
            let fix = "set github.token, or github.app_id with github.private_key_file";
            report.fail(CONTROL, "control.repo is set, and nothing to call GitHub with", fix);
        }
        return;
    };
    if answers.is_none() && control.repo.is_none() {
        return report.warn(GITHUB, "it is set, and neither answers.url nor control.repo names a repository there", "name one");
    }
    let caller = match Caller::new(access) {
        Ok(caller) => caller,
        Err(wrong) => return report.fail(GITHUB, wrong, "correct github.api_url"),
    };
    let mut is_first = true;
    if let Some(name) = &answers
        && let Some(found) = look(&caller, name, ANSWERS, &mut is_first, report).await
    {
        privacy(&found, report);
        right(&caller, name, ANSWERS, report).await;
    }
    if let Some(name) = &control.repo
        && let Some(found) = look(&caller, name, CONTROL, &mut is_first, report).await
    {
        right(&caller, name, CONTROL, report).await;
        workflow(&caller, &found, control, report).await;
    }
    if let Some(token) = dispatch_token {
        let theirs = Access { api_url: access.api_url.clone(), proof: Proof::Token(token) };
        dispatching(&theirs, answers.as_ref(), control.repo.as_ref(), report).await;
    }
}

async fn look(
    caller: &Caller,
    name: &RepositoryName,
    check: &'static str,
    is_first: &mut bool,
    report: &mut Report,
) -> Option<Repository> {
    let before = clock::now().as_millis();
    match caller.look(name).await {
        Ok(Some((found, time))) => {
            if std::mem::take(is_first) {
                clocks::compare("GitHub", time, (before + clock::now().as_millis()) / 2, report);
            }
            report.ok(check, format!("{name} is there"));
            Some(found)
        }
        Ok(None) => {
            let says = format!("GitHub shows no {name} to this token or App");
            report.fail(
                check,
                says,
                "check the name, whether the token has expired, and that it or the App was given this repository",
            );
            None
        }
        Err(failure) => {
            report.fail(check, failure.reason(), "look at the network, at github.api_url and at the token");
            None
        }
    }
}

fn privacy(found: &Repository, report: &mut Report) {
    if !found.is_private {
        let says = format!("{} is public: everybody can read the answers", found.name);
        report.warn(ANSWERS, says, "make it private in its settings on GitHub, unless that is meant");
    }
}

async fn right(caller: &Caller, name: &RepositoryName, check: &'static str, report: &mut Report) {
    match caller.may_write(name).await {
        Right::Has => report.ok(check, format!("pagerd may write into {name}")),
        Right::Lacks(reason) => {
            let fix = format!("give the token or the App the permission Contents: read and write on {name}");
            report.fail(check, format!("pagerd may not write into {name}: {reason}"), fix);
        }
        Right::NotKnown(reason) => {
            report.warn(check, format!("whether pagerd may write into {name} is not known: {reason}"), "run this again");
        }
    }
}

/// What carries events in is there, and says what pagerd expects.
async fn workflow(caller: &Caller, found: &Repository, control: &Control, report: &mut Report) {
    const FILE: &str = ".github/workflows/pager-forward.yml";
    match caller.file(&found.name, FILE).await {
        Ok(Some(_)) => report.ok(CONTROL, format!("it has {FILE}")),
        Ok(None) => {
            let says = format!("it has no {FILE} on {}, so agents' events go nowhere", found.default_branch);
            report.warn(CONTROL, says, "copy the files of workflows/ there, or let pagerd setup --commit-workflows do it");
        }
        Err(failure) => report.warn(CONTROL, format!("its workflows are not known: {}", failure.reason()), "run this again"),
    }
    if let Some(oidc) = &control.oidc
        && oidc.repository_id != found.id.to_string()
    {
        let says = format!("control.oidc.repository_id is {}, and {} has {}", oidc.repository_id, found.name, found.id);
        report.fail(CONTROL, says, "set control.oidc.repository_id to that number");
    }
    let url = caller.variable(&found.name, "PAGER_URL").await.filter(|url| !url.is_empty());
    if let (Some(Inbox::Repository), Some(url)) = (&control.inbox, &url) {
        let says = format!("its variable PAGER_URL is {url}, and pagerd waits at the branch");
        report.warn(CONTROL, says, "empty that variable, or take control.inbox out");
    }
}

/// Whoever may dispatch can push, too: with the right on the answers an agent could answer itself.
async fn dispatching(access: &Access, answers: Option<&RepositoryName>, control: Option<&RepositoryName>, report: &mut Report) {
    let caller = match Caller::new(access) {
        Ok(caller) => caller,
        Err(wrong) => return report.fail(TOKEN, wrong, "correct github.api_url"),
    };
    if let Some(name) = control {
        match caller.may_write(name).await {
            Right::Has => report.ok(TOKEN, format!("it can send events to {name}")),
            Right::Lacks(reason) => {
                let fix = format!("give it Contents: read and write on {name}, and on nothing else");
                report.fail(TOKEN, format!("it cannot send events to {name}: {reason}"), fix);
            }
            Right::NotKnown(reason) => {
                report.warn(TOKEN, format!("whether it can send events is not known: {reason}"), "run this again")
            }
        }
    }
    let Some(name) = answers else { return };
    match caller.may_write(name).await {
        Right::Has => {
            let fix = format!(
                "make one that has {} alone; agents read answers with a second token",
                control.map_or_else(String::new, ToString::to_string)
            );
            report.fail(TOKEN, format!("it can write into {name}: an agent could forge its own answers"), fix);
        }
        Right::Lacks(_) => report.ok(TOKEN, format!("it cannot write into {name}")),
        Right::NotKnown(reason) => {
            report.warn(TOKEN, format!("whether it can write into {name} is not known: {reason}"), "run this again");
        }
    }
}
