//! GitHub's REST API, as far as pager needs it: raw calls through octocrab, with our own timeouts and outcome classes.
//! The calls are repeated by nobody, and nothing reads GitHub's models: a reply that they do not like is still a reply.
//! `keeper/` keeps answers by them.

mod access;
mod call;
mod client;
mod encode;
mod failure;
mod keeper;
mod open;
mod repository;

pub use access::{Access, AppKey, Proof, USUAL_API};
pub use call::{Call, Reply};
pub use client::{AccessError, GitHub};
pub use encode::segment;
pub use failure::Failure;
pub use keeper::{GitHubRepository, PaceLimits};
pub(crate) use open::open;
pub use repository::{InvalidRepository, RepositoryName};
