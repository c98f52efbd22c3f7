//! What is shown in the chat of a thread's news, stored together with them.

use pager_questions::{Reply, ReplyKind, Request, Via};

use crate::service::Service;
use crate::store::Write;
use crate::telegram;

impl Service {
    /// The job that shows a reply in the topic of its request. What was written in the chat stands there already, but for a pick: it
    /// was made in the offer's topic.
    pub(super) fn shows_reply(&self, request: &Request, reply: &Reply) -> Option<Write> {
        let stands_there = reply.author.via == Some(Via::Telegram) && reply.kind != ReplyKind::LatePick;
        (self.has_telegram && !stands_there).then(|| telegram::shows_reply(request, reply))
    }
}
