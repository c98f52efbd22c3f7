//! Where answers are kept: one trait, [`Keeper`], and what implements it.
//! Keepers move bytes; what a question or an answer is, and who may give one, is decided elsewhere.

mod bare;
#[cfg(feature = "conformance")]
pub mod conformance;
mod keeper;
mod open;
mod path;

pub use bare::BareRepository;
pub use keeper::{AnswerFile, Keeper, KeeperError, SaveOutcome};
pub use open::{OpenError, open};
pub use path::{AnswerPath, InvalidId};
