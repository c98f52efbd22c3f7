//! Operating pagerd: setting it up, finding out what is wrong, copying it, counting what it does.

mod backup;
mod control;
mod doctor;
mod full_disks;
mod github;
mod metrics;
mod setup;
