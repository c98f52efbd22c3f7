//! Stand-ins for the services that the product talks to, for its end-to-end tests.

pub mod fake_github;
pub mod fake_oidc;
pub mod fake_telegram;
pub mod git_http;
pub mod keys;
pub mod listening;
mod watched;
