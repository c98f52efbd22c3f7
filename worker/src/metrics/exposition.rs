//! Every figure, as `/metrics` tells it. `docs/guide/metrics.md` explains each; a test compares the two.

use std::sync::atomic::Ordering;

use pager_questions::Time;

use super::histogram::BOUNDS;
use super::text::{Kind, Text};
use super::{Labelled, Metrics};
use crate::store::Figures;

/// Milliseconds as seconds, for people and for Prometheus.
#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 are exact in a double")]
fn seconds(millis: i64) -> f64 {
    millis as f64 / 1000.0
}

impl Metrics {
    /// The text. `figures` are what the store holds, `waiting` the agents that wait, `now` the moment.
    pub fn expose(&self, figures: &Figures, waiting: usize, now: Time) -> String {
        let mut text = Text::default();
        self.questions(&mut text, figures, waiting);
        self.answers(&mut text);
        self.telegram(&mut text, figures, now);
        self.dispatches(&mut text, figures, now);
        two_labels(
            text.family("pager_control_events_total", Kind::Counter, "Events of the control repository, by type and status."),
            &self.control_events,
            ("type", "status"),
        );
        let given_up = "Wakes of runners that were marked twice and never acknowledged, by reason.";
        one_label(text.family("pager_wakes_given_up_total", Kind::Counter, given_up), &self.wakes_given_up, "reason");
        two_labels(
            text.family("pager_http_requests_total", Kind::Counter, "Requests answered, by route and status."),
            &self.requests,
            ("route", "status"),
        );
        text.family("process_start_time_seconds", Kind::Gauge, "When the process started, seconds since 1970.")
            .plain(seconds(self.started_at.as_millis()));
        text.finish()
    }

    fn questions(&self, text: &mut Text, figures: &Figures, waiting: usize) {
        text.family("pager_questions_asked_total", Kind::Counter, "Questions asked.").plain(self.asked.load(Ordering::Relaxed));
        let ended = text.family("pager_questions_ended_total", Kind::Counter, "Questions that ended, by outcome.");
        one_label(ended, &self.ended, "outcome");
        text.family("pager_questions_open", Kind::Gauge, "Questions that wait for their owner.").plain(figures.open);
        text.family("pager_questions_answering", Kind::Gauge, "Answers that are being saved.").plain(figures.answering);
        text.family("pager_questions_uncertain", Kind::Gauge, "Of those, the ones whose save has an unknown outcome.")
            .plain(figures.uncertain);
        text.family("pager_news_unread", Kind::Gauge, "Updates of agents that nobody has read.").plain(figures.unread);
        text.family("pager_agents_waiting", Kind::Gauge, "Requests that are held until a question ends.").plain(waiting);
    }

    fn answers(&self, text: &mut Text) {
        let saves = text.family("pager_saves_total", Kind::Counter, "Answers given to the repository, by what came of it.");
        one_label(saves, &self.saves, "outcome");
        let observed = self.save_seconds.observed();
        let family = text.family("pager_save_seconds", Kind::Histogram, "How long saving took, for each commit.");
        for (bound, at_most) in BOUNDS.iter().zip(observed.at_most) {
            family.sample("_bucket", &[("le", &bound.to_string())], at_most);
        }
        family.sample("_bucket", &[("le", "+Inf")], observed.count);
        family.sample("_sum", &[], observed.seconds).sample("_count", &[], observed.count);
        text.family(
            "pager_save_trouble_since_seconds",
            Kind::Gauge,
            "Since when the repository has not replied; 0 while it does.",
        )
        .plain(seconds(self.save_trouble_since.load(Ordering::Relaxed)));
        text.family("pager_archived_total", Kind::Counter, "Answers moved to the archive.")
            .plain(self.archived.load(Ordering::Relaxed));
    }

    fn dispatches(&self, text: &mut Text, figures: &Figures, now: Time) {
        let waiting =
            text.family("pager_dispatches", Kind::Gauge, "Events for GitHub to be sent or given up, by type and state.");
        for (event, state, count) in &figures.dispatches {
            waiting.sample("", &[("event", event), ("state", state)], count);
        }
        text.family(
            "pager_dispatches_oldest_age_seconds",
            Kind::Gauge,
            "Age of the oldest event that is to be sent; 0 for none.",
        )
        .plain(figures.oldest_dispatch.map_or(0.0, |then| age(then, now)));
        let tries = text.family("pager_dispatch_tries_total", Kind::Counter, "Tries to send an event, by type and outcome.");
        two_labels(tries, &self.dispatches, ("event", "outcome"));
    }

    fn telegram(&self, text: &mut Text, figures: &Figures, now: Time) {
        let jobs = text.family("pager_outbox_jobs", Kind::Gauge, "Calls to Telegram to be made or given up, by kind and state.");
        for (kind, state, count) in &figures.jobs {
            jobs.sample("", &[("kind", kind), ("state", state)], count);
        }
        text.family("pager_outbox_oldest_age_seconds", Kind::Gauge, "Age of the oldest call that is to be made; 0 for none.")
            .plain(figures.oldest_job.map_or(0.0, |then| age(then, now)));
        let calls = text.family("pager_telegram_calls_total", Kind::Counter, "Calls to Telegram, by method and outcome.");
        two_labels(calls, &self.telegram_calls, ("method", "outcome"));
        text.family("pager_telegram_paused_until_seconds", Kind::Gauge, "Until when Telegram asked to wait; 0 for never.")
            .plain(seconds(self.paused_until.load(Ordering::Relaxed)));
        let poll = text.family("pager_telegram_last_poll_age_seconds", Kind::Gauge, "Age of the last finished poll.");
        if let Some(last) = self.last_poll() {
            poll.plain(age(last, now));
        }
        text.family("pager_updates_stored_total", Kind::Counter, "Updates received from Telegram and stored.")
            .plain(self.updates_stored.load(Ordering::Relaxed));
        let updates = text.family("pager_updates", Kind::Gauge, "Updates in the store, by state.");
        for (state, count) in &figures.updates {
            updates.sample("", &[("state", state)], count);
        }
    }
}

fn age(then: Time, now: Time) -> f64 {
    seconds(now.as_millis().saturating_sub(then.as_millis()).max(0))
}

fn one_label(family: &mut Text, counts: &Labelled, label: &str) {
    for (value, _, count) in counts.all() {
        family.sample("", &[(label, &value)], count);
    }
}

fn two_labels(family: &mut Text, counts: &Labelled, labels: (&str, &str)) {
    for (first, second, count) in counts.all() {
        family.sample("", &[(labels.0, &first), (labels.1, &second)], count);
    }
}
