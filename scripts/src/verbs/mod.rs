//! One file a verb: its flags, what it does, what it prints.

pub mod answer;
pub mod cancel;
pub mod completions;
pub mod decide;
pub mod decline;
pub mod directive;
pub mod gate;
mod gates;
pub mod inbox;
pub mod list;
pub mod man;
pub mod mark;
pub mod new;
pub mod offer;
pub mod pick;
mod publishing;
pub mod reply;
pub mod request;
pub mod run;
pub mod settle;
pub mod status;
pub mod update;
pub mod updates;
pub mod wait;
pub mod withdraw;
