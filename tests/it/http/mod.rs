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
mod openapi;
mod private;
mod reconciling;
mod refusals;
mod revisions;
mod saving;
mod secrets;
mod shutdown;
mod since;
mod sources;
mod taken;
mod updates;
mod waiting;
mod wakes;
mod withdrawing;
