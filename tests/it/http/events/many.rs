//! Many who listen, and those who are slow.

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::stream::{Stream, logged};
use crate::world::World;

const QUESTIONS: usize = 1_000;
/// How many are asked at once.
const TOGETHER: usize = 10;
const SLOW: usize = 30;

#[tokio::test]
async fn all_who_listen_hear_the_same_in_the_same_order() {
    let world = World::start().await;
    let mut streams = Vec::new();
    for _ in 0..50 {
        streams.push(Stream::open(&world.owner()).await);
    }
    for number in 0..20 {
        world.asks(&format!("q-{number}")).await;
    }
    let expected = logged(&world).await;
    for stream in &mut streams {
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(stream.next().await.unwrap().id);
        }
        assert_eq!(ids, expected);
    }
}

#[tokio::test]
async fn slow_readers_cost_little_and_miss_nothing() {
    let world = World::start_with(&[("PAGER_LIMITS__RECORDS", "0"), ("PAGER_LIMITS__BYTES", "0")]).await;
    let mut slow = Vec::new();
    for _ in 0..SLOW {
        slow.push(listens_without_reading(&world).await);
    }
    let before = resident(&world);
    let text = "long ".repeat(190);
    let agent = &world.agent();
    let asks = async |number: usize| {
        let draft = json!({"id": format!("q-{number}"), "text": text, "options": [{"label": "A"}, {"label": "B"}]});
        agent.post("/v1/questions", &draft).await.with(201);
    };
    for first in (0..QUESTIONS).step_by(TOGETHER) {
        join_all((first..first + TOGETHER).map(asks)).await;
    }
    // Had each of them what it has not read, it would be seventy megabytes.
    let grown = resident(&world).saturating_sub(before);
    assert!(grown < 25_000, "{grown} kB");
    let expected = logged(&world).await;
    let mut reader = slow.pop().unwrap();
    let (mut text, mut bytes) = (String::new(), vec![0; 64 * 1024]);
    while !text.contains(&format!("id: {}\n", expected.last().unwrap())) {
        let count = reader.read(&mut bytes).await.unwrap();
        assert!(count > 0, "it ended");
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let ids: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("id: ")).collect();
    assert_eq!(&ids[1..], expected, "the first is where it began");
}

/// A connection with little room, on which nobody reads.
async fn listens_without_reading(world: &World) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(32 * 1024).unwrap();
    let mut stream = socket.connect(world.address.host().parse().unwrap()).await.unwrap();
    let request = format!(
        "GET /v1/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
        world.address.host(),
        world.owner_token
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.readable().await.unwrap();
    stream
}

/// Kilobytes of memory.
fn resident(world: &World) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", world.process())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
