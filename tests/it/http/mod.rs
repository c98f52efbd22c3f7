//! The API as agents and owners call it.

mod answering;
mod asking;
mod gates;
mod lists;
mod reconciling;
mod refusals;
mod saving;
mod secrets;
mod shutdown;
mod since;
mod taken;
mod waiting;
mod withdrawing;
