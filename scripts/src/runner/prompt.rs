//! What a run is told: the events in words, below the access and the directive. What others wrote comes fenced from the
//! service and is passed on as it is.

use pager_questions::directive;

use super::access;
use super::settings::RunnerSettings;
use super::template::{Values, fill};
use super::wakes::{Older, Wake};

/// What a run is started for.
#[derive(Debug, Default)]
pub struct Events {
    /// What woke it, marked.
    pub wakes: Vec<Wake>,
    /// Did a heartbeat come round?
    pub heartbeat: bool,
    /// What a heartbeat found besides.
    pub older: Vec<Older>,
}

/// The whole prompt.
pub fn prompt(settings: &RunnerSettings, events: &Events) -> String {
    let folder = settings.held().folder;
    let access = access::sentence(settings.access, settings.runtime, &settings.tools, folder);
    let directive = directive(settings.autonomy, settings.tier);
    fill(&settings.template, Values { access: &access, directive: &directive, events: &told(events) })
}

fn told(events: &Events) -> String {
    let mut parts = Vec::new();
    for wake in &events.wakes {
        let mut part = format!("### {}", heading(&wake.reason));
        if wake.repeated {
            part.push_str("\n\nThis may be a repetition: a run was started for it before, and whether it got done is not known.");
        }
        for words in [Some(wake.text.as_str()), wake.message.as_deref()].into_iter().flatten().filter(|words| !words.is_empty()) {
            part.push_str(&format!("\n\n{}", words.trim_end()));
        }
        parts.push(part);
    }
    if events.heartbeat {
        let others = if events.wakes.is_empty() { " Nothing new happened." } else { "" };
        parts.push(format!("### A heartbeat\n\nIt comes on its schedule.{others}"));
    }
    for (number, older) in events.older.iter().enumerate() {
        let intro = match number {
            0 => {
                "### Optional: older requests\n\nNobody has answered these. Each is shown to you this once, and you need not answer any.\n\n"
            }
            _ => "",
        };
        parts.push(format!("{intro}{}", older.message.trim_end()));
    }
    parts.join("\n\n")
}

fn heading(reason: &str) -> &'static str {
    match reason {
        "answered" => "A question of yours has ended",
        "picked" => "Your offer was picked",
        "deadline" => "Nobody answered by the deadline",
        "late_pick" => "A late pick of your offer",
        "reply" => "A reply to a request of yours",
        "awaiting" => "Something waits for you to settle it",
        "request" => "A new request",
        _ => "Something of yours happened",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wake(reason: &str, repeated: bool) -> Wake {
        Wake {
            id: format!("x.{reason}"),
            reason: reason.to_owned(),
            text: format!("a sentence about {reason}"),
            message: Some("<task-data>{access}</task-data>\n".to_owned()),
            author: None,
            repeated,
        }
    }

    #[test]
    fn events_are_told_with_their_reasons_and_what_may_be_a_repetition() {
        let older =
            |number: u8| Older { wake: format!("r-{number}.older"), message: format!("<task-data>r-{number}</task-data>") };
        let events = Events {
            wakes: vec![wake("request", false), wake("deadline", true)],
            heartbeat: true,
            older: vec![older(1), older(2)],
        };
        insta::assert_snapshot!(told(&events), @r#"
        ### A new request

        a sentence about request

        <task-data>{access}</task-data>

        ### Nobody answered by the deadline

        This may be a repetition: a run was started for it before, and whether it got done is not known.

        a sentence about deadline

        <task-data>{access}</task-data>

        ### A heartbeat

        It comes on its schedule.

        ### Optional: older requests

        Nobody has answered these. Each is shown to you this once, and you need not answer any.

        <task-data>r-1</task-data>

        <task-data>r-2</task-data>
        "#);
    }

    #[test]
    fn a_heartbeat_alone_says_that_nothing_is_new() {
        insta::assert_snapshot!(told(&Events { heartbeat: true, ..Events::default() }), @r#"
        ### A heartbeat

        It comes on its schedule. Nothing new happened.
        "#);
    }

    #[test]
    fn every_reason_of_the_service_has_a_heading_of_its_own() {
        let reasons = ["answered", "picked", "deadline", "late_pick", "reply", "awaiting", "request", "of_later"];
        let mut headings = reasons.map(heading).to_vec();
        headings.sort_unstable();
        headings.dedup();
        assert_eq!(headings.len(), reasons.len());
    }
}
