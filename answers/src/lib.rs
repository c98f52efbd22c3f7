//! Where answers are kept: one trait, [`Keeper`], and what implements it.
//! Keepers move bytes; what a question or an answer is, and who may give one, is decided elsewhere.

mod bare;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod git;
pub mod github;
mod keeper;
mod objects;
mod open;
mod path;
mod settings;

pub use bare::BareRepository;
pub use keeper::{AnswerFile, Keeper, KeeperError, SaveOutcome};
pub use open::{OpenError, open};
pub use path::{AnswerPath, InvalidId};
pub use settings::{Credentials, KeeperSettings};
