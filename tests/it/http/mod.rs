//! The API as agents and owners call it.

mod answering;
mod asking;
mod deadlines;
mod events;
mod lists;
mod mailbox;
mod reconciling;
mod refusals;
mod revisions;
mod saving;
mod shutdown;
mod since;
mod sources;
mod taken;
mod updates;
mod waiting;
mod withdrawing;
