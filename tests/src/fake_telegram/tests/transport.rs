//! Paths, tokens, and the four ways to send parameters.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::{FORUM, TOKEN};
use super::Check;

async fn get(check: &Check, path: &str) -> (u16, Value) {
    let url = format!("{}{path}", check.telegram.base_url());
    let response = check.client.get(url).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn methods_are_found_in_any_case_and_below_test() {
    let check = Check::start().await;
    for path in ["getMe", "GETME", "GetMe", "test/getMe"] {
        let (status, body) = get(&check, &format!("/bot{TOKEN}/{path}")).await;
        assert_eq!((status, &body["result"]["username"]), (200, &json!("pager_test_bot")), "{path}");
    }
    let encoded = TOKEN.replace(':', "%3A");
    assert_eq!(get(&check, &format!("/bot{encoded}/getMe")).await.0, 200);
}

#[tokio::test]
async fn wrong_addresses_are_refused_as_the_real_server_does() {
    let check = Check::start().await;
    for (path, code, description) in [
        ("/bot100:other/getMe", 401, "Unauthorized"),
        ("/bot0100:other/getMe", 401, "Unauthorized: invalid token specified"),
        ("/botnocolon/getMe", 401, "Unauthorized: invalid token specified"),
        ("/bot1:a/b/getMe", 401, "Unauthorized: invalid token specified"),
        (&format!("/bot{TOKEN}/getMeNot"), 404, "Not Found: method not found"),
        ("/elsewhere", 404, "Not Found"),
    ] {
        let (status, body) = get(&check, path).await;
        assert_eq!(status, code, "{path}");
        let expected = json!({ "ok": false, "error_code": code, "description": description });
        assert_eq!(body, expected, "{path}");
    }
}

#[tokio::test]
async fn parameters_come_by_query_form_multipart_or_json() {
    let check = Check::start().await;
    let url = check.url("sendMessage");
    let markup = super::keyboard(&["Yes"]).to_string();
    let forum = FORUM.to_string();
    let pairs = [("chat_id", forum.as_str()), ("text", "a & b"), ("reply_markup", &markup), ("unknown", "ignored")];
    let query = reqwest::Url::parse_with_params(&url, &pairs).unwrap();
    let encoded = query.query().unwrap().to_owned();
    let form = pairs
        .iter()
        .fold(reqwest::multipart::Form::new(), |form, (name, value)| form.text((*name).to_owned(), (*value).to_owned()));
    let as_json = json!({
        "chat_id": FORUM, "text": "a & b", "reply_markup": super::keyboard(&["Yes"]), "unknown": [],
    });
    let kind = ("content-type", "application/x-www-form-urlencoded");
    for request in [
        check.client.get(query),
        check.client.post(&url).header(kind.0, kind.1).body(encoded),
        check.client.post(&url).multipart(form),
        check.client.post(&url).json(&as_json),
    ] {
        let body: Value = request.send().await.unwrap().json().await.unwrap();
        assert_eq!(body["result"]["text"], "a & b", "{body}");
        let button = &body["result"]["reply_markup"]["inline_keyboard"][0][0];
        assert_eq!(button["callback_data"], "yes");
    }
    assert_eq!(check.telegram.calls_of("sendMessage").len(), 4);
}

#[tokio::test]
async fn broken_bodies_are_refused() {
    let check = Check::start().await;
    let url = check.url("sendMessage");
    let broken = check.client.post(&url).header("content-type", "application/json").body("{");
    assert_eq!(broken.send().await.unwrap().status(), 400);
    let unknown = check.client.post(&url).header("content-type", "text/plain").body("text=a");
    assert_eq!(unknown.send().await.unwrap().status(), 415);
}

#[tokio::test]
async fn a_connection_stays_open_after_a_multipart_call() {
    let check = Check::start().await;
    let address = check.telegram.base_url().replace("http://", "");
    let mut connection = tokio::net::TcpStream::connect(address).await.unwrap();
    let body = format!("--b\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n{FORUM}\r\n--b--\r\n");
    let head = format!(
        "POST /bot{TOKEN}/getChat HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let (most, end) = body.split_at(body.len() - 2);
    let next = format!("GET /bot{TOKEN}/getMe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    for part in [head.as_str(), most, end, &next] {
        connection.write_all(part.as_bytes()).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut replies = String::new();
    connection.read_to_string(&mut replies).await.unwrap();
    assert_eq!(replies.matches("HTTP/1.1 200 OK").count(), 2, "{replies}");
}

#[tokio::test]
async fn the_port_is_free_when_the_last_handle_is_gone() {
    let check = Check::start().await;
    let address = check.telegram.base_url().replace("http://", "");
    let second = check.telegram.clone();
    drop(check.telegram);
    assert!(std::net::TcpListener::bind(&address).is_err());
    drop(second);
    assert!(std::net::TcpListener::bind(&address).is_ok());
}
