//! The only argument of the fakes' programs: where to listen.

use std::net::SocketAddr;

use anyhow::{Context, bail};

/// Reads `--listen ADDRESS` of this process, or takes the usual address.
///
/// # Errors
/// An unknown argument, or an address that is none.
#[expect(clippy::print_stdout, reason = "a usage that was asked for is output")]
pub fn address(program: &str, usual: &str) -> anyhow::Result<SocketAddr> {
    let usage = format!("usage: {program} [--listen {usual}]");
    let mut arguments = std::env::args().skip(1);
    let mut listen = usual.to_owned();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => {
                println!("{usage}");
                std::process::exit(0);
            }
            "--listen" => listen = arguments.next().with_context(|| usage.clone())?,
            other => match other.strip_prefix("--listen=") {
                Some(value) => value.clone_into(&mut listen),
                None => bail!("unknown argument {other}; {usage}"),
            },
        }
    }
    listen.parse().with_context(|| format!("{listen} is no address such as {usual}"))
}
