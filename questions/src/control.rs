//! Events that came through the control repository, read from the body that was forwarded. Who may send them is proved
//! before, elsewhere; nothing here looks at a secret.

mod dispatch;

use serde_json::{Map, Value};

use crate::fields::{Fault, Fields};
use crate::words::MOST_CHARACTERS;
use crate::{AgentName, Author, Draft, OfferDraft, QuestionId, ReplyDraft, RequestDraft, RequestId, Time, UpdateDraft};

pub use dispatch::{Dispatch, forwarded};

/// Every type of event, for whoever named none of them.
const TYPES: &str = "ask, withdraw, update, request, reply or offer";
/// What any event may carry beside its own fields.
const ENVELOPE: [&str; 4] = ["type", "sent_at", "sender", "agent"];

/// One event: who sends it for whom, and what it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlEvent {
    /// Whose act it is.
    pub author: Author,
    /// When its agent sent it, by the agent's clock.
    pub sent_at: Option<Time>,
    /// The account that brought it into the control repository.
    pub sender: Option<Sender>,
    /// What it asks for.
    pub act: Act,
}

/// An account of the forge that holds the control repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// Its numeric id, which is never another's.
    pub id: u64,
    /// Its name, for people; names are given away and taken again.
    pub login: Option<String>,
}

/// What an event asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A question.
    Ask(Box<Draft>),
    /// Its agent takes a question back.
    Withdraw {
        /// Which.
        id: QuestionId,
        /// Why.
        reason: Option<String>,
    },
    /// News for the owner.
    Update(Box<UpdateDraft>),
    /// Work asked of agents.
    Request(Box<RequestDraft>),
    /// A reply in the thread of a request.
    Reply {
        /// Which request.
        request: RequestId,
        /// What it says.
        draft: Box<ReplyDraft>,
    },
    /// A partial offer about a request.
    Offer {
        /// Which request.
        request: RequestId,
        /// What is offered.
        draft: Box<OfferDraft>,
    },
}

impl Act {
    /// The wire name of its type.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ask(_) => "ask",
            Self::Withdraw { .. } => "withdraw",
            Self::Update(_) => "update",
            Self::Request(_) => "request",
            Self::Reply { .. } => "reply",
            Self::Offer { .. } => "offer",
        }
    }
}

impl ControlEvent {
    /// Reads a forwarded body: `{"type": "ask", …question fields…}`, `{"type": "withdraw", "id", "reason"?}`, likewise `update` and
    /// `request`, and `reply` and `offer` with `request`, the id of the request that they are about; each with `sent_at`, `sender {id, login?}` and `agent` where they are known.
    ///
    /// # Errors
    /// The first [`Fault`]; `unknown_field` for anything else in the body.
    pub fn read(body: Value) -> Result<Self, Fault> {
        let Value::Object(mut own) = body else { return Err(Fault::invalid("", "must be a JSON object")) };
        let mut envelope = Map::new();
        for name in ENVELOPE {
            envelope.extend(own.remove(name).map(|value| (name.to_owned(), value)));
        }
        let mut envelope = Fields::of(Value::Object(envelope))?;
        let kind = envelope.string("type")?.ok_or_else(|| Fault::invalid("type", format!("is required: {TYPES}")))?;
        let sent_at = envelope.value("sent_at").as_ref().map(read_time).transpose()?;
        let sender = envelope.object("sender")?.map(read_sender).transpose()?;
        let agent = envelope.parsed("agent", AgentName::parse)?;
        let author = Author::through_control(agent.as_ref());
        let own = Value::Object(own);
        let act = match kind.as_str() {
            "ask" => Act::Ask(Box::new(Draft::read(own, &author)?)),
            "withdraw" => read_withdrawal(Fields::of(own)?)?,
            "update" => Act::Update(Box::new(UpdateDraft::read(own, &author)?)),
            "request" => Act::Request(Box::new(RequestDraft::read(own)?)),
            "reply" => {
                let (request, draft) = read_about(own, ReplyDraft::take)?;
                Act::Reply { request, draft: Box::new(draft) }
            }
            "offer" => {
                let (request, draft) = read_about(own, |fields| OfferDraft::take(fields, &author))?;
                Act::Offer { request, draft: Box::new(draft) }
            }
            _ => return Err(Fault::invalid("type", format!("is {TYPES}"))),
        };
        Ok(Self { author, sent_at, sender, act })
    }
}

/// Scripts write `$(date +%s)`, with quotes around it or without.
fn read_time(value: &Value) -> Result<Time, Fault> {
    let text = match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let time = text.and_then(|text| Time::parse(&text));
    time.ok_or_else(|| Fault::invalid("sent_at", "is RFC 3339 or seconds since 1970"))
}

fn read_sender(mut fields: Fields) -> Result<Sender, Fault> {
    let not_an_id = || Fault::invalid("sender.id", "is required, as a whole number: the account's numeric id");
    let id = fields.value("id").as_ref().and_then(Value::as_u64).ok_or_else(not_an_id)?;
    let login = fields.text("login", 100)?;
    fields.finish()?;
    Ok(Sender { id, login })
}

/// What says in its own field which request it is about.
fn read_about<T>(body: Value, take: impl FnOnce(&mut Fields) -> Result<T, Fault>) -> Result<(RequestId, T), Fault> {
    let mut fields = Fields::of(body)?;
    let named = fields.parsed("request", RequestId::parse)?;
    let request = named.ok_or_else(|| Fault::invalid("request", "is required: the id of the request that it is about"))?;
    let taken = take(&mut fields)?;
    fields.finish()?;
    Ok((request, taken))
}

fn read_withdrawal(mut fields: Fields) -> Result<Act, Fault> {
    let id = fields.parsed("id", QuestionId::parse)?.ok_or_else(|| Fault::invalid("id", "is required"))?;
    let reason = fields.text("reason", MOST_CHARACTERS)?;
    fields.finish()?;
    Ok(Act::Withdraw { id, reason })
}
