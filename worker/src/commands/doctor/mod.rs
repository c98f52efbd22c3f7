//! `pagerd doctor`: looks at everything that pagerd needs and says of each what is wrong and the one thing to do.
//! It changes nothing, and may run beside the service.

mod answers;
mod clocks;
mod dispatching;
mod events;
mod finding;
mod folder;
mod github;
mod inbox;
mod receiving;
mod store;
mod telegram;

use std::path::PathBuf;
use std::process::ExitCode;

use secrecy::SecretString;
use serde_json::json;

use super::secret_in;

use crate::configuration::{self, Configuration, Flags};

pub use finding::Report;

/// What is looked at besides.
#[derive(Debug, clap::Args)]
pub struct Wishes {
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Prove that answers can be saved by a real commit, which changes no file: no rule of a repository is seen otherwise
    #[arg(long)]
    commit: bool,
    /// A file that holds the agents' token for dispatching: tells whether it could write answers
    #[arg(long, value_name = "FILE")]
    dispatch_token_file: Option<PathBuf>,
}

impl Wishes {
    fn dispatch_token(&self) -> anyhow::Result<Option<SecretString>> {
        self.dispatch_token_file.as_ref().map(|path| secret_in(path, "--dispatch-token-file")).transpose()
    }
}

/// Runs every check and prints it; the code is a failure when a check failed.
#[expect(clippy::print_stdout, reason = "the findings are this verb's output")]
pub async fn run(flags: &Flags, wishes: &Wishes) -> ExitCode {
    let report = examine(flags, wishes).await;
    let has_failed = report.has_failed();
    if wishes.json {
        println!("{}", json!({"ok": !has_failed, "checks": report.findings}));
    } else {
        for finding in &report.findings {
            println!("{finding}");
        }
    }
    if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The checks of GitHub, and of the branch of events wherever it is.
pub async fn examine_github(configuration: &Configuration, dispatch_token: Option<SecretString>, report: &mut Report) {
    github::check(configuration, dispatch_token, report).await;
    inbox::check(configuration, report).await;
}

/// The checks of Telegram alone, for a set-up where nothing serves yet and that is to have topics.
pub async fn examine_telegram(settings: &configuration::Telegram, report: &mut Report) {
    if let Some(api) = telegram::check(settings, true, report).await
        && !report.has_failed()
    {
        receiving::check(&api, &settings.receiving, &store::Seen::default(), report).await;
    }
}

async fn examine(flags: &Flags, wishes: &Wishes) -> Report {
    let mut report = Report::default();
    let (configuration, warnings) = match Configuration::load(flags) {
        Ok(loaded) => loaded,
        Err(problems) => {
            for problem in problems.0 {
                let says = format!("{}: {} {}", problem.place, problem.key, problem.detail);
                report.fail("configuration", says, "correct that");
            }
            return report;
        }
    };
    if warnings.is_empty() {
        report.ok("configuration", "it loads");
    }
    for warning in warnings {
        report.warn("configuration", warning, "correct its name, or unset it");
    }
    let zone = configuration.general.time_zone.iana_name().unwrap_or("the system's").to_owned();
    report.ok("time zone", format!("the owner is told times in {zone}"));
    folder::check(&configuration.general, configuration.store.path.exists(), &mut report);
    let seen = store::check(&configuration.store, &mut report).await;
    answers::check(&configuration.answers, wishes.commit, &mut report).await;
    match wishes.dispatch_token() {
        Ok(token) => examine_github(&configuration, token, &mut report).await,
        Err(wrong) => report.fail("dispatch token", format!("{wrong:#}"), "correct --dispatch-token-file"),
    }
    match &configuration.telegram {
        None => report.ok("telegram", "it is off: no token is set"),
        Some(settings) => {
            if let Some(api) = telegram::check(settings, false, &mut report).await {
                receiving::check(&api, &settings.receiving, &seen, &mut report).await;
            }
        }
    }
    report
}
