//! Death at every step: nothing is lost, nothing is answered twice, every message ends in the right state.

mod deadline;
mod kills;
mod points;
mod reminder;
mod stories;
mod telegram_kills;
