//! One file a verb: its flags, what it does, what it prints.

pub mod answer;
pub mod cancel;
pub mod completions;
pub mod decide;
pub mod decline;
pub mod inbox;
pub mod list;
pub mod man;
pub mod new;
pub mod settle;
pub mod wait;
pub mod withdraw;
