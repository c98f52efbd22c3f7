//! What the owner sees and does in Telegram.

mod commands;
mod copies;
mod deadlines;
mod edits;
mod ends;
mod flat;
mod held;
mod hostile;
mod late;
mod matrix;
mod media;
mod muting;
mod press;
mod private;
mod private_topics;
pub mod purposes;
mod reminders;
mod requests;
mod sending;
pub mod threads;
mod trouble;
mod unsaved;
mod updates;
mod weather;
mod webhook;
mod week;
mod words;
