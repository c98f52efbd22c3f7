//! The keepers of answers that reach for other machines, each against a server that can fail.

mod github;
mod remote;
