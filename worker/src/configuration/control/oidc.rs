//! The workflow whose tokens prove an event. Every pin is needed: what is not pinned, some other workflow can have too.

use url::Url;

use super::Reader;
use crate::configuration::is_private_enough;

/// Who issues the tokens of GitHub's workflows.
const USUAL_ISSUER: &str = "https://token.actions.githubusercontent.com";

/// What a token has to say, exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oidc {
    /// Who issues, as tokens name it: without a slash at its end.
    pub issuer: String,
    /// Where the issuer's keys are; None: its discovery document says it.
    pub jwks_url: Option<Url>,
    /// The numeric id of the repository. Its name may pass to another, its id never does.
    pub repository_id: String,
    /// `owner/repo/.github/workflows/<file>@<ref>`.
    pub workflow_ref: String,
    /// What started the workflow.
    pub event_name: String,
    /// `refs/heads/…`
    pub git_ref: String,
}

impl Oidc {
    /// None when none of its keys is set, or one is wrong.
    pub(super) fn read(reader: &mut Reader) -> Option<Self> {
        const KEYS: [&str; 6] = ["issuer", "jwks_url", "repository_id", "workflow_ref", "event_name", "ref"];
        let is_on = KEYS.iter().any(|key| reader.has(&format!("control.oidc.{key}")));
        let issuer = address(reader, "control.oidc.issuer");
        let jwks_url = address(reader, "control.oidc.jwks_url");
        let mut pin = |key: &str, shape: &str, fits: fn(&str) -> bool| {
            let value = reader.text(key);
            match value.as_deref() {
                Some(value) if !fits(value) => reader.problem(key, &format!("is {value:?}, which is not {shape}")),
                None if is_on => reader.missing(key, &format!("is missing; tokens are pinned by it. Set {shape}")),
                Some(_) | None => {}
            }
            value.filter(|value| fits(value))
        };
        let repository_id = pin("control.oidc.repository_id", "the numeric id of the repository", is_number);
        let workflow_ref =
            pin("control.oidc.workflow_ref", "like owner/repo/.github/workflows/file.yml@refs/heads/main", is_workflow);
        let event_name = pin("control.oidc.event_name", "the name of an event, mostly repository_dispatch", is_event);
        let git_ref = pin("control.oidc.ref", "a whole ref, like refs/heads/main", is_ref);
        if !is_on {
            return None;
        }
        Some(Self {
            issuer: issuer.ok()?.map_or_else(|| USUAL_ISSUER.to_owned(), |url| url.as_str().trim_end_matches('/').to_owned()),
            jwks_url: jwks_url.ok()?,
            repository_id: repository_id?,
            workflow_ref: workflow_ref?,
            event_name: event_name?,
            git_ref: git_ref?,
        })
    }
}

fn address(reader: &mut Reader, key: &str) -> Result<Option<Url>, ()> {
    let is_set = reader.has(key);
    match reader.parsed::<Url>(key, "a URL that begins with https://") {
        Some(url) if !is_private_enough(&url) => {
            reader.problem(key, "does not begin with https://; over anything else the keys could be exchanged on the way");
            Err(())
        }
        None if is_set => Err(()),
        url => Ok(url),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_workflow(text: &str) -> bool {
    let path = text.split_once("/.github/workflows/");
    path.is_some_and(|(repository, file)| repository.split('/').count() == 2 && file.contains("@refs/"))
}

fn is_event(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

fn is_ref(text: &str) -> bool {
    text.strip_prefix("refs/").is_some_and(|rest| !rest.is_empty())
}
