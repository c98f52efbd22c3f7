//! Keepers of answers on bad days: silent, refusing, and full of old answers.

mod archiving;
mod decisions;
mod outage;
