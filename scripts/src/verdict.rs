//! What an answer is worth to a script: success is what was asked for and nothing else. Whatever cannot be told apart
//! is no success.

use crate::exit::Exit;
use crate::json::Json;
use crate::purpose::Purpose;

/// The end that an answer to a question of this purpose stands for; None for an outcome that is not known here.
pub fn exit(answer: &Json, purpose: Purpose) -> Option<Exit> {
    let is_success = match answer.text("outcome")? {
        "chosen" => purpose.success().is_none_or(|choice| answer.text("choice") == Some(choice)),
        "own_words" => purpose.takes_words(),
        _ => return without_purpose(answer),
    };
    Some(if is_success { Exit::Done } else { Exit::Declined })
}

/// The same, where the purpose makes no difference; None where it does.
pub fn without_purpose(answer: &Json) -> Option<Exit> {
    match answer.text("outcome")? {
        "declined" | "cancelled" | "expired" => Some(Exit::Declined),
        "defaulted" => Some(Exit::Defaulted),
        _ => None,
    }
}

/// Is it an outcome that is known here?
pub fn is_known(outcome: &str) -> bool {
    matches!(outcome, "chosen" | "own_words" | "declined" | "cancelled" | "expired" | "defaulted")
}

/// The purpose of the question, by the options that its answer shows: an answer does not name it. A decision is told as
/// a question, since both have options of their own. None where nothing is certain.
pub fn purpose_by_options(answer: &Json) -> Option<Purpose> {
    let Some(Json::List(options)) = answer.get("options") else { return None };
    let shown: Vec<(&str, &str)> =
        options.iter().map(|option| Some((option.text("id")?, option.text("label")?))).collect::<Option<_>>()?;
    if let Some(fixed) = Purpose::ALL.into_iter().find(|purpose| !shown.is_empty() && purpose.fixed_options() == shown) {
        return Some(fixed);
    }
    // Only an approval has a digest, and no question of somebody's own has a single option.
    let is_own = answer.get("digest").is_none_or(|digest| *digest == Json::Null);
    match shown.len() {
        _ if !is_own => None,
        0 => Some(Purpose::Clarification),
        1 => None,
        _ => Some(Purpose::Question),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use serde_json::{Value, json};

    use super::*;

    const OWN: &[(&str, &str)] = &[("1", "Yes"), ("2", "No")];

    fn answer(outcome: &str, choice: Option<&str>, options: &[(&str, &str)]) -> Json {
        let options: Vec<Value> = options.iter().map(|(id, label)| json!({"id": id, "label": label})).collect();
        let value = json!({"outcome": outcome, "choice": choice, "options": options, "digest": null});
        Json::parse(&value.to_string()).unwrap()
    }

    #[test]
    fn only_what_was_asked_for_is_a_success() {
        use Purpose::*;
        let check = |purpose: Purpose, outcome: &str, choice: Option<&str>, code: u8| {
            let exit = exit(&answer(outcome, choice, purpose.fixed_options()), purpose);
            assert_eq!(exit.map(Exit::code), Some(code), "{purpose:?} {outcome} {choice:?}");
        };
        check(Question, "chosen", Some("2"), 0);
        check(Question, "own_words", None, 0);
        check(Clarification, "own_words", None, 0);
        check(Decision, "chosen", Some("b"), 0);
        check(Approval, "chosen", Some("approve"), 0);
        check(Approval, "chosen", Some("decline"), 4);
        check(Approval, "chosen", Some("approve,decline"), 4);
        check(Approval, "chosen", Some("Approve"), 4);
        check(Approval, "chosen", None, 4);
        check(Approval, "own_words", None, 4);
        check(Approval, "own_words", Some("approve"), 4);
        check(Action, "chosen", Some("done"), 0);
        check(Action, "chosen", Some("cant"), 4);
        check(Action, "own_words", None, 4);
        check(Verify, "chosen", Some("works"), 0);
        check(Verify, "chosen", Some("approve"), 4);
        check(Verify, "own_words", None, 4);
        for purpose in Purpose::ALL {
            for outcome in ["declined", "cancelled", "expired"] {
                check(purpose, outcome, purpose.success(), 4);
            }
            check(purpose, "defaulted", purpose.success(), 6);
            assert_eq!(super::exit(&answer("approved_by_the_moon", purpose.success(), &[]), purpose), None);
        }
    }

    #[test]
    fn without_the_record_the_options_tell_what_was_asked() {
        for purpose in [Purpose::Approval, Purpose::Action, Purpose::Verify] {
            let options = purpose.fixed_options();
            assert_eq!(purpose_by_options(&answer("own_words", None, options)), Some(purpose));
        }
        assert_eq!(purpose_by_options(&answer("chosen", Some("1"), OWN)), Some(Purpose::Question));
        assert_eq!(purpose_by_options(&answer("own_words", None, &[])), Some(Purpose::Clarification));
        let renamed = [("approve", "Ship it"), ("decline", "Leave it")];
        assert_eq!(purpose_by_options(&answer("chosen", Some("decline"), &renamed)), Some(Purpose::Question));
    }

    #[test]
    fn what_may_be_an_approval_is_never_told_as_a_question() {
        let unsure = |value: Value| assert_eq!(purpose_by_options(&Json::parse(&value.to_string()).unwrap()), None, "{value}");
        unsure(json!({"outcome": "chosen", "choice": "approve"}));
        unsure(json!({"outcome": "chosen", "choice": "approve", "options": null}));
        unsure(json!({"outcome": "chosen", "choice": "approve", "options": [{"id": "approve"}, {"id": "decline"}]}));
        unsure(json!({"outcome": "chosen", "choice": "works", "options": [{"id": "works", "label": "Ça marche"}]}));
        let own = json!([{"id": "1", "label": "Yes"}, {"id": "2", "label": "No"}]);
        unsure(json!({"outcome": "chosen", "choice": "1", "options": own, "digest": "sha256:00"}));
        unsure(json!({"outcome": "own_words", "options": [], "digest": "sha256:00"}));
    }
}
