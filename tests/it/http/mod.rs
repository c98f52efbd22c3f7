//! The API as agents and owners call it.

mod answering;
mod asking;
mod capacity;
mod deadlines;
mod events;
mod gates;
mod idempotency;
mod lists;
mod mailbox;
mod offers;
mod openapi;
mod private;
mod reconciling;
mod refusals;
mod requests;
mod revisions;
mod saving;
mod secrets;
mod shutdown;
mod since;
mod sources;
mod status;
mod taken;
mod updates;
mod waiting;
mod withdrawing;
