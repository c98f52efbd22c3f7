//! A client that costs next to nothing, so that what is measured is the service: one kept connection, HTTP/1.1 by hand.
//! It knows no more of HTTP than what pagerd sends: a status, headers, and a body of a told length.

use anyhow::{Context, bail, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection of one caller.
pub struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
    token: String,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The same, when it has this status.
    pub fn with(self, status: u16) -> anyhow::Result<Self> {
        ensure!(self.status == status, "{} instead of {status}: {}", self.status, String::from_utf8_lossy(&self.body));
        Ok(self)
    }
}

impl Connection {
    /// Connects whoever has this token.
    pub async fn open(address: &str, token: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("{address} cannot be reached"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, unread: Vec::new(), token: token.to_owned() })
    }

    /// POST, and the reply.
    pub async fn post(&mut self, path: &str, body: &str) -> anyhow::Result<Reply> {
        self.send_post(path, body).await?;
        self.receive().await
    }

    /// Sends a POST; [`Self::receive`] reads the reply.
    pub async fn send_post(&mut self, path: &str, body: &str) -> anyhow::Result<()> {
        let length = body.len();
        self.send(&format!("POST {path}"), &format!("content-type: application/json\r\ncontent-length: {length}\r\n"), body).await
    }

    /// Sends a GET that is held for an answer; [`Self::receive`] reads it.
    pub async fn send_held(&mut self, id: &str) -> anyhow::Result<()> {
        self.send(&format!("GET /v1/questions/{id}/answer"), "prefer: wait=600\r\n", "").await
    }

    /// Sends a GET of a runner that is held until there is a wake, or a request with this tag; [`Self::receive`] reads it.
    pub async fn send_wakes(&mut self, tag: &str) -> anyhow::Result<()> {
        self.send(&format!("GET /v1/wakes?tags={tag}"), "prefer: wait=600\r\n", "").await
    }

    /// Sends a GET; [`Self::receive`] reads the reply.
    pub async fn send_get(&mut self, path: &str) -> anyhow::Result<()> {
        self.send(&format!("GET {path}"), "", "").await
    }

    /// GET, and the reply.
    pub async fn get(&mut self, path: &str) -> anyhow::Result<Reply> {
        self.send_get(path).await?;
        self.receive().await
    }

    /// Sends a GET for the stream of events; [`Self::heard`] reads it.
    pub async fn send_listen(&mut self) -> anyhow::Result<()> {
        self.send("GET /v1/events", "", "").await
    }

    /// Reads until these words came, and forgets what did.
    pub async fn heard(&mut self, words: &str) -> anyhow::Result<()> {
        while !self.unread.windows(words.len()).any(|window| window == words.as_bytes()) {
            if self.stream.read_buf(&mut self.unread).await? == 0 {
                bail!("the service closed the stream");
            }
        }
        self.unread.clear();
        Ok(())
    }

    async fn send(&mut self, line: &str, headers: &str, body: &str) -> anyhow::Result<()> {
        let token = &self.token;
        let request = format!("{line} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n{headers}\r\n{body}");
        Ok(self.stream.write_all(request.as_bytes()).await?)
    }

    /// Reads one whole reply.
    pub async fn receive(&mut self) -> anyhow::Result<Reply> {
        loop {
            if let Some((reply, length)) = whole(&self.unread)? {
                self.unread.drain(..length);
                return Ok(reply);
            }
            if self.stream.read_buf(&mut self.unread).await? == 0 {
                bail!("the service closed the connection");
            }
        }
    }
}

/// The reply at the start of these bytes and its length, once it is complete.
fn whole(bytes: &[u8]) -> anyhow::Result<Option<(Reply, usize)>> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&bytes[..end])?;
    let status = head.get(9..12).context("no status")?.parse()?;
    let length: usize = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(Ok(0), |(_, length)| length.trim().parse())?;
    let whole = end + 4 + length;
    Ok((bytes.len() >= whole).then(|| (Reply { status, body: bytes[end + 4..whole].to_vec() }, whole)))
}
