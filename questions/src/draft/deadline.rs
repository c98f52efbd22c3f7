//! Deadlines of drafts. Read leniently, since a clock is easily written wrong and a question must not be lost for it; held to
//! the operator's bounds, since an agent picks them.

use jiff::Timestamp;
use serde_json::Value;

use crate::fields::{Fault, Fields};
use crate::{OptionId, Question, Time};

/// What the operator allows, in milliseconds from the moment of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// An earlier deadline is moved to this.
    pub least: i64,
    /// A later one is refused.
    pub most: i64,
}

const NOT_A_TIME: &str = "deadline is not a time (RFC 3339, or whole seconds since 1970), so it was left out, and a default with it; \
    the question stays open until somebody answers it";

const NO_TIME_OF_A_REQUEST: &str = "deadline is not a time (RFC 3339, or whole seconds since 1970), so it was left out";

/// Reads both. What is not a time is left out together with its default, and said so.
pub(super) fn read(fields: &mut Fields, warnings: &mut Vec<String>) -> Result<(Option<Time>, Option<OptionId>), Fault> {
    let given = fields.value("deadline");
    let default = fields.parsed("default", OptionId::parse)?;
    let Some(given) = given else {
        return match default {
            Some(_) => Err(Fault::invalid("default", "needs a deadline: say when it applies, or leave it out")),
            None => Ok((None, None)),
        };
    };
    match time(&given) {
        Some(deadline) => Ok((Some(deadline), default)),
        None => {
            warnings.push(NOT_A_TIME.to_owned());
            Ok((None, None))
        }
    }
}

/// Reads the deadline of a request, which has no default.
pub(crate) fn read_alone(fields: &mut Fields, warnings: &mut Vec<String>) -> Option<Time> {
    let given = fields.value("deadline")?;
    let read = time(&given);
    if read.is_none() {
        warnings.push(NO_TIME_OF_A_REQUEST.to_owned());
    }
    read
}

/// A moment as it comes on the wire. A fraction, a sign or a year that has five digits means that something else was meant.
fn time(value: &Value) -> Option<Time> {
    let whole = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match value {
        Value::Number(number) => number.as_u64().and_then(|seconds| Time::parse(&seconds.to_string())),
        Value::String(text) if whole(text.trim()) => Time::parse(text),
        Value::String(text) => text.trim().parse().ok().map(not_earlier),
        _ => None,
    }
}

/// In whole milliseconds, and no earlier: nothing acts before the moment that was declared.
fn not_earlier(moment: Timestamp) -> Time {
    let millis = Time::from(moment);
    let is_cut = moment.subsec_nanosecond().rem_euclid(1_000_000) != 0;
    if is_cut { millis.plus_millis(1) } else { millis }
}

/// Whether this question may go on with its default when nobody answers.
pub(super) fn check_default(question: &Question) -> Result<(), Fault> {
    let Some(default) = &question.default else { return Ok(()) };
    if !question.purpose.rules().may_default {
        let why = format!("is not for {}: silence never settles it; leave it out", question.purpose.rules().called);
        return Err(Fault::invalid("default", why));
    }
    if question.is_hard_to_reverse() {
        return Err(Fault::invalid("default", "is not for what is hard to reverse: silence never settles it; leave it out"));
    }
    if question.option(default.as_str()).is_none() {
        return Err(Fault::invalid("default", "is not the id of one of the options"));
    }
    Ok(())
}

/// Moves a deadline that comes too early, refuses one that comes too late.
pub(crate) fn hold(deadline: &mut Option<Time>, warnings: &mut Vec<String>, bounds: &Bounds, now: Time) -> Result<(), Fault> {
    let Some(given) = *deadline else { return Ok(()) };
    let (least, most) = (now.plus_millis(bounds.least), now.plus_millis(bounds.most));
    if given > most {
        return Err(Fault::invalid("deadline", format!("is later than this service takes; {most} is the latest now")));
    }
    if given < least {
        warnings.push(format!("deadline was moved from {given} to {least}: this service takes none that is earlier"));
        *deadline = Some(least);
    }
    Ok(())
}
