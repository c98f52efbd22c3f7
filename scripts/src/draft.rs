//! The body of a question, from the flags of `ask new`. The service checks it; here only what it would not ask for.

use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::options;
use crate::text;
use crate::verbs::new::{New, Purpose, Reversibility};

/// The body. Reads the text's file or standard input.
///
/// # Errors
/// Code 2, naming the flag.
pub fn body(new: &New, publication: &str) -> Result<Value, Failure> {
    if is_clarification(new) {
        if new.reversibility.is_none() {
            return Err(Failure::usage(
                "--reversibility is required for a clarification: say reversible or hard_to_reverse (or give options with -o)",
            ));
        }
        if new.waiting_on.is_none() {
            return Err(Failure::usage(
                "--waiting-on is required for a clarification: say what stands still until the answer comes (or give options with -o)",
            ));
        }
    }
    let text = match (&new.text, &new.text_file) {
        (_, Some(path)) => text::from_file(path)?,
        (given, None) => text::given(given.as_deref().unwrap_or_default())?,
    };
    let options = options::body(&new.options, &new.details).map_err(Failure::usage)?;
    let mut body = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            body.insert(name.to_owned(), value);
        }
    };
    let word = |text: &Option<String>| text.clone().map(Value::String);
    put("text", Some(text.into()));
    put("publication_id", Some(publication.into()));
    put("id", new.id.as_ref().map(|id| id.as_str().into()));
    put("options", (!options.is_empty()).then(|| options.into()));
    put("recommended", new.recommend.as_ref().map(|id| id.as_str().into()));
    put("purpose", new.purpose.map(|purpose| purpose_name(purpose).into()));
    put("reversibility", new.reversibility.map(|reversibility| reversibility_name(reversibility).into()));
    put("waiting_on", word(&new.waiting_on));
    put("issue", new.issue.clone());
    put("header", word(&new.header));
    put("wake", word(&new.wake));
    let source = json!({"run": new.run, "task": new.task, "project": new.project});
    let has_source = [&new.run, &new.task, &new.project].iter().any(|part| part.is_some());
    put("source", has_source.then_some(source));
    Ok(Value::Object(body))
}

fn is_clarification(new: &New) -> bool {
    match new.purpose {
        Some(purpose) => purpose == Purpose::Clarification,
        None => new.options.is_empty(),
    }
}

fn purpose_name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Question => "question",
        Purpose::Clarification => "clarification",
    }
}

fn reversibility_name(reversibility: Reversibility) -> &'static str {
    match reversibility {
        Reversibility::Reversible => "reversible",
        Reversibility::HardToReverse => "hard_to_reverse",
    }
}
