//! What a file among the answers is to somebody who waits: an answer, none that counts, or an error. Only what names this
//! question, and verifies where keys are set, is ever an answer.

use pager_questions::{Time, VerifyingKey, since};

use super::File;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::reading::Reading;

/// What a file is.
#[derive(Debug)]
pub enum Judged {
    /// The answer, checked.
    Answer {
        /// As it was received.
        answer: Json,
        /// What it is worth.
        exit: Exit,
    },
    /// An answer that does not count for this reading: why, for people.
    Ignored(String),
}

/// Judges one.
///
/// # Errors
/// Code 1 for whatever is not an answer to this question.
pub fn judge(file: &File, reading: &Reading, keys: &[VerifyingKey]) -> Result<Judged, Failure> {
    let id = &reading.id;
    let wrong = |why: &str| {
        Failure::failed(format!(
            "what the repository of answers holds for {id} is not taken for an answer: {why}; look who wrote it"
        ))
    };
    let File::Bytes(bytes) = file else { return Err(wrong("it is too large")) };
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
    let answer = Json::parse(text).map_err(|error| wrong(&format!("it is not JSON that can be read one way ({error})")))?;
    if answer.text("outcome").is_none() {
        return Err(wrong("it has no outcome"));
    }
    // Whether it counts is asked of what verifies alone: a forged file must not pass for an old answer.
    let exit = Reading { asked: reading.asked.clone(), ..Reading::of_record(id.clone(), None) }.accept_alone(keys, &answer)?;
    let at = answer.text("at").unwrap_or_default();
    match (&reading.incarnation, reading.since) {
        (Some(incarnation), _) if answer.text("incarnation") != Some(incarnation.as_str()) => Ok(Judged::Ignored(format!(
            "ignored an answer of {id} from {at}: it belongs to another question with this id, not to {incarnation}"
        ))),
        (None, Some(since)) if !Time::parse(at).is_some_and(|at| since::counts(at, since)) => {
            Ok(Judged::Ignored(reading.ignored(at)))
        }
        _ => Ok(Judged::Answer { answer, exit }),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use pager_questions::{Incarnation, QuestionId};

    use super::*;
    use crate::asked::Asked;
    use crate::purpose::Purpose;

    const ANSWER: &str = r#"{"id":"rel-42","incarnation":"0123456789abcdef","outcome":"chosen","choice":"1","answer":"Yes",
        "at":"1970-01-01T00:15:00.000Z","options":[{"id":"1","label":"Yes"},{"id":"2","label":"No"}]}"#;

    fn reading(since: Option<i64>, incarnation: Option<&str>) -> Reading {
        Reading {
            id: QuestionId::parse("rel-42").unwrap(),
            since: since.map(|seconds| Time::from_millis(seconds * 1000)),
            incarnation: incarnation.map(|text| Incarnation::parse(text).unwrap()),
            asked: None,
        }
    }

    fn judged(text: &str, since: Option<i64>, incarnation: Option<&str>) -> Result<Judged, Failure> {
        judge(&File::of(text.as_bytes().to_vec()), &reading(since, incarnation), &[])
    }

    #[test]
    fn an_answer_counts_from_a_minute_before_the_question_on() {
        let is_answer = |since, incarnation| matches!(judged(ANSWER, since, incarnation).unwrap(), Judged::Answer { .. });
        assert!(is_answer(None, None));
        assert!(is_answer(Some(960), None));
        assert!(!is_answer(Some(961), None));
        assert!(is_answer(Some(961), Some("0123456789abcdef")), "an incarnation decides alone");
        assert!(!is_answer(Some(0), Some("0000000000000000")));
        let unreadable = judged(&ANSWER.replace("1970-01-01T", "then "), Some(0), None).unwrap();
        assert!(matches!(unreadable, Judged::Ignored(words) if words.contains("cannot be read")));
    }

    #[test]
    fn what_was_asked_is_known_or_told_by_the_options() {
        let options = r#"[{"id":"approve","label":"Approve"},{"id":"decline","label":"Decline"}]"#;
        let start = ANSWER.find("[{").unwrap();
        let approved = format!("{}{options}}}", ANSWER[..start].replace("\"1\"", "\"approve\""));
        let declined = approved.replacen("\"approve\"", "\"decline\"", 1);
        let worth = |text: &str, asked: Option<Purpose>| {
            let reading = Reading { asked: asked.map(Asked::for_purpose), ..reading(None, None) };
            match judge(&File::of(text.as_bytes().to_vec()), &reading, &[]).unwrap() {
                Judged::Answer { exit, .. } => exit,
                Judged::Ignored(why) => panic!("{why}"),
            }
        };
        assert_eq!((worth(&approved, None), worth(&declined, None)), (Exit::Done, Exit::Declined));
        assert_eq!(worth(&declined, Some(Purpose::Question)), Exit::Done, "the asker knows better");
        assert_eq!((worth(ANSWER, None), worth(ANSWER, Some(Purpose::Approval))), (Exit::Done, Exit::Declined));
    }

    #[test]
    fn what_is_no_answer_to_this_question_is_an_error() {
        let check = |text: &str, why: &str| {
            let failure = judged(text, None, None).unwrap_err();
            assert!(failure.words.contains(why) && failure.exit.code() == 1, "{failure}");
        };
        check(&ANSWER.replace("rel-42", "rel-43"), "another question");
        check("<html>", "not JSON");
        check("[]", "no outcome");
        check(r#"{"id":"rel-42","outcome":"declined","outcome":"chosen"}"#, "not JSON");
        check(&ANSWER.replace("chosen", "approved_by_the_moon"), "does not know");
        check(&ANSWER.replace("options", "choices"), "do not tell what was asked");
        check(&" ".repeat(70_000), "too large");
        let failure = judge(&File::of(vec![0xff]), &reading(None, None), &[]).unwrap_err();
        assert!(failure.words.contains("UTF-8"));
    }
}
