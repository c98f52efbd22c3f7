//! Reading the answer of one question: which answers count, and what each reply means. Counting is the service's
//! business, the minute of leeway included; what it ignored is named here.

use pager_questions::{Incarnation, QuestionId, Time, VerifyingKey, since};

use crate::asked::{self, Asked};
use crate::client::{Call, Client, Reply};
use crate::duration::for_people;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::problem::{self, Problem, refusal};
use crate::verdict;
use crate::verify;

/// Which answers of which question count.
#[derive(Debug, Clone, clap::Args)]
pub struct Reading {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    pub id: QuestionId,
    /// Ignore an answer that is older than this: RFC 3339 or seconds since 1970, with a minute of leeway for two clocks
    #[arg(long, value_name = "TIME", value_parser = parse_since)]
    pub since: Option<Time>,
    /// Take only the answer of exactly this record; decides alone, whatever --since says
    #[arg(long, value_name = "HEX", value_parser = Incarnation::parse)]
    pub incarnation: Option<Incarnation>,
    /// What was asked for, where it is known.
    #[arg(skip)]
    pub asked: Option<Asked>,
}

/// What a reply to [`Reading::call`] means.
#[derive(Debug)]
pub enum Read {
    /// The answer, checked.
    Answer {
        /// As it was received.
        answer: Json,
        /// What it is worth.
        exit: Exit,
    },
    /// It ended without an answer.
    Ended {
        /// The state that it ended in.
        state: String,
    },
    /// Not yet. An answer that was too old is given by its time, as it was received.
    NotYet {
        /// `Pager-Ignored-At`
        ignored_at: Option<String>,
    },
    /// Nothing is known; a proxy answered, or the service asks for time.
    Later {
        /// How long it asks for, in seconds.
        after: Option<u64>,
    },
}

impl Reading {
    /// Everything of this question counts, where it is this very record.
    pub fn of_record(id: QuestionId, incarnation: Option<Incarnation>) -> Self {
        Self { id, since: None, incarnation, asked: None }
    }

    /// The request, held for `hold` seconds where given.
    pub fn call(&self, hold: Option<u64>) -> Call {
        let mut call = Call::get(format!("/v1/questions/{}/answer", self.id));
        match (&self.incarnation, self.since) {
            (Some(incarnation), _) => call.query.push(("incarnation", incarnation.to_string())),
            (None, Some(since)) => call.query.push(("since", since.to_string())),
            (None, None) => {}
        }
        call.hold = hold;
        call
    }

    /// Reads the reply.
    ///
    /// # Errors
    /// A refusal, or an answer that does not verify.
    pub fn read(&self, client: &Client, reply: &Reply) -> Result<Read, Failure> {
        match reply.status {
            200 => {
                let answer = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
                let exit = self.accept(client, &answer)?;
                Ok(Read::Answer { answer, exit })
            }
            204 => Ok(Read::NotYet { ignored_at: reply.ignored_at.clone() }),
            410 => match Problem::of(reply).and_then(|problem| problem.state) {
                Some(state) => Ok(Read::Ended { state }),
                None => Err(refusal(reply, Some(self.id.as_str()))),
            },
            429 if Problem::of(reply).is_none_or(|problem| problem.code != "capacity") => {
                Ok(Read::Later { after: reply.retry_after })
            }
            _ if reply.is_passing() => Ok(Read::Later { after: reply.retry_after }),
            _ => Err(refusal(reply, Some(self.id.as_str()))),
        }
    }

    /// Checks an answer that pagerd gave, and tells what it is worth. The record says what was asked, unless the asker
    /// knows.
    ///
    /// # Errors
    /// When it is none, does not verify, or it cannot be told what was asked.
    pub fn accept(&self, client: &Client, answer: &Json) -> Result<Exit, Failure> {
        self.check(&client.settings().keys, answer)?;
        if let Some(exit) = verdict::without_purpose(answer) {
            return Ok(exit);
        }
        let asked = match self.asked.as_ref().filter(|asked| asked.is_of(answer)) {
            Some(asked) => asked.clone(),
            None => asked::learn(client, &self.id, answer)?,
        };
        verdict::exit(answer, asked.purpose).ok_or_else(|| self.unknown(answer))
    }

