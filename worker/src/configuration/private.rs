//! Which addresses are called with what nobody else may see or exchange.

use url::{Host, Url};

/// What goes over plain HTTP is anybody's; on this machine itself there is nobody in between.
pub fn is_private_enough(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_here)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_tls_and_this_machine_are_private() {
        let is_private = |text: &str| is_private_enough(&Url::parse(text).unwrap());
        for fine in
            ["https://github.example/api/v3", "http://127.0.0.1:8082", "http://127.9.9.9", "http://[::1]:1", "http://localhost"]
        {
            assert!(is_private(fine), "{fine}");
        }
        for open in ["http://github.example", "http://10.0.0.1", "http://localhost.example", "ftp://127.0.0.1", "file:///a"] {
            assert!(!is_private(open), "{open}");
        }
    }
}
