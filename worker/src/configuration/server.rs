//! Where pagerd listens and under which names it is reached.

use std::net::SocketAddr;

use url::Url;

use super::reader::Reader;

/// `server.*`
#[derive(Debug)]
pub struct Server {
    /// Loopback unless set otherwise.
    pub listen: SocketAddr,
    /// The address that people and agents use, when it is another than `listen`.
    pub public_url: Option<Url>,
    /// Host names that requests of the page may carry, besides loopback and that of `public_url`.
    pub hosts: Vec<String>,
}

impl Server {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let usual = SocketAddr::from(([127, 0, 0, 1], 7117));
        Self {
            listen: reader.parsed("server.listen", "an address like 127.0.0.1:7117").unwrap_or(usual),
            public_url: reader.parsed("server.public_url", "a URL like https://pager.example"),
            hosts: reader.list("server.hosts", "a host name").unwrap_or_default(),
        }
    }
}
