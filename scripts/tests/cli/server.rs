//! A tiny HTTP server that answers as a closure tells it, and hands every request to the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What came in.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET /v1/…?…`
    pub line: String,
    /// In lower case, `name: value`.
    pub headers: Vec<String>,
    /// Null when it was empty.
    pub body: Value,
}

impl Request {
    pub fn is(&self, start: &str) -> bool {
        self.line.starts_with(start)
    }
}

/// What goes out.
pub enum Reply {
    Send(u16, Vec<(&'static str, String)>, String),
    /// Leaves the connection open and silent.
    Hold,
    /// Closes it without a word.
    Close,
}

pub fn reply(status: u16, body: &Value) -> Reply {
    Reply::Send(status, Vec::new(), body.to_string())
}

pub fn none_yet() -> Reply {
    Reply::Send(204, Vec::new(), String::new())
}

pub fn problem(status: u16, code: &str) -> Reply {
    reply(
        status,
        &json!({"type": "about:blank", "title": "No", "status": status, "code": code, "detail": format!("because {code}")}),
    )
}

pub struct Server {
    address: SocketAddr,
    requests: Receiver<Request>,
    held: Arc<Mutex<Vec<TcpStream>>>,
    stop: Arc<AtomicBool>,
    accepting: Option<thread::JoinHandle<()>>,
}

impl Server {
    pub fn start(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), script)
    }

    pub fn start_at(address: SocketAddr, script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = channel();
        let held = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let script = Arc::new(script);
        let accepting = thread::spawn({
            let (held, stop) = (Arc::clone(&held), Arc::clone(&stop));
            move || {
                for stream in listener.incoming().map_while(Result::ok).take_while(|_| !stop.load(Ordering::SeqCst)) {
                    let (script, sender, held) = (Arc::clone(&script), sender.clone(), Arc::clone(&held));
                    thread::spawn(move || serve(stream, &*script, &sender, &held));
                }
            }
        });
        Self { address, requests, held, stop, accepting: Some(accepting) }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next request; fails when none comes.
    pub fn next(&self) -> Request {
        self.requests.recv_timeout(Duration::from_secs(20)).expect("a request comes")
    }

    /// Every request that came and was not taken.
    pub fn rest(&self) -> Vec<Request> {
        self.requests.try_iter().collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        self.held.lock().unwrap().clear();
    }
}

fn serve(stream: TcpStream, script: &dyn Fn(&Request) -> Reply, sender: &Sender<Request>, held: &Mutex<Vec<TcpStream>>) {
    let Some(request) = read(&stream) else { return };
    let answer = script(&request);
    let _ = sender.send(request);
    let mut stream = stream;
    match answer {
        Reply::Close => {}
        Reply::Hold => held.lock().unwrap().push(stream),
        Reply::Send(status, headers, body) => {
            let mut text = format!("HTTP/1.1 {status} Scripted\r\nconnection: close\r\n");
            headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
            if status != 204 {
                text.push_str(&format!("content-length: {}\r\n", body.len()));
            }
            let _ = stream.write_all(format!("{text}\r\n{body}").as_bytes());
        }
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim() {
            "" => break,
            header => headers.push(header.to_lowercase()),
        }
    }
    let length = headers.iter().find_map(|header| header.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Request { line: line.trim_end_matches(" HTTP/1.1\r\n").to_owned(), headers, body })
}
