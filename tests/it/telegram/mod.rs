//! What the owner sees and does in Telegram.

mod copies;
mod edits;
mod ends;
mod hostile;
mod matrix;
mod media;
mod press;
mod requests;
mod sending;
mod trouble;
mod unsaved;
mod webhook;
mod words;
