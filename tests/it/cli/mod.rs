//! `ask` and `pagerd try`, as scripts and newcomers run them.

mod asking;
mod gate;
mod giving_up;
mod owner;
mod private;
mod purposes;
mod requests;
mod trial;
mod updates;
mod waiting;
