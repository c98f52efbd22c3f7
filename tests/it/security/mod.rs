//! Nobody else decides, nothing secret is told, and nothing broken is started.

mod agents;
mod configuration;
mod log;
mod roles;
mod senders;
mod store;
mod tokens;
