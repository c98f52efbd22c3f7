//! An event for pagerd: what is forwarded, under an id of its own that stays over all tries.

use pager_questions::control::ControlEvent;
use pager_questions::{AgentName, Incarnation, QuestionId, RequestId, Time};
use serde_json::{Map, Value, json};

use crate::again;
use crate::failure::Failure;

/// More than this is refused before anything is sent: GitHub takes 65,535 characters at most, pagerd 64 KB.
const MOST_BYTES: usize = 60 * 1024;

/// What happens by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ask,
    Withdraw,
    Update,
    Request,
    Reply,
    Offer,
}

impl Kind {
    /// The wire name.
    fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Withdraw => "withdraw",
            Self::Update => "update",
            Self::Request => "request",
            Self::Reply => "reply",
            Self::Offer => "offer",
        }
    }
}

/// One event.
#[derive(Debug, Clone)]
pub struct Event {
    kind: Kind,
    uuid: String,
    fields: Map<String, Value>,
}

impl Event {
    /// Asks. The body is that of `POST /v1/questions`; without an id it gets one. Gives the id beside the event.
    ///
    /// # Errors
    /// Code 2, naming the field.
    pub fn ask(body: Value, agent: Option<&AgentName>) -> Result<(Self, QuestionId), Failure> {
        let mut fields = object(body)?;
        if fields.contains_key("secret") {
            return Err(Failure::usage(
                "--secret needs direct mode (ASK_URL): an answer that travels through a repository is not private",
            ));
        }
        let question = question(&mut fields)?;
        Ok((Self::new(Kind::Ask, fields, agent)?, question))
    }

    /// Offers something. The body is that of `POST /v1/requests/{id}/offers`; without an id it gets one. Gives the id of the question
    /// that it becomes beside the event.
    ///
    /// # Errors
    /// Code 2, naming the field.
    pub fn offer(request: &RequestId, body: Value, agent: Option<&AgentName>) -> Result<(Self, QuestionId), Failure> {
        let mut fields = about(request, body)?;
        let question = question(&mut fields)?;
        Ok((Self::new(Kind::Offer, fields, agent)?, question))
    }

    /// Asks for work. The body is that of `POST /v1/requests`; without an id it gets one. Gives the id beside the event.
    ///
    /// # Errors
    /// Code 2, naming the field.
    pub fn request(body: Value, agent: Option<&AgentName>) -> Result<(Self, RequestId), Failure> {
        let mut fields = object(body)?;
        let named = fields.get("id").and_then(Value::as_str).map(RequestId::parse).transpose();
        let request = match named.map_err(|error| Failure::usage(format!("id: {error}")))? {
            Some(id) => id,
            None => RequestId::of(&Incarnation::from_random(random()?)),
        };
        fields.insert("id".to_owned(), request.as_str().into());
        Ok((Self::new(Kind::Request, fields, agent)?, request))
    }

    /// Replies to a request. The body is that of `POST /v1/requests/{id}/replies`.
    ///
    /// # Errors
    /// Code 2, naming the field.
    pub fn reply(request: &RequestId, body: Value, agent: Option<&AgentName>) -> Result<Self, Failure> {
        Self::new(Kind::Reply, about(request, body)?, agent)
    }

    /// Withdraws.
    ///
    /// # Errors
    /// Code 2 when the reason is longer than pagerd takes it.
    pub fn withdraw(question: QuestionId, reason: Option<&str>, agent: Option<&AgentName>) -> Result<Self, Failure> {
        let mut fields = Map::from_iter([("id".to_owned(), question.as_str().into())]);
        if let Some(reason) = reason {
            fields.insert("reason".to_owned(), reason.into());
        }
        Self::new(Kind::Withdraw, fields, agent)
    }

    /// Publishes an update. The body is that of `POST /v1/updates`.
    ///
    /// # Errors
    /// Code 2, naming the field.
    pub fn update(body: Value, agent: Option<&AgentName>) -> Result<Self, Failure> {
        Self::new(Kind::Update, object(body)?, agent)
    }

    fn new(kind: Kind, mut fields: Map<String, Value>, agent: Option<&AgentName>) -> Result<Self, Failure> {
        if let Some(agent) = agent {
            fields.insert("agent".to_owned(), agent.as_str().into());
        }
        let event = Self { kind, uuid: uuid(random()?), fields };
        refuse_large(&event.payload(Time::from_millis(0)))?;
        // Read as pagerd reads it, since an event tells no refusal back.
        ControlEvent::read(event.body(Time::from_millis(0))).map_err(|fault| Failure::usage(fault.to_string()))?;
        Ok(event)
    }

    /// Its id.
    pub fn uuid(&self) -> &str {
        &self.uuid
    }

    /// The `event_type` on GitHub.
    pub fn dispatch_type(&self) -> String {
        format!("pager-{}", self.kind.name())
    }

