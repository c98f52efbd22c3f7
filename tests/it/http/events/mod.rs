//! `GET /v1/events`: what happened, as it happens.

mod ending;
mod entitled;
mod many;
mod put_to;
mod resuming;
mod stream;
mod telling;
