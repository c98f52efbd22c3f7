//! GitHub: finds out what the settings need, makes repositories that are not there, and says what is left to be set there.

use std::path::PathBuf;

use anyhow::{Context, bail};
use http::Method;
use pager_answers::github::{Access, Call, Proof, RepositoryName, USUAL_API};
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use super::asking::Asking;
use super::workflows::FORWARD;
use crate::commands::repository::{Caller, Repository};
use crate::commands::secret_in;
use crate::configuration::is_private_enough;

/// What can be said beforehand of GitHub.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "GitHub")]
pub struct GitHubWishes {
    /// A file that holds pagerd's token of GitHub; without it PAGER_GITHUB__TOKEN counts
    #[arg(long, value_name = "FILE")]
    github_token_file: Option<PathBuf>,
    /// Where GitHub's API is [default: https://api.github.com]
    #[arg(long, value_name = "URL")]
    github_api_url: Option<Url>,
    /// The control repository, which carries agents' events in and the owner's texts out
    #[arg(long, value_name = "OWNER/REPO")]
    control: Option<RepositoryName>,
    /// The numeric id of a GitHub account that agents send events as; may be given more than once
    #[arg(long, value_name = "ID")]
    maintainer: Vec<u64>,
    /// A git repository, in the place of the control repository, whose branch pager-events is watched
    #[arg(long, value_name = "URL")]
    inbox_url: Option<String>,
    /// The address at which GitHub reaches pagerd; without it events wait on the branch pager-events
    #[arg(long, value_name = "URL")]
    public_url: Option<Url>,
    /// A file that holds the agents' token for dispatching: looked at, and kept nowhere
    #[arg(long, value_name = "FILE")]
    dispatch_token_file: Option<PathBuf>,
    /// Commit the workflows to the control repository
    #[arg(long)]
    pub(super) commit_workflows: bool,
    /// Make repositories that are not there, private ones
    #[arg(long)]
    create_repositories: bool,
}

/// What was found out.
#[derive(Default)]
pub(super) struct Found {
    pub(super) token: Option<SecretString>,
    pub(super) token_file: Option<PathBuf>,
    pub(super) api_url: Option<Url>,
    pub(super) control: Option<Repository>,
    pub(super) maintainers: Vec<u64>,
    /// The account that pagerd sends as: login and numeric id.
    sender: Option<(String, u64)>,
    pub(super) inbox_url: Option<String>,
    pub(super) public_url: Option<Url>,
}

impl GitHubWishes {
    /// The agents' token for dispatching, when there is one to look at.
    pub(super) fn dispatch_token(&self) -> anyhow::Result<Option<SecretString>> {
        self.dispatch_token_file.as_ref().map(|path| secret_in(path, "--dispatch-token-file")).transpose()
    }
}

/// What it means that agents and pagerd are the same account.
const SHARED: &str = "  Agents send as the same account as pagerd, so they could pass for it with pager-answered.yml and pager-text.yml.\n  \
                      Before you use those, give pagerd an account of its own, or a GitHub App.\n";

/// Finds out what the settings need. `answers` is the repository of the answers, when that is on GitHub.
///
/// # Errors
/// What is missing, and the flag that says it.
pub(super) async fn find(wishes: &GitHubWishes, answers: Option<RepositoryName>, asking: &mut Asking) -> anyhow::Result<Found> {
    let mut found = Found {
        token_file: wishes.github_token_file.as_ref().map(std::path::absolute).transpose()?,
        api_url: wishes.github_api_url.clone(),
        maintainers: wishes.maintainer.clone(),
        inbox_url: wishes.inbox_url.clone(),
        public_url: wishes.public_url.clone(),
        ..Found::default()
    };
    if answers.is_none() && wishes.control.is_none() {
        return Ok(found);
    }
    if found.api_url.as_ref().is_some_and(|url| !is_private_enough(url)) {
        bail!(
            "--github-api-url does not begin with https://, so that the token could be read on the way; put https:// in its place"
        );
    }
    let token = match &wishes.github_token_file {
        Some(path) => secret_in(path, "--github-token-file")?,
        None => {
            let token = std::env::var("PAGER_GITHUB__TOKEN").map(SecretString::from);
            let token = token.map_err(|_| {
                anyhow::anyhow!(
                    "GitHub needs a token: put it into a file and name that with --github-token-file, or set PAGER_GITHUB__TOKEN"
                )
            })?;
            found.token = Some(token.clone());
            token
        }
    };
    let api_url = found.api_url.as_ref().map_or(USUAL_API, Url::as_str).trim_end_matches('/').to_owned();
    let caller_with =
        |token| Caller::new(&Access { api_url: api_url.clone(), proof: Proof::Token(token) }).map_err(anyhow::Error::msg);
    let caller = caller_with(token)?;
    if let Some(name) = &answers {
        there(&caller, name, wishes, asking).await?;
    }
    if let Some(name) = &wishes.control {
        found.control = Some(there(&caller, name, wishes, asking).await?);
        found.sender = caller.account(name).await;
        if found.maintainers.is_empty() {
            let agents = match wishes.dispatch_token()? {
                Some(token) => caller_with(token)?.account(name).await,
                None => found.sender.clone(),
            };
            found.maintainers.push(maintainer(agents, asking)?);
        }
    }
    Ok(found)
}

