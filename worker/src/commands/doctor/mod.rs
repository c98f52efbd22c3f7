//! `pagerd doctor`: looks at everything that pagerd needs and says of each what is wrong and the one thing to do.
//! It changes nothing, and may run beside the service.

mod answers;
mod finding;
mod folder;
mod receiving;
mod store;
mod telegram;

use std::process::ExitCode;

use serde_json::json;

use crate::configuration::{self, Configuration, Flags};

pub use finding::Report;

/// Runs every check and prints it; the code is a failure when a check failed.
#[expect(clippy::print_stdout, reason = "the findings are this verb's output")]
pub async fn run(flags: &Flags, as_json: bool) -> ExitCode {
    let report = examine(flags).await;
    let has_failed = report.has_failed();
    if as_json {
        println!("{}", json!({"ok": !has_failed, "checks": report.findings}));
    } else {
        for finding in &report.findings {
            println!("{finding}");
        }
    }
    if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The checks of Telegram alone, for a set-up where nothing serves yet and that is to have topics.
pub async fn examine_telegram(settings: &configuration::Telegram, report: &mut Report) {
    if let Some(api) = telegram::check(settings, true, report).await
        && !report.has_failed()
    {
        receiving::check(&api, &settings.receiving, &store::Seen::default(), report).await;
    }
}

async fn examine(flags: &Flags) -> Report {
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
    answers::check(&configuration.answers, &mut report).await;
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