    /// The `client_payload` on GitHub: one key, whatever is in it.
    pub fn payload(&self, sent_at: Time) -> Value {
        let mut fields = self.fields.clone();
        fields.insert("event".to_owned(), self.uuid.as_str().into());
        fields.insert("sent_at".to_owned(), sent_at.to_string().into());
        json!({"pager": fields})
    }

    /// The body that pagerd takes, as a file on the branch of events holds it.
    pub fn body(&self, sent_at: Time) -> Value {
        let mut fields = self.fields.clone();
        fields.insert("type".to_owned(), self.kind.name().into());
        fields.insert("sent_at".to_owned(), sent_at.to_string().into());
        Value::Object(fields)
    }
}

/// The id of the question that these fields ask; one is made for them where they have none.
fn question(fields: &mut Map<String, Value>) -> Result<QuestionId, Failure> {
    let named = fields.get("id").and_then(Value::as_str).map(QuestionId::parse).transpose();
    let question = match named.map_err(|error| Failure::usage(format!("id: {error}")))? {
        Some(id) => id,
        None => QuestionId::from_random(random()?),
    };
    fields.insert("id".to_owned(), question.as_str().into());
    Ok(question)
}

/// A body, with the request that it is about.
fn about(request: &RequestId, body: Value) -> Result<Map<String, Value>, Failure> {
    let mut fields = object(body)?;
    fields.insert("request".to_owned(), request.as_str().into());
    Ok(fields)
}

fn object(body: Value) -> Result<Map<String, Value>, Failure> {
    match body {
        Value::Object(fields) => Ok(fields),
        _ => Err(Failure::usage("what is sent is an object")),
    }
}

fn refuse_large(body: &Value) -> Result<(), Failure> {
    let size = body.to_string().len();
    if size <= MOST_BYTES {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "this is {size} bytes and an event holds at most {MOST_BYTES}: shorten it, and give the rest as a link"
    )))
}

fn random<const N: usize>() -> Result<[u8; N], Failure> {
    again::random().map_err(|error| Failure::failed(format!("the system gives no random bytes: {error}")))
}

/// A random UUID (version 4).
fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn question(text: &str) -> Value {
        json!({"text": text, "options": [{"id": "1", "label": "Yes"}, {"id": "2", "label": "No"}]})
    }

    #[test]
    fn a_question_travels_under_one_key_and_keeps_its_event() {
        let agent = AgentName::parse("ci").unwrap();
        let (event, id) = Event::ask(question("R?"), Some(&agent)).unwrap();
        let payload = event.payload(Time::from_millis(1_000));
        assert_eq!(payload.as_object().unwrap().len(), 1);
        let inner = &payload["pager"];
        assert_eq!((inner["text"].as_str(), inner["agent"].as_str()), (Some("R?"), Some("ci")));
        assert_eq!(inner["event"], event.uuid());
        assert_eq!(inner["sent_at"], "1970-01-01T00:00:01.000Z");
        assert_eq!(inner["id"], id.as_str());
        assert!(inner.get("type").is_none());
        assert_eq!(payload, event.payload(Time::from_millis(1_000)));
    }

    #[test]
    fn a_file_holds_the_body_that_pagerd_takes() {
        let id = QuestionId::parse("rel-42").unwrap();
        let event = Event::withdraw(id, Some("settled"), None).unwrap();
        let body = json!({"type": "withdraw", "id": "rel-42", "reason": "settled", "sent_at": "1970-01-01T00:00:00.000Z"});
        assert_eq!(event.body(Time::from_millis(0)), body);
    }

    #[test]
    fn a_question_that_pagerd_would_refuse_is_refused_here() {
        let check = |body: Value, field: &str| {
            let failure = Event::ask(body, None).unwrap_err();
            assert!(failure.words.starts_with(field), "{failure}");
            assert_eq!(failure.exit.code(), 2);
        };
        check(question(" "), "text");
        check(json!({"text": "R?", "options": [{"label": "A"}]}), "options");
        check(json!({"text": "R?", "options": [{"label": "A"}, {"label": "A"}]}), "options[1].label");
    }

    #[test]
    fn an_event_over_sixty_kilobytes_is_refused() {
        let id = QuestionId::parse("rel-42").unwrap();
        for failure in [
            Event::ask(question(&"é".repeat(40_000)), None).unwrap_err(),
            Event::withdraw(id.clone(), Some(&"é".repeat(40_000)), None).unwrap_err(),
        ] {
            assert!(failure.words.contains("61440") && failure.exit.code() == 2, "{failure}");
        }
        let failure = Event::withdraw(id, Some(&"é".repeat(1001)), None).unwrap_err();
        assert!(failure.words.starts_with("reason"), "{failure}");
    }

    #[test]
    fn an_event_has_a_uuid() {
        assert_eq!(uuid([0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
