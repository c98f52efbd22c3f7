//! What `workflows/` ships for a control repository: each `run:` block under bash as a runner would run it, with faked
//! event files and hostile payloads, against servers on loopback.

mod answered;
mod door;
mod event;
mod foreign;
mod forwarding;
mod github;
mod hostile;
mod inbox;
mod installing;
mod pagerd;
mod proof;
pub mod runner;
mod senders;
mod shape;
pub mod steps;
mod text;
