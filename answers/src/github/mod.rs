//! GitHub's REST API, as far as pager needs it: raw calls through octocrab, with our own timeouts and outcome classes.
//! Nothing here repeats a call, and nothing here reads GitHub's models: a reply that they do not like is still a reply.

mod access;
mod call;
mod client;
mod failure;
mod repository;

pub use access::{Access, AppKey, Proof, USUAL_API};
pub use call::{Call, Reply};
pub use client::{AccessError, GitHub};
pub use failure::Failure;
pub use repository::{InvalidRepository, RepositoryName};
