//! getUpdates: long polling with confirmation by offset and one waiting poll at a time.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::errors::{Answer, OTHER_POLLER, Refusal, WEBHOOK_ACTIVE, conflict, unknown_token};
use super::parameters::Parameters;
use super::state::State;
use super::updates::UpdateQueue;
use super::wait::Shared;

const LONGEST_SECONDS: i64 = 50;
const MOST_BYTES: usize = 4 << 20;

struct Poll {
    number: Option<u64>,
    limit: usize,
    wait: Duration,
}

/// Answers a poll when there is something to tell or its time is over.
pub(super) async fn get_updates(shared: &Shared, token: &str, call: &Parameters) -> Answer {
    let answer = poll(shared, token, call).await;
    if answer.as_ref().is_err_and(|refusal| refusal.code == 409) {
        hold_back_conflict(shared, token).await;
    }
    answer
}

async fn poll(shared: &Shared, token: &str, call: &Parameters) -> Answer {
    let poll = shared.change(|state| begin(state, token, call))?;
    let deadline = Instant::now() + poll.wait;
    let mut changes = shared.changes();
    loop {
        changes.borrow_and_update();
        let found = shared.look(|state| has_news(state, token, &poll))?;
        let is_over = Instant::now() >= deadline;
        if found || is_over {
            return shared.change(|state| Ok(take(state, token, &poll)));
        }
        let _ = tokio::time::timeout_at(deadline, changes.changed()).await;
    }
}

fn begin(state: &mut State, token: &str, call: &Parameters) -> Result<Poll, Refusal> {
    let (now, now_ms) = (state.now(), state.now_ms());
    let queue = &mut state.bots.get_mut(token).ok_or_else(unknown_token)?.updates;
    if queue.webhook.is_some() {
        return Err(conflict(WEBHOOK_ACTIVE));
    }
    let offset = call.integer("offset").unwrap_or_default();
    let mut limit = call.integer("limit").unwrap_or(100).clamp(1, 100);
    let mut timeout = call.integer("timeout").unwrap_or_default().clamp(0, LONGEST_SECONDS);
    if let Ok(Some(kinds)) = call.json("allowed_updates") {
        queue.remember_allowed(&kinds);
    }
    if queue.last_offset == Some(offset) {
        let since = now_ms - queue.last_poll_ms;
        if since < 3000 && timeout < 3 {
            timeout = 3;
        }
        if since < 500 {
            limit = 1;
        }
    }
    queue.last_offset = Some(offset);
    queue.last_poll_ms = now_ms;
    queue.drop_expired(now);
    confirm(queue, offset);
    let number = (timeout > 0).then(|| {
        queue.poll += 1;
        queue.poll
    });
    Ok(Poll { number, limit: usize::try_from(limit).unwrap_or(1), wait: Duration::from_secs(timeout.unsigned_abs()) })
}

/// Forgets what lies below the offset. One far beyond the newest update confirms nothing.
fn confirm(queue: &mut UpdateQueue, offset: i64) {
    if offset > 0 && offset <= queue.next_id + 9 {
        queue.waiting.retain(|queued| queued.is_replay || queued.id >= offset);
    } else if offset < 0 {
        let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        while queue.waiting.len() > keep {
            queue.waiting.pop_front();
        }
    }
}

fn has_news(state: &State, token: &str, poll: &Poll) -> Result<bool, Refusal> {
    let queue = &state.bots.get(token).ok_or_else(unknown_token)?.updates;
    if queue.webhook.is_some() {
        return Err(conflict("terminated by setWebhook request"));
    }
    if poll.number.is_some_and(|number| number != queue.poll) {
        return Err(conflict(OTHER_POLLER));
    }
    Ok(!queue.waiting.is_empty() || state.is_down)
}

fn take(state: &mut State, token: &str, poll: &Poll) -> Value {
    let (now, is_down) = (state.now(), state.is_down);
    let Some(bot) = state.bots.get_mut(token) else { return Value::Null };
    let queue = &mut bot.updates;
    queue.drop_expired(now);
    queue.finished_polls += 1;
    if is_down {
        return Value::Null;
    }
    let mut bytes = 0;
    let mut updates = Vec::new();
    // Replays first, so that the last id of the batch is the newest.
    let order = |queue: &UpdateQueue, replays: bool| {
        let fitting = queue.waiting.iter().filter(move |queued| queued.is_replay == replays);
        fitting.map(|queued| queued.update.clone()).collect::<Vec<_>>()
    };
    for update in order(queue, true).into_iter().chain(order(queue, false)) {
        bytes += update.to_string().len();
        if updates.len() == poll.limit || (bytes > MOST_BYTES && !updates.is_empty()) {
            break;
        }
        updates.push(update);
    }
    queue.waiting.retain(|queued| !queued.is_replay || !updates.contains(&queued.update));
    Value::Array(updates)
}

/// A second conflict within three seconds is told three seconds later.
async fn hold_back_conflict(shared: &Shared, token: &str) {
    let is_second = shared.change(|state| {
        let now = state.now_ms();
        let Some(bot) = state.bots.get_mut(token) else { return false };
        let is_second = now - bot.updates.last_conflict_ms < 3000;
        bot.updates.last_conflict_ms = now;
        is_second
    });
    if is_second {
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
}
