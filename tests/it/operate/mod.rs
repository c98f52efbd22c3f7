//! Operating pagerd: setting it up, finding out what is wrong, copying it, counting what it does.

mod doctor;
mod full_disks;
