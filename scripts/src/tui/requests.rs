//! Effects become requests, and replies become events. A write that may have arrived is sent again under the key that it
//! had, so that it is never done twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Value, json};

use super::event::{Act, Event, Mark, Outcome, Write};
use super::wire::{Page, Question, UpdateId};
use crate::again;
use crate::client::{Call, Client, Reply};
use crate::json::Json;
use crate::problem::{self, Problem, refusal};
use crate::reading::Reading;

/// How many open questions are held at once.
const MOST_OPEN: usize = 1000;
const MOST_UPDATES: usize = 500;
const HISTORY_PAGE: usize = 50;

/// What the requests of one screen share.
pub struct Requests {
    client: Arc<Client>,
    keys: Mutex<HashMap<String, String>>,
}

impl Requests {
    /// Over this client.
    pub fn new(client: Arc<Client>) -> Self {
        Self { client, keys: Mutex::default() }
    }

    /// Reads the open questions.
    ///
    /// # Errors
    /// Why not, with the code to end with.
    pub fn open(&self) -> Result<Page<Question>, crate::failure::Failure> {
        self.page("/v1/inbox/open", MOST_OPEN, None)
    }

    /// Reads the updates that are not dismissed.
    pub fn updates(&self) -> Event {
        Event::Updates(self.page("/v1/updates", MOST_UPDATES, None).map_err(|failure| failure.words))
    }

    /// Reads a page of the mailbox.
    pub fn history(&self, after: Option<String>) -> Event {
        let page = self.page("/v1/inbox", HISTORY_PAGE, after.clone()).map_err(|failure| failure.words);
        Event::History(after, page)
    }

    /// Reads one record; None when it cannot be read now. The next list tells more.
    pub fn record(&self, id: &pager_questions::QuestionId) -> Option<Event> {
        let reply = self.client.send(&Call::get(format!("/v1/questions/{id}"))).ok()?;
        let record = serde_json::from_str(&reply.body).ok().filter(|_| reply.status == 200)?;
        Some(Event::Record(Box::new(record)))
    }

    /// Marks an update.
    pub fn mark(&self, id: UpdateId, mark: Mark) -> Event {
        let verb = match mark {
            Mark::Read => "read",
            Mark::Dismissed => "dismiss",
        };
        let call = Call::post(format!("/v1/updates/{}/{verb}", id.as_str()), None);
        let result = match again::write(&self.client, &call, &mut again::sleep) {
            Ok(reply) if (200..300).contains(&reply.status) => Ok(()),
            Ok(reply) => Err(refusal(&reply, Some(id.as_str())).words),
            Err(lost) => Err(problem::unreachable(&lost).words),
        };
        Event::Marked(id, mark, result)
    }

    /// Sends an owner's act.
    pub fn settle(&self, write: Box<Write>) -> Event {
        let outcome = self.outcome(&write);
        Event::Written(write, Box::new(outcome))
    }

    fn outcome(&self, write: &Write) -> Outcome {
        let mut call = call(write);
        let content = format!("{} {:?}", call.path, call.post);
        let Ok(key) = self.key(&content) else {
            return Outcome::Refused { words: "the system gives no random bytes".to_owned(), is_stale: false };
        };
        call.key = Some(key);
        let reply = match again::write(&self.client, &call, &mut again::sleep) {
            Ok(reply) => reply,
            Err(lost) => return Outcome::Unknown(lost.to_string()),
        };
        let outcome = self.understood(write, &reply);
        // What is being saved, and what may have arrived, is asked for again under the same key. A refusal is over.
        if !matches!(outcome, Outcome::Saving(_)) {
            self.keys.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&content);
        }
        outcome
    }

    fn understood(&self, write: &Write, reply: &Reply) -> Outcome {
        let unreadable = || Outcome::Unknown(problem::unreadable().words);
        match reply.status {
            200 => {
                let checked = Json::parse(&reply.body).map_err(|_| problem::unreadable());
                let reading = Reading::of_record(write.id.clone(), Some(write.incarnation.clone()));
                let accepted = checked.and_then(|answer| reading.accept(&self.client, &answer).map(|_| ()));
                match (accepted, serde_json::from_str(&reply.body)) {
                    (Err(failure), _) => Outcome::Unknown(failure.words),
                    (Ok(()), Ok(answer)) => Outcome::Settled(answer),
                    (Ok(()), Err(_)) => unreadable(),
                }
            }
            202 => serde_json::from_str(&reply.body).map_or_else(|_| unreadable(), |record| Outcome::Saving(Box::new(record))),
            _ => {
                let words = refusal(reply, Some(write.id.as_str())).words;
                let code = Problem::of(reply).map(|problem| problem.code);
                match (&write.act, code.as_deref()) {
                    (Act::Words { anyway: false, .. }, Some("looks_secret")) => Outcome::LooksSecret(words),
                    _ => Outcome::Refused { words, is_stale: matches!(reply.status, 404 | 409 | 410) },
                }
            }
        }
    }

    /// The key of this act: a new one, unless it was sent before and nobody knows what became of it.
    fn key(&self, content: &str) -> Result<String, getrandom::Error> {
        let mut keys = self.keys.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(key) = keys.get(content) {
            return Ok(key.clone());
        }
        let key = format!("ask-{}", again::random_hex::<16>()?);
        keys.insert(content.to_owned(), key.clone());
        Ok(key)
    }

    fn page<Item: for<'de> Deserialize<'de>>(
        &self,
        path: &str,
        limit: usize,
        cursor: Option<String>,
    ) -> Result<Page<Item>, crate::failure::Failure> {
        let mut call = Call::get(path);
        call.query.push(("limit", limit.to_string()));
        call.query.extend(cursor.map(|cursor| ("cursor", cursor)));
        let reply = self.client.send(&call).map_err(|lost| problem::unreachable(&lost))?;
        if reply.status != 200 {
            return Err(refusal(&reply, None));
        }
        Page::read(&reply.body).ok_or_else(problem::unreadable)
    }
}

