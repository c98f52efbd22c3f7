//! The option syntax of `ask new`: `LABEL`, `id=LABEL`, `=LABEL`, and the details that belong to them.

use pager_questions::OptionId;
use serde_json::{Value, json};

/// One `-o`, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The id, where one was given.
    pub id: Option<OptionId>,
    /// What the owner sees.
    pub label: String,
}

/// One `--detail`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The option it belongs to.
    pub id: OptionId,
    /// Its trade-off.
    pub text: String,
}

/// Reads one `-o`. What stands before the first `=` is the id when it has the shape of one, and part of the label when
/// it has white space in it.
///
/// # Errors
/// For what could be meant either way; the text says how to write both.
pub fn parse_choice(text: &str) -> Result<Choice, String> {
    let plain = |label: &str| Choice { id: None, label: label.to_owned() };
    let Some((id, label)) = text.split_once('=') else { return Ok(plain(text)) };
    if id.is_empty() {
        return Ok(plain(label));
    }
    match OptionId::parse(id) {
        Ok(id) => Ok(Choice { id: Some(id), label: label.to_owned() }),
        Err(_) if id.chars().any(char::is_whitespace) => Ok(plain(text)),
        Err(error) => Err(format!("{id:?} before the = is not an id: {error}; write ={text} to take all of it as the label")),
    }
}

/// Reads one `--detail`.
///
/// # Errors
/// When it is not `id=TEXT`.
pub fn parse_detail(text: &str) -> Result<Detail, String> {
    let (id, detail) = text.split_once('=').ok_or("write it as id=TEXT, with the id of an option (1 is the first)")?;
    let id = OptionId::parse(id).map_err(|error| error.to_string())?;
    Ok(Detail { id, text: detail.to_owned() })
}

/// The `options` of the body. An option without an id gets its place, from 1, as the service would do.
///
/// # Errors
/// A detail of no option, two of one, or two options with one id.
pub fn body(choices: &[Choice], details: &[Detail]) -> Result<Vec<Value>, String> {
    let ids: Vec<String> = choices
        .iter()
        .enumerate()
        .map(|(place, choice)| choice.id.as_ref().map_or((place + 1).to_string(), ToString::to_string))
        .collect();
    for (place, id) in ids.iter().enumerate() {
        if ids[..place].contains(id) {
            return Err(format!("-o: two options have the id {id}; an option without an id gets its place as one"));
        }
    }
    for (place, detail) in details.iter().enumerate() {
        if details[..place].iter().any(|other| other.id == detail.id) {
            return Err(format!("--detail: {} has two; give one", detail.id));
        }
        if !ids.iter().any(|id| id == detail.id.as_str()) {
            let known =
                if ids.is_empty() { "there are no options".to_owned() } else { format!("the ids are {}", ids.join(", ")) };
            return Err(format!("--detail: {} is not the id of an option; {known}", detail.id));
        }
    }
    let detail_of = |id: &str| details.iter().find(|detail| detail.id.as_str() == id).map(|detail| detail.text.as_str());
    Ok(choices
        .iter()
        .zip(&ids)
        .map(|(choice, id)| match detail_of(id) {
            Some(detail) => json!({"id": id, "label": choice.label, "detail": detail}),
            None => json!({"id": id, "label": choice.label}),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn choices(texts: &[&str]) -> Vec<Choice> {
        texts.iter().map(|text| parse_choice(text).unwrap()).collect()
    }

    #[test]
    fn an_option_is_a_label_with_or_without_an_id() {
        let check = |text: &str, id: Option<&str>, label: &str| {
            let choice = parse_choice(text).unwrap();
            assert_eq!((choice.id.as_ref().map(OptionId::as_str), choice.label.as_str()), (id, label), "{text}");
        };
        check("Yes, release", None, "Yes, release");
        check("yes=Yes, release", Some("yes"), "Yes, release");
        check("a=b=c", Some("a"), "b=c");
        check("=a=b", None, "a=b");
        check("==", None, "=");
        check("Set x=1", None, "Set x=1");
    }

    #[test]
    fn what_could_be_meant_either_way_is_refused_with_both_ways_out() {
        let words = parse_choice("FOO=1").unwrap_err();
        assert!(words.contains("=FOO=1") && words.contains("a-z"), "{words}");
    }

    #[test]
    fn details_find_their_options_by_id_or_place() {
        let details = [parse_detail("2=Costs a day").unwrap(), parse_detail("now=Risky=yes").unwrap()];
        let body = body(&choices(&["now=Now", "Later"]), &details).unwrap();
        assert_eq!(
            Value::from(body),
            json!([{"id": "now", "label": "Now", "detail": "Risky=yes"}, {"id": "2", "label": "Later", "detail": "Costs a day"}])
        );
    }

    #[test]
    fn a_detail_of_nothing_and_an_id_that_stands_twice_are_refused() {
        let detail = |text: &str| parse_detail(text).unwrap();
        assert!(body(&choices(&["A", "B"]), &[detail("3=x")]).unwrap_err().contains("the ids are 1, 2"));
        assert!(body(&choices(&["A", "B"]), &[detail("1=x"), detail("1=y")]).unwrap_err().contains("has two"));
        assert!(body(&choices(&["2=A", "B"]), &[]).unwrap_err().contains("the id 2"));
        assert!(parse_detail("no equals sign").is_err());
    }
}
