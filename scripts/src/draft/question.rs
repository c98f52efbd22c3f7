//! The body of a question, from the flags of `ask new`.

use pager_questions::Purpose;
use pager_questions::purpose::Options;
use serde_json::Value;

use super::Body;
use crate::failure::Failure;
use crate::options;
use crate::purpose::{fixed_options, needs_reversibility};
use crate::text;
use crate::verbs::new::New;

/// What it is for: as it says, else as its options say.
pub fn purpose(new: &New) -> Purpose {
    let by_options = if new.options.is_empty() { Purpose::Clarification } else { Purpose::Question };
    new.purpose.unwrap_or(by_options)
}

/// The body. Reads the text's and the subject's file or standard input.
///
/// # Errors
/// Code 2, naming the flag.
pub fn body(new: &New, publication: &str) -> Result<Value, Failure> {
    check(new)?;
    let text = text::one_of(new.text.as_deref(), new.text_file.as_deref())?;
    let mut body = Body::default();
    body.put("text", Some(text));
    body.put("publication_id", Some(publication));
    body.put("id", new.id.as_ref().map(ToString::to_string));
    body.put_list("options", options::body(&new.options, &new.details).map_err(Failure::usage)?);
    body.put("recommended", new.recommend.as_ref().map(ToString::to_string));
    body.put("multi", new.multi.then_some(true));
    body.put("purpose", new.purpose.map(|purpose| purpose.rules().name));
    body.put("reversibility", new.reversibility.map(|reversibility| reversibility.name()));
    body.put("waiting_on", new.waiting_on.clone());
    body.put("deadline", new.deadline.map(|deadline| deadline.to_string()));
    body.put("default", new.default.as_ref().map(ToString::to_string));
    body.put("gate", new.gate.clone());
    new.subject.put(&mut body)?;
    body.put_list("steps", new.steps.iter().cloned().map(Value::String).collect());
    body.put("secret", new.secret.then_some(true));
    body.put("header", new.header.clone());
    body.put("group", new.group.clone());
    body.put("wake", new.wake.clone());
    body.put("about", new.about.as_ref().map(ToString::to_string));
    new.place.put(&mut body);
    Ok(body.finish())
}

/// What has to be known before anything is read or sent.
fn check(new: &New) -> Result<(), Failure> {
    let usage = |words: String| Err(Failure::usage(words));
    if new.purpose.is_none() && new.gate.is_some() {
        return usage("--gate belongs to an approval: add --purpose approval, or use `ask gate`".to_owned());
    }
    if new.purpose.is_none() && !new.steps.is_empty() {
        return usage("--step belongs to an action: add --purpose action".to_owned());
    }
    let purpose = purpose(new);
    let rules = purpose.rules();
    let article = rules.called;
    if !new.options.is_empty() && rules.options != Options::Given {
        let own: Vec<&str> = fixed_options(purpose).iter().map(|(_, label)| *label).collect();
        let why = if own.is_empty() { "has no options".to_owned() } else { format!("has its own: {}", own.join(", ")) };
        return usage(format!("-o: {article} {why}; leave -o out, or ask a question"));
    }
    let way_out = if purpose == Purpose::Clarification { " (or give options with -o)" } else { "" };
    if needs_reversibility(purpose) && new.reversibility.is_none() {
        return usage(format!("--reversibility is required for {article}: say reversible or hard_to_reverse{way_out}"));
    }
    if rules.needs_waiting_on && new.waiting_on.is_none() {
        return usage(format!("--waiting-on is required for {article}: say what stands still until the answer comes{way_out}"));
    }
    if purpose == Purpose::Offer && new.about.is_none() {
        return usage(
            "--about is required for an offer: the id of the request; `ask offer` asks for what else it needs".to_owned(),
        );
    }
    if new.subject.reads_input() && new.text.as_deref() == Some("-") {
        return usage("--subject: standard input is read for the text already; give one of them as a file".to_owned());
    }
    Ok(())
}
