//! The thread that holds the stream of events. When it breaks it comes back, after what was heard last; where there is
//! none it says so each time it looks. It never ends by itself.

use std::io::BufReader;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::Stream;
use super::stream::{Brought, Events};
use crate::again::Backoff;
use crate::client::{Call, Client};
use crate::problem::{Problem, refusal};

/// How often a pagerd without a stream is looked at.
const LOOKS_EVERY: Duration = Duration::from_secs(2);
/// A stream that lived so long ended in the ordinary way: a proxy's limit, a restart, our own.
const ORDINARY: Duration = Duration::from_secs(5);

/// Listens after this event. `say` is false once nobody listens to it.
pub fn listen(client: &Arc<Client>, mut after: Option<String>, say: &dyn Fn(Stream) -> bool) {
    let mut backoff = Backoff::new();
    loop {
        let began = Instant::now();
        let lost = match open(client, &mut after, say) {
            Ok(Ended::Unheard) => return,
            Ok(Ended::Broken) => "the connection broke".to_owned(),
            Ok(Ended::Absent) => {
                if !say(Stream::Absent) {
                    return;
                }
                std::thread::sleep(LOOKS_EVERY);
                continue;
            }
            Err(words) => words,
        };
        if began.elapsed() > ORDINARY {
            backoff = Backoff::new();
        }
        if !say(Stream::Lost(lost)) {
            return;
        }
        std::thread::sleep(backoff.pause());
    }
}

enum Ended {
    Broken,
    Absent,
    Unheard,
}

fn open(client: &Client, after: &mut Option<String>, say: &dyn Fn(Stream) -> bool) -> Result<Ended, String> {
    let call = Call::get("/v1/events");
    let streaming = client.stream(&call, after.as_deref()).map_err(|lost| lost.to_string())?;
    let body = match streaming {
        Ok(body) => body,
        Err(reply) if matches!(reply.status, 404 | 405 | 501) => return Ok(Ended::Absent),
        Err(reply) => {
            // An event that the service has forgotten: everything is read again, and heard from now on.
            if matches!(reply.status, 400 | 409 | 410 | 422) {
                *after = None;
            }
            return Err(match Problem::of(&reply) {
                Some(_) => refusal(&reply, None).words,
                None => format!("the events were refused with {}", reply.status),
            });
        }
    };
    if !say(Stream::Up) {
        return Ok(Ended::Unheard);
    }
    let mut events = Events::new(BufReader::new(body));
    loop {
        let heard = match events.next() {
            Ok(Some(Brought::Message(message))) => Stream::Message(message),
            Ok(Some(Brought::Nothing)) => Stream::Heard,
            Ok(None) | Err(_) => return Ok(Ended::Broken),
        };
        if let Some(id) = events.last_id() {
            *after = Some(id.to_owned());
        }
        if !say(heard) {
            return Ok(Ended::Unheard);
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use std::io::{BufRead, Write};
    use std::net::TcpListener;
    use std::sync::Mutex;
    use std::thread;

    use super::*;
    use crate::settings::Settings;
    use crate::tui::event::Message;

    /// Gives each connection one of these replies; the headers of the requests come back.
    fn serve(replies: &'static [&'static str]) -> (Arc<Client>, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = thread::spawn(move || {
            let mut requests = Vec::new();
            for reply in replies {
                let (mut stream, _) = listener.accept().unwrap();
                let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
                requests.push(lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n").to_lowercase());
                stream.write_all(reply.as_bytes()).unwrap();
            }
            requests
        });
        let settings = Settings { url, token: "secret".to_owned().into(), keys: Vec::new() };
        (Arc::new(Client::of_terminal(settings)), serving)
    }

    #[test]
    fn a_stream_that_breaks_goes_on_after_what_was_heard_last_and_says_where_there_is_none() {
        let (client, serving) = serve(&[
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nid: 6\n\nid: 7\nevent: question.asked\ndata: {}\n\nid: 8\ndata: {",
            "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        ]);
        let heard = Mutex::new(Vec::new());
        listen(&client, Some("5".to_owned()), &|stream| {
            let is_last = stream == Stream::Absent;
            heard.lock().unwrap().push(stream);
            !is_last
        });
        let mut heard = heard.into_inner().unwrap();
        heard.retain(|stream| *stream != Stream::Heard);
        let message = Message { name: "question.asked".to_owned(), data: "{}".to_owned(), id: Some("7".to_owned()) };
        assert_eq!(heard[..2], [Stream::Up, Stream::Message(message)]);
        assert!(matches!(&heard[2..], [Stream::Lost(_), Stream::Lost(_), Stream::Absent]), "{heard:?}");
        let requests = serving.join().unwrap();
        let last_ids: Vec<_> =
            requests.iter().map(|request| request.split("last-event-id: ").nth(1).unwrap()[..1].to_owned()).collect();
        assert_eq!(last_ids, ["5", "7", "7"]);
        for request in requests {
            assert!(request.starts_with("get /v1/events http/1.1"), "{request}");
            assert!(
                request.contains("accept: text/event-stream") && request.contains("authorization: bearer secret"),
                "{request}"
            );
            assert!(request.contains("user-agent: ask-inbox/"), "{request}");
        }
    }
}
