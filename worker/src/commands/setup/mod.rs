//! `pagerd setup`: from a bot's token to an answered test question and a `pager.toml`. Works on a terminal and with flags
//! alone. The file is written last and whole, once everything was seen to work.

mod asking;
mod file;
mod finding_ids;
mod github;
mod trial_question;
mod workflows;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pager_bot::Telegram;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::doctor::{self, Report};
use super::repository::Caller;
use super::running::Running;
use crate::configuration::{Configuration, Flags};

use asking::Asking;
use file::Settings;

/// What can be said beforehand; the rest is asked.
#[derive(Debug, clap::Args)]
pub struct Wishes {
    /// A file that holds the bot's token; without it PAGER_TELEGRAM__TOKEN counts, then one line of standard input
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The group's numeric id; without it setup waits until somebody writes there
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    chat_id: Option<i64>,
    /// The numeric id of somebody who decides; may be given more than once
    #[arg(long, value_name = "ID")]
    owner: Vec<i64>,
    /// Where the Bot API is [default: https://api.telegram.org]
    #[arg(long, value_name = "URL")]
    api_url: Option<Url>,
    /// The answers repository, like file:/var/lib/pager/answers.git, git+https://host/answers.git or github:owner/answers
    #[arg(long, value_name = "URL")]
    answers: Option<String>,
    /// The user name for a git repository on another machine
    #[arg(long, value_name = "NAME")]
    answers_user: Option<String>,
    /// A file that holds the password or token for it
    #[arg(long, value_name = "FILE")]
    answers_token_file: Option<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "pager.toml")]
    config_out: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// Confirm what would be asked, but never who the owner is
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    github: github::GitHubWishes,
}

/// Sets it up.
///
/// # Errors
/// The first step that fails, with what to do; no file is written then.
#[expect(clippy::print_stdout, reason = "the path of the file is this verb's output")]
pub async fn run(flags: &Flags, wishes: Wishes) -> anyhow::Result<()> {
    if wishes.config_out.exists() && !wishes.force {
        bail!(
            "{} is there already; name another file with --config-out, or write over it with --force",
            wishes.config_out.display()
        );
    }
    let mut asking = Asking::new(wishes.yes);
    let mut settings = Settings::of(flags, &wishes)?;
    settings.token = token(&wishes, &mut asking)?;
    let api_url = settings.api_url.clone().unwrap_or_else(|| Url::parse("https://api.telegram.org").expect("a constant"));
    let api = Telegram::new(&api_url, settings.token.clone()).map_err(|failure| said("the Bot API", &failure))?;
    let me = api.get_me().await.map_err(|failure| said("the token", &failure))?;
    eprintln!("The token belongs to @{}.", me.username);
    webhook_goes(&api, &mut asking).await?;
    if settings.chat_id.is_none() || settings.owners.is_empty() {
        finding_ids::find(&api, &me, &mut settings, &mut asking).await?;
    }
    let answers = settings.answers_on_github();
    settings.github = github::find(&wishes.github, answers.clone(), &mut asking).await?;
    let configuration = configuration(flags, &wishes.config_out, &settings)?;
    let mut report = Report::default();
    doctor::examine_github(&configuration, wishes.github.dispatch_token()?, &mut report).await;
    if let Some(telegram) = &configuration.telegram {
        doctor::examine_telegram(telegram, &mut report).await;
    }
    for finding in &report.findings {
        eprintln!("{finding}");
    }
    if report.has_failed() {
        bail!("nothing was written; do what stands at FAIL, then run this again");
    }
    let (repository, branch) = (configuration.answers.keeper.url.clone(), configuration.answers.keeper.branch.clone());
    let (control, github) = (configuration.control.repo.clone(), configuration.github.access.clone());
    make_folder(&configuration.general.data_dir)?;
    let mut running = Running::start(configuration).await?;
    let key = running.service.key.verifying().to_string();
    let asked = trial_question::ask(&mut running, &repository).await;
    running.end().await?;
    asked?;
    if let (true, Some(control), Some(access)) = (wishes.github.commit_workflows, &control, &github) {
        let caller = Caller::new(access).map_err(anyhow::Error::msg)?;
        workflows::commit(&caller, control, &mut asking).await?;
    }
    file::write(&wishes.config_out, &settings.text(), wishes.force)?;
    eprint!("{}", settings.github.left_to_do(answers.as_ref(), &branch, &key));
    eprintln!("Written, for its user alone. Start the service with `pagerd serve --config {}`.", wishes.config_out.display());
    println!("{}", wishes.config_out.display());
    Ok(())
}

fn token(wishes: &Wishes, asking: &mut Asking) -> anyhow::Result<SecretString> {
    let token = match (&wishes.token_file, std::env::var("PAGER_TELEGRAM__TOKEN")) {
        (Some(path), _) => std::fs::read_to_string(path)
            .with_context(|| format!("--token-file: {} cannot be read; check the path and its rights", path.display()))?,
        (None, Ok(token)) => token,
        (None, Err(_)) => asking.secret("The bot's token, as @BotFather gave it: ")?,
    };
    let token = SecretString::from(token.trim().to_owned());
    if token.expose_secret().is_empty() {
        bail!("no token was given; put it into a file and name that with --token-file, or set PAGER_TELEGRAM__TOKEN");
    }
    Ok(token)
}

async fn webhook_goes(api: &Telegram, asking: &mut Asking) -> anyhow::Result<()> {
    let webhook = api.webhook_info().await.map_err(|failure| said("the webhook", &failure))?;
    if webhook.url.is_empty() {
        return Ok(());
    }
    if !asking.confirm("A webhook takes this bot's updates: another program may be using it. Take the webhook away?")? {
        bail!("a webhook is in the way; stop the program that set it, or make a bot of its own for pager at @BotFather");
    }
    api.delete_webhook().await.map_err(|failure| said("the webhook", &failure))
}

/// The configuration as the file will give it, checked before there is a file.
fn configuration(flags: &Flags, path: &Path, settings: &Settings) -> anyhow::Result<Configuration> {
    let (configuration, warnings) = Configuration::of_text(flags, path, &settings.text())?;
    for warning in warnings {
        eprintln!("{warning}");
    }
    Ok(configuration)
}

fn make_folder(folder: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| format!("data_dir: the folder {} cannot be made; name another with --data-dir", folder.display()))
}

fn said(what: &str, failure: &pager_bot::Failure) -> anyhow::Error {
    let fix = match failure.kind() {
        Some(pager_bot::Kind::BadToken) => "copy the token from @BotFather anew",
        _ => "look at the network, at a proxy and at --api-url",
    };
    anyhow::anyhow!("{what}: {}; {fix}", failure.reason())
}
