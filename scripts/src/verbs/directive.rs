//! `ask directive`: the section of a prompt that says when to ask. It needs no service and no settings.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pager_questions::fields::check_text;
use pager_questions::{Autonomy, Tier, directive};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// The most characters of a role and of a department.
const MOST_IN_NAME: usize = 64;

/// What whoever names a role or a department is told.
pub const PICKS_NOTHING: &str =
    "no service has directives for a role or a department yet: this one is checked, and changes nothing";

/// Flags of `ask directive`.
#[derive(Debug, clap::Args)]
pub struct Directive {
    /// How much the agent settles by itself
    #[arg(long, default_value = Autonomy::default().as_str(), value_parser = autonomy())]
    autonomy: Autonomy,
    /// How long the section is
    #[arg(long, default_value = Tier::default().as_str(), value_parser = tier())]
    tier: Tier,
    /// The agent's role. It picks directives that an operator added for it, once a service has some; the section itself is
    /// the same for every role
    #[arg(long, value_parser = name)]
    role: Option<String>,
    /// The agent's department, which picks such directives, too
    #[arg(long, value_parser = name)]
    department: Option<String>,
}

/// Runs it: prints the section, Markdown with its heading.
///
/// # Errors
/// When nothing reads the output.
pub fn run(asked: &Directive) -> Result<Exit, Failure> {
    let Directive { autonomy, tier, role, department } = asked;
    if role.is_some() || department.is_some() {
        output::say(&PICKS_NOTHING);
    }
    output::line(&directive(*autonomy, *tier).trim_end())?;
    Ok(Exit::Done)
}

fn autonomy() -> impl TypedValueParser<Value = Autonomy> {
    let help = |autonomy| match autonomy {
        Autonomy::Full => "It works alone",
        Autonomy::Semi => "It settles what is routine or easily reversed",
        Autonomy::Supervised => "It proposes a plan first",
        Autonomy::Locked => "It settles nothing of weight quietly",
    };
    let values = Autonomy::ALL.map(|autonomy| PossibleValue::new(autonomy.as_str()).help(help(autonomy)));
    PossibleValuesParser::new(values).try_map(|name| Autonomy::parse(&name).ok_or("there is no such autonomy"))
}

fn tier() -> impl TypedValueParser<Value = Tier> {
    let help = |tier| match tier {
        Tier::Full => "A few paragraphs, with what the words mean",
        Tier::Summary => "One short paragraph",
        Tier::Minimal => "One or two sentences",
    };
    let values = Tier::ALL.map(|tier| PossibleValue::new(tier.as_str()).help(help(tier)));
    PossibleValuesParser::new(values).try_map(|name| Tier::parse(&name).ok_or("there is no such tier"))
}

fn name(given: &str) -> Result<String, String> {
    check_text(given, MOST_IN_NAME).map(|()| given.to_owned())
}
