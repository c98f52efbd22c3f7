//! Figures and the table they stand in.

use std::fmt::{self, Display};
use std::time::Duration;

/// The head of the table.
pub const HEADER: &str = "| figure | p50 | p99 | beside it | p50 | p99 | ratio | bar |\n\
                          | --- | ---: | ---: | --- | ---: | ---: | ---: | --- |";

/// One line of the table.
#[derive(Debug)]
pub struct Row {
    figure: String,
    own: [String; 2],
    beside: String,
    others: [String; 2],
    ratio: String,
    bar: &'static str,
}

impl Row {
    /// Times beside the times of something else.
    pub fn of_times(figure: impl Into<String>, own: &Times, beside: &str, others: &Times, bar: &'static str) -> Self {
        let ratio = own.median().as_secs_f64() / others.median().as_secs_f64();
        Self {
            figure: figure.into(),
            own: [milliseconds(own.median()), milliseconds(own.at(99))],
            beside: beside.to_owned(),
            others: [milliseconds(others.median()), milliseconds(others.at(99))],
            ratio: format!("{ratio:.2}"),
            bar,
        }
    }

    /// Rates a second beside the rates of something else: medians.
    pub fn of_rates(figure: impl Into<String>, own: &[f64], beside: &str, others: &[f64], bar: &'static str) -> Self {
        let (own, others) = (median(own), median(others));
        Self {
            figure: figure.into(),
            own: [format!("{own:.0}/s"), String::new()],
            beside: beside.to_owned(),
            others: [format!("{others:.0}/s"), String::new()],
            ratio: format!("{:.0} %", 100.0 * own / others),
            bar,
        }
    }

    /// One value that stands for itself.
    pub fn of_value(figure: impl Into<String>, value: String, bar: &'static str) -> Self {
        let none = || [String::new(), String::new()];
        let (own, others) = ([value, String::new()], none());
        Self { figure: figure.into(), own, beside: String::new(), others, ratio: String::new(), bar }
    }
}

impl Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { figure, own: [median, worst], beside, others: [other_median, other_worst], ratio, bar } = self;
        write!(out, "| {figure} | {median} | {worst} | {beside} | {other_median} | {other_worst} | {ratio} | {bar} |")
    }
}

/// How long something took, each time.
#[derive(Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// One more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The middle one.
    pub fn median(&self) -> Duration {
        self.at(50)
    }

    /// What this many in a hundred do not exceed.
    pub fn at(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(place).copied().unwrap_or_default()
    }
}

fn median(rates: &[f64]) -> f64 {
    let mut sorted = rates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}