fn call(write: &Write) -> Call {
    let path = |verb: &str| format!("/v1/questions/{}/{verb}", write.id);
    let very_record = json!({"incarnation": write.incarnation});
    match &write.act {
        Act::Choose(chosen) => {
            let ids: Vec<&str> = chosen.iter().map(|(id, _)| id.as_str()).collect();
            let labels: Vec<&str> = chosen.iter().map(|(_, label)| label.as_str()).collect();
            Call::post(
                path("answer"),
                Some(with(very_record, [("option", ids.join(",").into()), ("answer", labels.join(", ").into())])),
            )
        }
        Act::Words { text, anyway: false } => {
            Call::post(path("answer"), Some(with(very_record, [("answer", text.as_str().into())])))
        }
        Act::Words { text, anyway: true } => {
            let body = with(very_record, [("answer", text.as_str().into()), ("confirm_secret", true.into())]);
            Call::post(path("answer"), Some(body))
        }
        // A decline takes no body.
        Act::Decline => Call::post(path("decline"), None),
        Act::Cancel => Call::post(path("cancel"), Some(very_record)),
    }
}

fn with<const N: usize>(mut body: Value, members: [(&str, Value); N]) -> Value {
    for (name, value) in members {
        body[name] = value;
    }
    body
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use pager_questions::OptionId;

    use super::super::samples;
    use super::*;
    use crate::settings::Settings;

    fn sent(act: Act) -> (String, Value) {
        let question = samples::question("rel-1");
        let write = Write { id: question.id.clone(), incarnation: question.incarnation.clone(), title: question.title(), act };
        let call = call(&write);
        (call.path, call.post.flatten().unwrap_or(Value::Null))
    }

    #[test]
    fn every_act_names_the_very_record_but_a_decline_which_takes_no_body() {
        let record = samples::incarnation("rel-1");
        let chosen = |ids: &[&str]| Act::Choose(ids.iter().map(|id| (OptionId::parse(id).unwrap(), id.to_uppercase())).collect());
        let path = |verb: &str| format!("/v1/questions/rel-1/{verb}");
        let one = json!({"incarnation": record, "option": "yes", "answer": "YES"});
        assert_eq!(sent(chosen(&["yes"])), (path("answer"), one));
        let two = json!({"incarnation": record, "option": "yes,no", "answer": "YES, NO"});
        assert_eq!(sent(chosen(&["yes", "no"])), (path("answer"), two));
        let words = |anyway| Act::Words { text: "yes\n".to_owned(), anyway };
        assert_eq!(sent(words(false)), (path("answer"), json!({"incarnation": record, "answer": "yes\n"})));
        let anyway = json!({"incarnation": record, "answer": "yes\n", "confirm_secret": true});
        assert_eq!(sent(words(true)), (path("answer"), anyway));
        assert_eq!(sent(Act::Decline), (path("decline"), Value::Null));
        assert_eq!(sent(Act::Cancel), (path("cancel"), json!({"incarnation": record})));
    }

    fn understood(act: Act, status: u16, body: &Value) -> Outcome {
        let settings = Settings { url: "http://127.0.0.1:1".to_owned(), token: "t".to_owned().into(), keys: Vec::new() };
        let requests = Requests::new(Arc::new(Client::of_terminal(settings)));
        let question = samples::question("rel-1");
        let write = Write { id: question.id.clone(), incarnation: question.incarnation.clone(), title: question.title(), act };
        requests.understood(&write, &Reply { status, body: body.to_string(), ignored_at: None, retry_after: None })
    }

    #[test]
    fn each_reply_is_understood_as_what_it_means_for_the_person() {
        let problem = |code: &str| json!({"code": code, "detail": format!("because {code}"), "title": "No"});
        let words = |anyway| Act::Words { text: "x".to_owned(), anyway };
        let answer = samples::answer("rel-1", "declined");
        assert!(matches!(understood(Act::Decline, 200, &answer), Outcome::Settled(answer) if answer.outcome == "declined"));
        assert!(matches!(understood(Act::Decline, 202, &samples::record("rel-1")), Outcome::Saving(_)));
        let secret = problem("looks_secret");
        assert_eq!(understood(words(false), 422, &secret), Outcome::LooksSecret("because looks_secret".to_owned()));
        for (act, status, code, is_stale) in [
            (words(true), 422, "looks_secret", false),
            (words(false), 422, "invalid", false),
            (words(false), 502, "save_refused", false),
            (Act::Cancel, 401, "unauthenticated", false),
            (Act::Cancel, 404, "not_found", true),
            (Act::Cancel, 409, "already_answered", true),
            (Act::Cancel, 409, "answering", true),
            (Act::Cancel, 409, "incarnation_mismatch", true),
        ] {
            let outcome = understood(act, status, &problem(code));
            let is_it = matches!(&outcome, Outcome::Refused { words, is_stale: stale } if words.contains(&format!("because {code}")) && *stale == is_stale);
            assert!(is_it, "{status} {code}: {outcome:?}");
        }
    }

    #[test]
    fn an_answer_of_another_record_is_never_taken_for_this_ones() {
        let other = samples::answer("rel-2", "declined");
        assert!(matches!(understood(Act::Decline, 200, &other), Outcome::Unknown(_)));
        assert!(matches!(understood(Act::Decline, 200, &json!("a login page")), Outcome::Unknown(_)));
    }
}
