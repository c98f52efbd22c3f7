//! Requests: each once, newest first, in pages that join.

use pager_questions::{By, Incarnation, Request, RequestId};

use super::samples::{id, time};
use crate::store::{Cursor, RequestListing, Store, Write};

fn request(number: u8, at: i64) -> Request {
    let about = (number == 1).then(|| id("rel-1"));
    let text = format!("Request {number} \u{202e}ü\nand more");
    Request::of_words(&Incarnation::from_random([number; 8]), By::telegram(1), &text, about, time(at)).unwrap()
}

fn page(limit: u32, after: Option<Cursor>) -> RequestListing {
    RequestListing { limit, after, ..RequestListing::default() }
}

fn add(request: &Request, origin: &str) -> Write {
    Write::AddRequest { request: Box::new(request.clone()), origin: origin.to_owned() }
}

pub async fn a_request_is_stored_once_for_its_origin(store: &dyn Store) {
    let (first, again) = (request(1, 10), request(2, 20));
    store.commit(vec![add(&first, "update 7")]).await.unwrap();
    store.commit(vec![Write::Handled { update: 7 }, add(&again, "update 7")]).await.unwrap();
    assert_eq!(store.request(&first.id).await.unwrap(), Some(first));
    assert_eq!(store.request(&again.id).await.unwrap(), None);
    assert_eq!(store.requests(&page(10, None)).await.unwrap().len(), 1);
}

pub async fn pages_of_requests_join_without_gap_or_double(store: &dyn Store) {
    let requests: Vec<Request> = (1..=9).map(|number| request(number, i64::from(number / 3))).collect();
    let writes = requests.iter().map(|request| add(request, request.id.as_str())).collect();
    store.commit(writes).await.unwrap();
    let newest: Vec<RequestId> = requests.iter().rev().map(|request| request.id.clone()).collect();
    for size in [1, 2, 9, 10] {
        let (mut joined, mut after): (Vec<RequestId>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let page = store.requests(&page(size, after)).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.cursor.clone());
            joined.extend(page.into_iter().map(|listed| listed.request.id));
        }
        assert_eq!(joined, newest, "pages of {size}");
    }
}
