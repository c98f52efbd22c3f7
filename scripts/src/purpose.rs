//! Purposes as flags: how they are given, and what `ask new` wants to know for each. What they mean is a row of
//! [`Purpose::rules`].

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pager_questions::Purpose;
use pager_questions::purpose::Options;

/// Reads `--purpose`, and explains each in the help.
pub fn parser() -> impl TypedValueParser<Value = Purpose> {
    let values = Purpose::ALL.map(|purpose| PossibleValue::new(purpose.rules().name).help(help(purpose)));
    PossibleValuesParser::new(values).try_map(|name| Purpose::parse(&name).ok_or("there is no such purpose"))
}

fn help(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Question => "One of 2 to 4 options, or own words",
        Purpose::Clarification => "Own words",
        Purpose::Decision => "One of 2 to 4 options, each with its --detail, one of them recommended; no own words",
        Purpose::Approval => "Approve or Decline of one reserved action, which --gate names",
        Purpose::Action => "Done or Can't do; --step says exactly what",
        Purpose::Verify => "It works, or own words, which mean that it does not",
        Purpose::Offer => "A partial deliverable first and a way out last, --about a request; see ask offer",
    }
}

/// The options that a question of this purpose always has, by id and label; empty where the asker gives them or there are
/// none.
pub fn fixed_options(purpose: Purpose) -> &'static [(&'static str, &'static str)] {
    match purpose.rules().options {
        Options::Fixed(options) => options,
        Options::Given | Options::None => &[],
    }
}

/// Has the asker to say what undoing it costs? The service would take it without.
pub fn needs_reversibility(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Clarification | Purpose::Decision)
}
