//! `ask inbox` in a real terminal, against the real pagerd.

mod answering;
mod endings;
mod live;
mod looks;
pub mod terminal;
