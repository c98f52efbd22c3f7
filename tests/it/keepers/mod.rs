//! Keepers of answers on other machines.

mod github;
