//! The API as agents and owners call it.

mod answering;
mod asking;
mod deadlines;
mod events;
mod lists;
mod reconciling;
mod refusals;
mod saving;
mod shutdown;
mod since;
mod sources;
mod taken;
mod updates;
mod waiting;
mod withdrawing;
