//! `pagerd serve`: the service.

use super::configuration;
use super::running::Running;
use crate::configuration::Flags;

/// Serves until it is told to end.
///
/// # Errors
/// Whatever keeps it from starting.
pub async fn run(flags: &Flags) -> anyhow::Result<()> {
    Running::start(configuration(flags)?).await?.until_told().await
}
