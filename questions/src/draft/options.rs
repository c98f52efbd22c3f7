//! The options of a draft: those that were given, or those of its purpose.

use crate::fields::{Fault, Fields};
use crate::purpose::Options;
use crate::{OptionId, Purpose, QuestionOption};

/// Reads the list of a body.
pub(super) fn read(list: Vec<Fields>) -> Result<Vec<QuestionOption>, Fault> {
    let mut options: Vec<QuestionOption> = Vec::with_capacity(list.len());
    for (index, mut fields) in list.into_iter().enumerate() {
        let id = match fields.parsed("id", OptionId::parse)? {
            Some(id) => id,
            None => OptionId::parse(&(index + 1).to_string())
                .map_err(|error| Fault::invalid(fields.path_of("id"), error.to_string()))?,
        };
        let label = fields.required_text("label", 100)?;
        let detail = fields.text("detail", 500)?;
        if options.iter().any(|other| other.id == id) {
            return Err(Fault::invalid(fields.path_of("id"), "is the id of an earlier option; ids are distinct"));
        }
        if options.iter().any(|other| other.label.trim() == label.trim()) {
            return Err(Fault::invalid(fields.path_of("label"), "is the label of an earlier option; labels are distinct"));
        }
        fields.finish()?;
        options.push(QuestionOption { id, label, detail });
    }
    Ok(options)
}

/// The options of a question of this purpose, when these were given.
pub(super) fn of(purpose: Purpose, given: Vec<QuestionOption>) -> Result<Vec<QuestionOption>, Fault> {
    let called = purpose.rules().called;
    match (purpose.rules().options, given.len()) {
        (Options::Given, 2..=4) | (Options::None, 0) => Ok(given),
        (Options::Given, count) => Err(Fault::invalid("options", format!("has {count}; {called} takes 2 to 4"))),
        (Options::None, _) => Err(Fault::invalid("options", format!("{called} takes none; leave them or the purpose out"))),
        (Options::Fixed(fixed), 0) => fixed.iter().map(|(id, label)| option(id, label)).collect(),
        (Options::Fixed(_), _) => Err(Fault::invalid("options", format!("{called} has options of its own; leave them out"))),
    }
}

fn option(id: &str, label: &str) -> Result<QuestionOption, Fault> {
    let id = OptionId::parse(id).map_err(|error| Fault::invalid("options", error.to_string()))?;
    Ok(QuestionOption { id, label: label.to_owned(), detail: None })
}

/// The recommended one, which is one of them.
pub(super) fn recommended(fields: &mut Fields, options: &[QuestionOption]) -> Result<Option<OptionId>, Fault> {
    let recommended = fields.parsed("recommended", OptionId::parse)?;
    if recommended.as_ref().is_some_and(|id| options.iter().all(|option| option.id != *id)) {
        return Err(Fault::invalid("recommended", "is not the id of one of the options"));
    }
    Ok(recommended)
}

/// A decision weighs: every option has its trade-off, and exactly one is recommended.
pub(super) fn check_decision(options: &[QuestionOption], recommended: Option<&OptionId>) -> Result<(), Fault> {
    if let Some(index) = options.iter().position(|option| option.detail.is_none()) {
        return Err(Fault::invalid(format!("options[{index}].detail"), "is required for a decision: say what it costs"));
    }
    match recommended {
        Some(_) => Ok(()),
        None => Err(Fault::invalid("recommended", "is required for a decision: name the option that you would take")),
    }
}

/// May several be picked? Only a plain question may ask for that.
pub(super) fn read_multi(fields: &mut Fields, purpose: Purpose) -> Result<bool, Fault> {
    let multi = fields.flag("multi")?;
    if multi && purpose != Purpose::Question {
        return Err(Fault::invalid("multi", "is for a question with options only; leave it out"));
    }
    Ok(multi)
}
