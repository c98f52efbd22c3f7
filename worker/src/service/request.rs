//! An owner's words become a request, and the event that tells the control repository of it. One way for every door.

use pager_questions::{By, Incarnation, Party, QuestionId, Reply, Request, Time};

use super::threads::told_of_request;
use super::{Service, ServiceError};
use crate::hub::Place;
use crate::store::Write;

/// What an owner wrote.
pub struct Written<'a> {
    /// Who.
    pub from: By,
    /// The words, whole.
    pub text: &'a str,
    /// The question that they are about.
    pub about: Option<QuestionId>,
    /// When.
    pub at: Time,
    /// Where in a chat they stand, when they do.
    pub place: Option<Place>,
    /// What they came from: of one origin there is one request.
    pub origin: String,
}

/// A request that is about to be stored.
pub struct Requested {
    /// The request.
    pub request: Request,
    /// What stores it, together with its event where events leave.
    pub writes: Vec<Write>,
    /// An event goes out with it.
    pub leaves: bool,
}

impl Service {
    /// The event that tells the control repository of an owner's request that was made in fields of its own.
    pub fn leaving(&self, request: &Request) -> Vec<Write> {
        let is_owners = request.party() == Party::Owner;
        let dispatch = is_owners.then(|| self.outlet.text(request, None)).flatten();
        dispatch.into_iter().map(Write::AddDispatch).collect()
    }

    /// The event that tells it of what an owner writes in the thread of a request of their own, or of one that came through the control
    /// repository, whose author has no other door to hear of it. `place` is where in a chat that stands, when it does.
    pub fn leaving_further(&self, request: &Request, reply: &Reply, place: Option<Place>) -> Option<Write> {
        let is_owners = Party::of(&reply.author) == Some(Party::Owner);
        let goes_out = is_owners && request.settled_by_agent().is_none();
        let dispatch = goes_out.then(|| self.outlet.further_text(request, reply, place)).flatten();
        dispatch.map(Write::AddDispatch)
    }

    /// What stores these words as a request; None when they show nothing. `number` names the request.
    pub fn requested(&self, number: &Incarnation, written: Written<'_>) -> Option<Requested> {
        let Written { from, text, about, at, place, origin } = written;
        let request = Request::of_words(number, from, text, about, at)?;
        let dispatch = self.outlet.text(&request, place);
        let leaves = dispatch.is_some();
        let mut writes: Vec<Write> = dispatch.into_iter().map(Write::AddDispatch).collect();
        writes.push(told_of_request(&request));
        writes.push(Write::AddRequest { request: Box::new(request.clone()), origin });
        Some(Requested { request, writes, leaves })
    }

    /// Stores a request of somebody with a token. The same number again stores nothing.
    ///
    /// # Errors
    /// `Revoked`, or a store that cannot be used.
    pub async fn request(&self, number: &Incarnation, token: String, written: Written<'_>) -> Result<(), ServiceError> {
        let Some(Requested { writes, .. }) = self.requested(number, written) else { return Ok(()) };
        self.store.commit([vec![Write::RequireToken(token)], writes].concat()).await?;
        self.outlet.ring();
        Ok(())
    }
}
