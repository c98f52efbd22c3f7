//! The rules of pager: what a question is, what may happen to it, and what follows.
//!
//! Everything here is pure. There is no clock, no randomness, no file, no socket and no database: time and random
//! digits are arguments, and whatever has to happen outside is returned as an [`Effect`]. A door (Telegram, the
//! page, HTTP) translates into an [`Event`]; [`apply`] decides.

pub mod answer;
pub mod apply;
pub mod by;
pub mod control;
pub mod decision_log;
pub mod digest;
pub mod directive;
pub mod draft;
pub mod ends;
pub mod fields;
pub mod gate;
pub mod guidance;
pub mod ids;
pub mod looks_secret;
pub mod offer;
pub mod party;
pub mod purpose;
pub mod question;
pub mod record;
pub mod reply;
pub mod request;
pub mod resume;
pub mod shown;
pub mod signature;
pub mod since;
pub mod text;
pub mod time;
pub mod unanswered;
pub mod update;
pub mod view;
pub mod wake;
pub mod words;

pub use answer::{Answer, Outcome};
pub use apply::{Effect, Event, Refusal, apply};
pub use by::{By, Kind, Via};
pub use directive::{Autonomy, Tier, directive};
pub use draft::Draft;
pub use ids::{
    AgentName, Author, EventId, GateCategory, Incarnation, OptionId, QuestionId, ReplyId, RequestId, ThreadId, UpdateId, WakeName,
};
pub use offer::OfferDraft;
pub use party::Party;
pub use purpose::Purpose;
pub use question::{Issue, Question, QuestionOption, Reversibility, Source};
pub use record::{Claim, Delivery, DeliveryState, Record, State};
pub use reply::{Reply, ReplyDraft, ReplyKind};
pub use request::{Request, RequestDraft};
pub use shown::AnswerShown;
pub use signature::{SigningKey, VerifyingKey};
pub use time::Time;
pub use unanswered::Unanswered;
pub use update::{Update, UpdateDraft, UpdateState};
pub use view::RecordView;
pub use wake::WakeId;
