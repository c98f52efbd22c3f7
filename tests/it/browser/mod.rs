//! The owner's page in a real browser, and over plain HTTP where a browser would not do what an attacker does.

mod accessible;
mod answering;
pub mod driver;
mod hostile;
mod lasting;
mod live;
mod logging_in;
mod many;
pub mod page;
mod pages;
pub mod plain;
mod purposes;
mod requests;
mod scriptless;
mod updates;

pub use plain::Plain;
