//! `GET /v1/events`: what happened, as it happens.

mod ending;
mod entitled;
mod many;
mod resuming;
mod stream;
mod telling;