/// The repository, made when the owner wants that.
async fn there(caller: &Caller, name: &RepositoryName, wishes: &GitHubWishes, asking: &mut Asking) -> anyhow::Result<Repository> {
    let look = async || caller.look(name).await.map_err(|failure| anyhow::anyhow!("{name}: {}", failure.reason()));
    if let Some((found, _)) = look().await? {
        return Ok(found);
    }
    let words = format!("GitHub shows no {name} to this token. Make it, as a private repository?");
    if !wishes.create_repositories && !asking.confirm_in_person(&words)? {
        bail!("{name} is not there, or the token was not given it; make it on GitHub, or use --create-repositories");
    }
    let body = json!({"name": name.name(), "private": true, "auto_init": true});
    let path = match caller.account(name).await {
        Some((login, _)) if login.eq_ignore_ascii_case(name.owner()) => "/user/repos".to_owned(),
        _ => format!("/orgs/{}/repos", name.owner()),
    };
    let reply = caller.api().call(name, Call::new(Method::POST, path).body(body)).await;
    let made = reply.and_then(|reply| if reply.is_success() { Ok(()) } else { Err(reply.failure()) });
    made.map_err(|failure| {
        anyhow::anyhow!(
            "{name} cannot be made: {}; make it on GitHub, and give the token Contents: read and write on it",
            failure.reason()
        )
    })?;
    eprintln!("Made {name}, private.");
    look().await?.map(|(found, _)| found).with_context(|| format!("{name} was made and is not shown yet; run this again"))
}

/// The account that the agents' token belongs to, or else pagerd's, when the owner says that agents send as it.
fn maintainer(account: Option<(String, u64)>, asking: &mut Asking) -> anyhow::Result<u64> {
    let Some((login, id)) = account else {
        bail!("whose events count? name the numeric id of the account that agents send as: --maintainer ID");
    };
    if !asking.confirm_in_person(&format!("Do agents send their events as {login} (id {id})?"))? {
        bail!("name the numeric id of the account that agents send as: --maintainer ID");
    }
    Ok(id)
}

impl Found {
    /// What control.oidc has to say, when GitHub can reach pagerd: repository, workflow and branch.
    pub(super) fn pins(&self) -> Option<[(&'static str, String); 4]> {
        let control = self.control.as_ref().filter(|_| self.public_url.is_some())?;
        let git_ref = format!("refs/heads/{}", control.default_branch);
        Some([
            ("repository_id", control.id.to_string()),
            ("workflow_ref", format!("{}/{FORWARD}@{git_ref}", control.name)),
            ("event_name", "repository_dispatch".to_owned()),
            ("ref", git_ref),
        ])
    }

    /// What is left to be done by hand, and what agents need. No secret stands in it.
    pub(super) fn left_to_do(&self, answers: Option<&RepositoryName>, branch: &str, verify_key: &str) -> String {
        let Some(control) = &self.control else { return String::new() };
        let name = &control.name;
        let ids: Vec<String> = self.maintainers.iter().map(u64::to_string).collect();
        let url = match &self.public_url {
            Some(url) => format!("PAGER_URL         {}", url.as_str().trim_end_matches('/')),
            None => "PAGER_URL         leave it unset: events go to the branch pager-events".to_owned(),
        };
        let sender = self
            .sender
            .as_ref()
            .map_or_else(|| "the numeric id of the account that pagerd's token belongs to".to_owned(), |(_, id)| id.to_string());
        let is_shared = self.sender.as_ref().is_some_and(|(_, id)| self.maintainers.contains(id));
        let shared = if is_shared { SHARED } else { "" };
        let answers = answers.map_or_else(String::new, |answers| {
            format!("\n  ASK_ANSWERS={answers}@{branch}\n  ASK_ANSWERS_TOKEN=…    Contents: read on {answers} and nothing else")
        });
        format!(
            "On GitHub, in {name}, Settings, Secrets and variables, Actions, Variables:\n  {url}\n  PAGER_MAINTAINER  {}\n  \
             PAGER_SENDER      {sender}\n{shared}\
             For agents:\n  ASK_CONTROL={name}\n  GH_TOKEN=…             Contents: read and write on {name} and nothing else{answers}\n  \
             ASK_VERIFY_KEY={verify_key}\n",
            ids.join(","),
        )
    }
}
