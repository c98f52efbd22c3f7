//! A client of the stream: what it reads and holds is what a browser would.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::world::{Caller, PATIENCE, World};

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its data.
    pub data: Value,
}

impl Event {
    /// The kind, and the question it is about.
    pub fn named(&self) -> (&str, &str) {
        let id = self.data["id"].as_str().or(self.data["question_id"].as_str());
        (&self.kind, id.unwrap_or_default())
    }
}

/// An open stream.
#[derive(Debug)]
pub struct Stream {
    response: Response,
    unread: Vec<u8>,
    /// The last id, as the client would send it when it comes back.
    pub last: String,
    /// The comments that came.
    pub comments: usize,
}

impl Stream {
    /// From now on: whatever happens after this is heard.
    pub async fn open(caller: &Caller) -> Self {
        Self::of(caller.request(Method::GET, "/v1/events")).await
    }

    /// From after this event.
    pub async fn after(caller: &Caller, last: &str) -> Self {
        Self::of(caller.request(Method::GET, "/v1/events").header("last-event-id", last)).await
    }

    /// What this request opens.
    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.timeout(Duration::from_secs(120)).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut stream = Self { response, unread: Vec::new(), last: String::new(), comments: 0 };
        let first = stream.block().await.expect("a stream begins with a place");
        assert!(first.contains("retry: "), "{first}");
        stream.take(&first);
        stream
    }

    /// What this opens when it cannot go on where it was: the event that says so, and the stream behind it.
    pub async fn reset(caller: &Caller, last: &str) -> (Event, Self) {
        let request = caller.request(Method::GET, "/v1/events").header("last-event-id", last);
        let response = request.send().await.unwrap();
        let mut stream = Self { response, unread: Vec::new(), last: String::new(), comments: 0 };
        let first = stream.next().await.expect("an event");
        (first, stream)
    }

    /// A header of the reply.
    pub fn header(&self, name: &str) -> &str {
        self.response.headers()[name].to_str().unwrap()
    }

    /// The next event; None when the stream has ended.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.any().await? {
                return Some(event);
            }
        }
    }

    /// The next of whatever comes; None within it is a comment.
    pub async fn any(&mut self) -> Option<Option<Event>> {
        let block = self.block().await?;
        Some(self.take(&block))
    }

    /// The kinds and questions of the next events.
    pub async fn hears(&mut self, expected: &[(&str, &str)]) -> Vec<Event> {
        let mut heard = Vec::new();
        for wanted in expected {
            let event = self.next().await.unwrap_or_else(|| panic!("it ended before {wanted:?}"));
            assert_eq!(event.named(), *wanted, "after {heard:?}");
            heard.push(event);
        }
        heard
    }

    /// Reads until it has ended: what came until then.
    pub async fn rest(&mut self) -> Vec<Event> {
        let mut heard = Vec::new();
        while let Some(event) = self.next().await {
            heard.push(event);
        }
        heard
    }

    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.unread.drain(..end + 2).collect();
                return Some(String::from_utf8(block).unwrap());
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("nothing came on the stream");
            match chunk {
                Ok(Some(bytes)) => self.unread.extend_from_slice(&bytes),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    fn take(&mut self, block: &str) -> Option<Event> {
        let (mut kind, mut data) = (None, None);
        for line in block.lines().filter(|line| !line.is_empty()) {
            match line.split_once(':').unwrap() {
                ("", _) => self.comments += 1,
                ("id", id) => id.trim().clone_into(&mut self.last),
                ("event", name) => kind = Some(name.trim().to_owned()),
                ("data", json) => data = Some(serde_json::from_str(json).unwrap()),
                ("retry", _) => {}
                _ => panic!("no field of an event: {line}"),
            }
        }
        data.map(|data| Event { id: self.last.clone(), kind: kind.unwrap(), data })
    }
}

/// The ids of everything that the store's log holds, in order.
pub async fn logged(world: &World) -> Vec<String> {
    let mut store = store(world).await;
    sqlx::query_scalar("SELECT number || '-' || at FROM happenings ORDER BY number").fetch_all(&mut store).await.unwrap()
}

/// The file of the store, beside the service.
pub async fn store(world: &World) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(world.data_dir().join("pager.sqlite"));
    SqliteConnection::connect_with(&options).await.unwrap()
}