    /// The same for an answer that was found where no record can be read: its options tell what was asked.
    ///
    /// # Errors
    /// Those of [`Self::accept`].
    pub fn accept_alone(&self, keys: &[VerifyingKey], answer: &Json) -> Result<Exit, Failure> {
        self.check(keys, answer)?;
        if let Some(exit) = verdict::without_purpose(answer) {
            return Ok(exit);
        }
        let known = self.asked.as_ref().map(|asked| asked.purpose);
        let purpose = known.or_else(|| verdict::purpose_by_options(answer)).ok_or_else(|| {
            Failure::failed(format!(
                "{} has an answer, and its options do not tell what was asked: this version of ask cannot say whether it is a yes",
                self.id
            ))
        })?;
        verdict::exit(answer, purpose).ok_or_else(|| self.unknown(answer))
    }

    /// Is it an answer to this question, with an outcome that is known here?
    ///
    /// # Errors
    /// When it is none, or does not verify.
    pub fn check(&self, keys: &[VerifyingKey], answer: &Json) -> Result<(), Failure> {
        let outcome = answer.text("outcome").ok_or_else(problem::unreadable)?;
        let incarnation = self.incarnation.as_ref().map(Incarnation::as_str);
        verify::check(answer, self.id.as_str(), incarnation, keys)?;
        if verdict::is_known(outcome) { Ok(()) } else { Err(self.unknown(answer)) }
    }

    fn unknown(&self, answer: &Json) -> Failure {
        let outcome = answer.text("outcome").unwrap_or_default();
        Failure::failed(format!(
            "{} ended as {outcome:?}, which this version of ask does not know; take the service's version",
            self.id
        ))
    }

    /// Says, for people, which answer was ignored and by how much it was too old.
    pub fn ignored(&self, at: &str) -> String {
        let id = &self.id;
        match (Time::parse(at), self.since) {
            (Some(time), Some(since)) => {
                let millis = since::too_old_by(time, since).unwrap_or(0).unsigned_abs();
                let by = std::time::Duration::from_millis(millis);
                let by = if by.as_secs() == 0 { format!("{millis} ms") } else { for_people(by) };
                format!(
                    "ignored an answer of {id} from {time}: it is {by} too old for --since {since}, the minute of leeway included"
                )
            }
            (Some(time), None) => format!("ignored an answer of {id} from {time}: it belongs to another question with this id"),
            (None, _) => format!("ignored an answer of {id} whose time cannot be read; it counts as older"),
        }
    }
}

/// Asks for the state of a record, for `{"id","state"}`.
///
/// # Errors
/// When it cannot be read.
pub fn state(client: &Client, id: &QuestionId) -> Result<String, Failure> {
    let record = record(client, id)?;
    record.text("state").map(str::to_owned).ok_or_else(problem::unreadable)
}

/// Asks for a whole record.
///
/// # Errors
/// When it cannot be read.
pub fn record(client: &Client, id: &QuestionId) -> Result<Json, Failure> {
    let reply = client.send(&asked::call(id)).map_err(|lost| problem::unreachable(&lost))?;
    match reply.status {
        200 => Json::parse(&reply.body).map_err(|_| problem::unreadable()),
        _ => Err(refusal(&reply, Some(id.as_str()))),
    }
}

fn parse_since(text: &str) -> Result<Time, &'static str> {
    Time::parse(text).ok_or("a time is RFC 3339, like 2026-11-30T13:22:15.004Z, or seconds since 1970")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn reading(since: Option<&str>, incarnation: Option<&str>) -> Reading {
        Reading {
            id: QuestionId::parse("rel-42").unwrap(),
            since: since.map(|text| parse_since(text).unwrap()),
            incarnation: incarnation.map(|text| Incarnation::parse(text).unwrap()),
            asked: None,
        }
    }

    #[test]
    fn an_incarnation_decides_alone() {
        let call = reading(Some("100"), Some("0123456789abcdef")).call(Some(5));
        assert_eq!(call.query, [("incarnation", "0123456789abcdef".to_owned())]);
        assert_eq!(reading(Some("100"), None).call(None).query, [("since", "1970-01-01T00:01:40.000Z".to_owned())]);
    }

    #[test]
    fn an_ignored_answer_is_named_with_how_much_too_old_it_was() {
        let words = |at: &str| reading(Some("1000"), None).ignored(at);
        assert!(words("1970-01-01T00:14:00.000Z").contains("1m40s too old"), "{}", words("1970-01-01T00:14:00.000Z"));
        assert!(words("1970-01-01T00:15:39.999Z").contains("1 ms too old"));
        assert!(words("never").contains("cannot be read"));
    }
}
