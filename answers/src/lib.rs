//! Where answers are kept: one trait, [`Keeper`], and what implements it.
//! Keepers move bytes; what a question or an answer is, and who may give one, is decided elsewhere.

mod bare;
#[cfg(feature = "conformance")]
pub mod conformance;
mod entry;
pub mod git;
pub mod github;
mod keeper;
mod objects;
mod open;
mod path;
mod remote;
mod settings;

pub use bare::BareRepository;
pub use entry::{Entry, EntryName, InvalidName};
pub use keeper::{AnswerFile, Keeper, KeeperError, SaveOutcome};
pub use open::{OpenError, open};
pub use path::{AnswerPath, InvalidId};
pub use remote::RemoteRepository;
pub use settings::{Credentials, KeeperSettings};
