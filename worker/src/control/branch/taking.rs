//! Takes the files of a commit that were not dealt with yet, each once. One that cannot be taken is noted with its code, and
//! stands in nobody's way.

use pager_questions::Time;
use serde_json::Value;

use super::Watch;
use super::source::{Found, Trouble};
use crate::control::{Outcome, VerifiedControlEvent, receive};
use crate::crash;
use crate::store::{EventFile, Write};

/// What the name of an event's file ends with, behind its id.
const ENDING: &str = ".json";
/// The most bytes of an event, as over HTTP.
const MOST_BYTES: u64 = 64 * 1024;
/// The most files that are held in memory at a time.
const MOST_TOGETHER: usize = 256;

/// Deals with what is new; why something is to be tried again, when something is.
pub(super) async fn take(watch: &mut Watch, at: &str) -> Result<Option<String>, Trouble> {
    let mut files = watch.source.files(at).await?;
    files.retain(|file| file.name.ends_with(ENDING));
    forget_gone(watch, &files).await?;
    files.retain(|file| watch.done.get(&file.name).is_none_or(|done| done.content != file.content));
    let mut waiting = None;
    for together in files.chunks(MOST_TOGETHER) {
        let mut events = Vec::with_capacity(together.len());
        for file in together {
            if file.size > MOST_BYTES {
                keep(watch, file, Some("too_large")).await?;
                continue;
            }
            let body = watch.source.read(at, file).await?;
            match VerifiedControlEvent::pushed(file.name.strip_suffix(ENDING).unwrap_or_default(), body.clone()) {
                Ok(event) => events.push((order(&body), file, event)),
                Err(_) => keep(watch, file, Some("not_an_event_id")).await?,
            }
        }
        events.sort_by(|one, other| (&one.0, &one.1.name).cmp(&(&other.0, &other.1.name)));
        for (_, file, event) in events {
            if watch.control.service.ending.is_cancelled() {
                return Ok(waiting);
            }
            let outcome = receive(&watch.control, &event).await;
            crash::point("inbox.received");
            if outcome.is_settled() {
                keep(watch, file, refusal(&outcome)).await?;
                crash::point("inbox.kept");
            } else {
                let code = outcome.code.as_deref().unwrap_or("unavailable");
                waiting = Some(format!("events could not be handled yet ({code}); they are tried again"));
            }
        }
    }
    Ok(waiting)
}

/// In which order files are taken that came together. Which commit brought which is dear to find out, so it is the time at
/// which they were sent. Requests go first, then questions: so a withdrawal finds its question, and what is about a request that
/// request, whatever they say of their times.
fn order(body: &[u8]) -> (u8, i64) {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let sent_at = match &body["sent_at"] {
        Value::String(text) => Time::parse(text),
        Value::Number(number) => Time::parse(&number.to_string()),
        _ => None,
    };
    let rank = match body["type"].as_str() {
        Some("request") => 0,
        Some("ask") => 1,
        _ => 2,
    };
    (rank, sent_at.map_or(i64::MAX, Time::as_millis))
}

/// The code of an event that was not taken. An id that nobody knows, or a question that is over, is an outcome like any other.
fn refusal(outcome: &Outcome) -> Option<&str> {
    let is_refused = matches!(outcome.status, 400 | 401 | 403 | 413 | 422) || outcome.code.as_deref() == Some("event_reused");
    is_refused.then(|| outcome.code.as_deref().unwrap_or("refused"))
}

/// Keeps in mind that this file was dealt with, over restarts.
async fn keep(watch: &mut Watch, file: &Found, refused: Option<&str>) -> Result<(), Trouble> {
    if let Some(code) = refused {
        tracing::warn!(file = loggable(&file.name), code, "a file on the branch of events was not taken");
    }
    let done = EventFile { name: file.name.clone(), content: file.content.clone(), is_refused: refused.is_some() };
    store(watch, vec![Write::KeepEventFile(done.clone())]).await?;
    watch.done.insert(done.name.clone(), done);
    Ok(())
}

/// Forgets what is no longer there.
async fn forget_gone(watch: &mut Watch, files: &[Found]) -> Result<(), Trouble> {
    let there: std::collections::BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let gone: Vec<String> = watch.done.keys().filter(|name| !there.contains(name.as_str())).cloned().collect();
    if gone.is_empty() {
        return Ok(());
    }
    store(watch, gone.iter().map(|name| Write::ForgetEventFile { name: name.clone() }).collect()).await?;
    watch.done.retain(|name, _| !gone.contains(name));
    Ok(())
}

async fn store(watch: &Watch, writes: Vec<Write>) -> Result<(), Trouble> {
    watch.control.service.store.commit(writes).await.map_err(|error| Trouble::failed(error.to_string()))
}

/// A name that somebody else chose, as it may stand in a log line.
fn loggable(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_graphic()).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_come_first_and_then_it_goes_by_the_time_of_sending() {
        let mut bodies = [
            r#"{"type": "withdraw", "id": "a"}"#,
            r#"{"type": "withdraw", "id": "a", "sent_at": "2026-11-30T13:00:00Z"}"#,
            r#"{"type": "ask"}"#,
            r#"{"type": "ask", "sent_at": "2026-11-30T14:00:00Z"}"#,
            r#"{"type": "ask", "sent_at": 1796043600}"#,
        ];
        bodies.sort_by_key(|body| order(body.as_bytes()));
        let sorted = [bodies[0].contains("1796043600"), bodies[1].contains("14:00"), bodies[2] == r#"{"type": "ask"}"#];
        assert_eq!(sorted, [true; 3], "{bodies:?}");
        assert!(bodies[3].contains("13:00") && !bodies[4].contains("sent_at"), "{bodies:?}");
        assert_eq!(order(b"no JSON"), (2, i64::MAX));
    }
}
