//! Idempotency keys: a repeated write of an owner's is the same decision, told again, and never a second one.

use std::sync::OnceLock;

use pager_questions::Record;
use pager_questions::apply::Resolution;
use pager_questions::digest::hex;
use pager_questions::fields::Fault;
use pager_questions::{Question, QuestionId};

use super::{Actor, MOST_TRIES, Named, Service, ServiceError, Spoken, Words};
use crate::store::{UsedKey, Write};
use crate::{clock, secrets};

/// A write that is made once, however often it comes.
#[derive(Debug, Clone)]
pub struct Once {
    key: String,
    kind: &'static str,
    question: QuestionId,
    digest: String,
}

/// Begins what stands where the digest of a body with private words would: short words are guessed from their digest, so a
/// secret of this run of pagerd goes into it, and what another run stored binds the key to its question alone.
const PRIVATE: &str = "private";

/// The most characters of a key.
const MOST_CHARACTERS: usize = 200;

impl Once {
    /// A write under this key: what the call does, to which question, and the JSON text of its body.
    ///
    /// # Errors
    /// A [`Fault`] of `Idempotency-Key` when the key is not 1 to 200 visible ASCII characters.
    pub fn new(key: &str, kind: &'static str, question: &QuestionId, body: &str) -> Result<Self, Fault> {
        checked_key(key)?;
        // A body is JSON or empty, and has no line break outside a text, where it is written as \n.
        let digest = hex(format!("{kind}\n{question}\n{body}"));
        Ok(Self { key: key.to_owned(), kind, question: question.clone(), digest })
    }
}

impl Service {
    /// As [`Service::decide`], once under this key: a repetition gives the record as it is by now. A claim that the answers
    /// repository refused frees its key.
    ///
    /// # Errors
    /// As [`Service::decide`], and `KeyReused` when the key stands for another call, question or body.
    pub async fn decide_once(
        &self,
        actor: &Actor,
        named: &Named,
        once: &Once,
        words: Words,
        resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
    ) -> Result<Record, ServiceError> {
        for _ in 0..MOST_TRIES {
            if let Some(record) = self.decided(actor, once).await? {
                return Ok(record);
            }
            let question = self.find(named).await?.question;
            let incarnation = question.incarnation.clone();
            let exact = match named.revision() {
                Some(revision) => Named::Revision(incarnation.clone(), revision),
                None => Named::Incarnation(incarnation.clone()),
            };
            let write = Write::UseKey(Box::new(once.used_for(actor, &question)));
            match self.decide(actor, &exact, words, &resolve, Spoken::just_now(), &[write]).await {
                // Somebody used it at the same moment: look what for.
                Err(ServiceError::KeyReused) => {}
                // Perhaps it was this very call, sent twice at once, that has claimed it.
                Err(error @ (ServiceError::Refused(..) | ServiceError::RevisionConflict)) => {
                    return self.decided(actor, once).await?.ok_or(error);
                }
                outcome => return outcome,
            }
        }
        Err(ServiceError::Busy)
    }

    /// The record that was decided under this key.
    async fn decided(&self, actor: &Actor, once: &Once) -> Result<Option<Record>, ServiceError> {
        let Some(used) = self.store.used_key(&actor_of(actor), &once.key).await? else { return Ok(None) };
        let record = self.store.record_of(&used.incarnation).await?.ok_or(ServiceError::NotFound)?;
        let is_same = used.kind == once.kind && record.question.id == once.question && once.has(&used.digest);
        if is_same { Ok(Some(record)) } else { Err(ServiceError::KeyReused) }
    }
}

impl Once {
    /// Is it the body of this digest, as far as that tells?
    fn has(&self, digest: &str) -> bool {
        match digest.strip_prefix(PRIVATE).and_then(|rest| rest.split_once('.')) {
            None => digest == self.digest,
            Some((run, _)) if run != this_run().0 => true,
            Some(_) => digest == self.private_digest(),
        }
    }

    fn private_digest(&self) -> String {
        let (run, secret) = this_run();
        format!("{PRIVATE}{run}.{}", secrets::hash(&format!("{secret}\n{}", self.digest)))
    }

    fn used_for(&self, actor: &Actor, question: &Question) -> UsedKey {
        let (key, kind, incarnation) = (self.key.clone(), self.kind.to_owned(), question.incarnation.clone());
        let digest = if question.secret { self.private_digest() } else { self.digest.clone() };
        UsedKey { actor: actor_of(actor), key, incarnation, kind, digest, at: clock::now() }
    }
}

/// The one rule for idempotency keys.
///
/// # Errors
/// A [`Fault`] of `Idempotency-Key` when it is not 1 to 200 visible ASCII characters.
pub fn checked_key(key: &str) -> Result<&str, Fault> {
    if key.is_empty() || key.len() > MOST_CHARACTERS || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let detail = format!("is not 1 to {MOST_CHARACTERS} visible ASCII characters; send such a key, or none");
        return Err(Fault::invalid("Idempotency-Key", detail));
    }
    Ok(key)
}

/// The name of this run of pagerd, and a secret that ends with it.
fn this_run() -> &'static (String, String) {
    static RUN: OnceLock<(String, String)> = OnceLock::new();
    RUN.get_or_init(|| (secrets::hash(&secrets::new(""))[..16].to_owned(), secrets::new("")))
}

/// Whose keys they are: several tokens of one name are one owner's.
fn actor_of(actor: &Actor) -> String {
    actor.by.id.clone().unwrap_or_default()
}
