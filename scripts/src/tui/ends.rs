//! What became of a question, in one line: what was decided, by whom, where and when.

use jiff::tz::TimeZone;

use super::shown::Shown;
use super::times::moment;
use super::wire::{Answer, Question};

/// The end of a question; what it is in while it has none.
pub fn told(question: &Question, zone: &TimeZone) -> String {
    let signed = if question.has_ended() { signed(question, zone) } else { String::new() };
    format!("{}{signed}", what(question))
}

/// The same without who and when.
pub fn what(question: &Question) -> String {
    match (&question.answer, question.state.as_str()) {
        (_, "open") => "It is open".to_owned(),
        (_, "answering") => "An answer is being saved".to_owned(),
        (Some(answer), _) => outcome(question, answer),
        (None, "withdrawn") => match &question.reason {
            Some(reason) => format!("The agent took it back: {}", reason.line()),
            None => "The agent took it back".to_owned(),
        },
        (None, state) => format!("It ended: {}", Shown::of(state).line()),
    }
}

/// What an answer says, without who and when.
pub fn outcome(question: &Question, answer: &Answer) -> String {
    let said = match &answer.answer {
        Some(said) => said.line(),
        None => "a private answer".to_owned(),
    };
    match answer.outcome.as_str() {
        "chosen" => format!("Answered: {said}"),
        "own_words" if answer.private => "Answered privately".to_owned(),
        "own_words" => format!("Answered in own words: {said}"),
        "declined" => "Declined: the agent goes on by its own judgement".to_owned(),
        "cancelled" => match answer.reason.as_ref().map(|reason| reason.line().replace('_', " ")) {
            Some(reason) => format!("Cancelled ({reason})"),
            None => "Cancelled".to_owned(),
        },
        "defaulted" => match &answer.default {
            Some(default) => format!("Nobody answered in time; the default holds: {}", question.label(default)),
            None => "Nobody answered in time; the default holds".to_owned(),
        },
        "expired" => "Nobody answered in time".to_owned(),
        other => format!("It ended: {}", Shown::of(other).line()),
    }
}

fn signed(question: &Question, zone: &TimeZone) -> String {
    let answer = question.answer.as_ref();
    let by = question.resolved_by.as_ref().or(answer.map(|answer| &answer.by));
    let at = question.resolved_at.or(answer.and_then(|answer| answer.at));
    let by = by.map(|by| format!(" – {}", by.words())).unwrap_or_default();
    let at = at.map(|at| format!(", {}", moment(at, zone))).unwrap_or_default();
    format!("{by}{at}")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_end_says_what_by_whom_where_and_when() {
        let check = |outcome: &str, words: &str| {
            let question = samples::ended("rel-1", outcome);
            assert_eq!(told(&question, &TimeZone::UTC), words, "{outcome}");
        };
        check("chosen", "Answered: Yes, release – telegram:4242 in Telegram, 30 Nov 2026, 13:25");
        check("own_words", "Answered in own words: after lunch – telegram:4242 in Telegram, 30 Nov 2026, 13:25");
        check("declined", "Declined: the agent goes on by its own judgement – telegram:4242 in Telegram, 30 Nov 2026, 13:25");
        check("cancelled", "Cancelled (owner cancelled) – telegram:4242 in Telegram, 30 Nov 2026, 13:25");
        check("defaulted", "Nobody answered in time; the default holds: No – the deadline, 30 Nov 2026, 13:25");
        check("expired", "Nobody answered in time – the deadline, 30 Nov 2026, 13:25");
        check("withdrawn", "The agent took it back: the tests settled it – agent:deployer over HTTP, 30 Nov 2026, 13:25");
        check("vanished", "It ended: vanished – telegram:4242 in Telegram, 30 Nov 2026, 13:25");
    }

    #[test]
    fn private_words_are_not_told() {
        let mut question = samples::ended("rel-1", "own_words");
        if let Some(answer) = &mut question.answer {
            (answer.private, answer.answer) = (true, None);
        }
        assert!(told(&question, &TimeZone::UTC).starts_with("Answered privately – "));
    }
}
