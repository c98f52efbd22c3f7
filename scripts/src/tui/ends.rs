//! What became of a question, in one line: what was decided, by whom, where and when.

use jiff::tz::TimeZone;
use pager_questions::ends;

use super::shown::Shown;
use super::times::moment;
use super::wire::{Answer, Question};

/// The end of a question; what it is in while it has none.
pub fn told(question: &Question, zone: &TimeZone) -> String {
    // Of a deadline that passed the text says it all.
    let is_due = question.answer.as_ref().is_some_and(|answer| matches!(answer.outcome.as_str(), "defaulted" | "expired"));
    let signed = if question.has_ended() && !is_due { signed(question, zone) } else { String::new() };
    format!("{}{signed}", what(question, zone))
}

/// The same without who and when.
pub fn what(question: &Question, zone: &TimeZone) -> String {
    match (&question.answer, question.state.as_str()) {
        (_, "open") => "It is open".to_owned(),
        (_, "answering") => "An answer is being saved".to_owned(),
        (Some(answer), _) => outcome(question, answer, zone),
        (None, "withdrawn") => match &question.reason {
            Some(reason) => format!("The agent took it back: {}", reason.line()),
            None => "The agent took it back".to_owned(),
        },
        (None, state) => format!("It ended: {}", Shown::of(state).line()),
    }
}

/// What an answer says, without who and when. What it means stands in [`ends`], for every surface.
pub fn outcome(question: &Question, answer: &Answer, zone: &TimeZone) -> String {
    let said = match &answer.answer {
        Some(said) => said.line(),
        None => "a private answer".to_owned(),
    };
    let purpose = question.known_purpose();
    let due = || question.deadline.or(answer.at).map_or_else(|| "its deadline".to_owned(), |at| moment(at, zone));
    // First, or a narrow screen would cut it off.
    let meant = if is_no(question, answer) { purpose.and_then(ends::otherwise) } else { None };
    let meant = meant.map(|meant| format!("{meant}. ")).unwrap_or_default();
    match answer.outcome.as_str() {
        "chosen" => format!("{meant}Answered: {said}"),
        "own_words" if answer.private => format!("{meant}Answered privately"),
        "own_words" => format!("{meant}Answered in own words: {said}"),
        "declined" => purpose.map_or_else(|| "Declined".to_owned(), ends::declined),
        "cancelled" => match answer.reason.as_ref().map(|reason| reason.line().replace('_', " ")) {
            Some(reason) => format!("Cancelled ({reason})"),
            None => "Cancelled".to_owned(),
        },
        "defaulted" => {
            let label = answer.default.as_ref().map(|default| question.label(default)).unwrap_or_default();
            ends::defaulted(&due(), &label)
        }
        "expired" => purpose.map_or_else(|| format!("Nobody answered by {}", due()), |purpose| ends::expired(purpose, &due())),
        other => format!("It ended: {}", Shown::of(other).line()),
    }
}

/// Was a yes asked for, and something else said?
fn is_no(question: &Question, answer: &Answer) -> bool {
    let yes = question.known_purpose().and_then(|purpose| purpose.rules().yes);
    yes.is_some_and(|yes| answer.outcome != "chosen" || answer.choice.as_deref() != Some(yes.option))
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
        check("defaulted", "Nobody answered by 30 Nov 2026, 13:25. The agent goes on with its default: No");
        check("expired", "Nobody answered by 30 Nov 2026, 13:25. Not answered.");
        check("withdrawn", "The agent took it back: the tests settled it – agent:deployer over HTTP, 30 Nov 2026, 13:25");
        check("vanished", "It ended: vanished – telegram:4242 in Telegram, 30 Nov 2026, 13:25");
    }

    #[test]
    fn whatever_is_no_yes_is_told_as_a_no() {
        let check = |purpose: &str, outcome: &str, choice: Option<&str>, words: &str| {
            let mut question = samples::ended("rel-1", outcome);
            question.purpose = purpose.to_owned();
            if let Some(answer) = &mut question.answer {
                (answer.choice, answer.answer) = (choice.map(str::to_owned), Some(Shown::of(choice.unwrap_or("later"))));
            }
            assert_eq!(what(&question, &TimeZone::UTC), words, "{purpose} {outcome} {choice:?}");
        };
        for (purpose, yes, no, meant) in [
            ("approval", "approve", "decline", "not approved"),
            ("action", "done", "cant", "not done"),
            ("verify", "works", "other", "not verified"),
        ] {
            let first = format!("N{}", &meant[1..]);
            check(purpose, "chosen", Some(yes), &format!("Answered: {yes}"));
            check(purpose, "chosen", Some(no), &format!("{first}. Answered: {no}"));
            check(purpose, "own_words", None, &format!("{first}. Answered in own words: later"));
            check(purpose, "declined", None, &format!("Declined: {meant}"));
            check(purpose, "expired", None, &format!("Nobody answered by 30 Nov 2026, 13:25. {first}."));
        }
        for purpose in ["question", "clarification", "decision"] {
            check(purpose, "chosen", Some("1"), "Answered: 1");
            check(purpose, "own_words", None, "Answered in own words: later");
            check(purpose, "declined", None, "Declined: the agent goes on by its own judgement");
        }
        check("riddle", "own_words", None, "Answered in own words: later");
        check("riddle", "declined", None, "Declined");
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
