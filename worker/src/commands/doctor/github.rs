//! GitHub: the answers repository and the control repository with their privacy and pagerd's rights.

use pager_answers::github::{Access, Proof, RepositoryName};
use secrecy::SecretString;

use super::dispatching::{self, Dispatching};
use super::{Report, clocks, events};
use crate::clock;
use crate::commands::repository::{Caller, Repository, Right};
use crate::configuration::Configuration;

const GITHUB: &str = "github";
const ANSWERS: &str = "answers repository";
const CONTROL: &str = "control repository";

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
    let mut own_account = None;
    if let Some(name) = &control.repo
        && let Some(found) = look(&caller, name, CONTROL, &mut is_first, report).await
    {
        right(&caller, name, CONTROL, report).await;
        own_account = events::check(&caller, &found, control, report).await;
    }
    if let Some(token) = dispatch_token {
        let theirs = Access { api_url: access.api_url.clone(), proof: Proof::Token(token) };
        let answers = answers.or_else(|| dispatching::repository_at(&configuration.answers.keeper.url, &access.api_url));
        let may = Dispatching { answers: answers.as_ref(), control: control.repo.as_ref(), own_account };
        dispatching::check(&theirs, &may, report).await;
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
        Right::Lacks(reason) | Right::NotTaken(reason) => {
            let fix = format!("give the token or the App the permission Contents: read and write on {name}");
            report.fail(check, format!("pagerd may not write into {name}: {reason}"), fix);
        }
        Right::NotKnown(reason) => {
            report.warn(check, format!("whether pagerd may write into {name} is not known: {reason}"), "run this again");
        }
    }
}
