//! What a question is about: the request whose thread it stands in, or another question. Shown as a link to it.

use pager_questions::ThreadId;

use super::shown::Shown;
use crate::store::{Store, StoreError};

/// A link to what something is about.
pub struct About {
    /// `request` or `question`; what is gone is neither.
    pub what: &'static str,
    /// Its title on one line, or its id when it is gone.
    pub title: Shown,
    /// Where it stands; None when it is gone.
    pub path: Option<String>,
}

impl About {
    /// Looks for what has this id.
    pub async fn find(store: &dyn Store, thread: &ThreadId) -> Result<Self, StoreError> {
        if let Some(request) = store.request(&thread.request()).await? {
            let path = Some(format!("/requests/{}", request.id));
            return Ok(Self { what: "request", title: Shown::of(&request.title), path });
        }
        Ok(match store.record(&thread.question()).await? {
            Some(record) => Self {
                what: "question",
                title: Shown::of(&record.question.title()),
                path: Some(format!("/questions/{}", record.question.incarnation)),
            },
            None => Self { what: "", title: Shown::of(thread.as_str()), path: None },
        })
    }

    /// The same for what may be about nothing.
    pub async fn of(store: &dyn Store, thread: Option<&ThreadId>) -> Result<Option<Self>, StoreError> {
        match thread {
            Some(thread) => Self::find(store, thread).await.map(Some),
            None => Ok(None),
        }
    }
}
