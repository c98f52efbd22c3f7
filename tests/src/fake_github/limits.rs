//! Rate limits: the hourly budget that is told in headers, and the one of writes that is not.

use std::collections::{BTreeMap, VecDeque};

use super::access::{Caller, Kind};
use super::refusal::{Refusal, secondary_limit};

const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;

/// The budgets of all callers.
#[derive(Debug)]
pub(super) struct Limits {
    /// Requests an hour instead of the usual number.
    pub(super) hourly: Option<u64>,
    /// Requests that make something, in a minute and in an hour; `None` for no bound.
    pub(super) writes: Option<(usize, usize)>,
    windows: BTreeMap<String, Window>,
    written: BTreeMap<String, VecDeque<i64>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { hourly: None, writes: Some((80, 500)), windows: BTreeMap::new(), written: BTreeMap::new() }
    }
}

#[derive(Debug, Clone, Copy)]
struct Window {
    began_ms: i64,
    used: u64,
}

/// What the headers tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) limit: u64,
    pub(super) used: u64,
    pub(super) remaining: u64,
    /// Seconds since 1970.
    pub(super) reset: i64,
}

impl Limits {
    /// How much a caller has left.
    pub(super) fn standing(&self, caller: &Caller, now_ms: i64) -> Standing {
        let limit = self.hourly.unwrap_or(match caller.as_ref().map(|token| token.kind) {
            None => 60,
            Some(Kind::Workflow) => 1000,
            Some(Kind::Personal | Kind::Installation) => 5000,
        });
        let window = self.windows.get(&budget(caller)).copied().filter(|window| now_ms - window.began_ms < HOUR_MS);
        let window = window.unwrap_or(Window { began_ms: now_ms, used: 0 });
        let used = window.used.min(limit);
        Standing { limit, used, remaining: limit - used, reset: (window.began_ms + HOUR_MS).div_euclid(1000) }
    }

    /// Refuses a request beyond the hourly budget.
    pub(super) fn check(&self, caller: &Caller, now_ms: i64, request: &str) -> Result<(), Refusal> {
        if self.standing(caller, now_ms).remaining > 0 {
            return Ok(());
        }
        Err(primary_limit(caller, request))
    }

    /// Takes one request off the budget.
    pub(super) fn spend(&mut self, caller: &Caller, now_ms: i64) {
        let window = self.windows.entry(budget(caller)).or_insert(Window { began_ms: now_ms, used: 0 });
        if now_ms - window.began_ms >= HOUR_MS {
            *window = Window { began_ms: now_ms, used: 0 };
        }
        window.used += 1;
    }

    /// Refuses a write beyond the bounds that no header tells; counts it otherwise.
    pub(super) fn write(&mut self, caller: &Caller, now_ms: i64, request: &str) -> Result<(), Refusal> {
        let Some((minute, hour)) = self.writes else { return Ok(()) };
        let written = self.written.entry(budget(caller)).or_default();
        while written.front().is_some_and(|at| now_ms - at >= HOUR_MS) {
            written.pop_front();
        }
        let recent = written.iter().filter(|at| now_ms - **at < MINUTE_MS).count();
        if recent >= minute {
            return Err(secondary_limit(request).header("retry-after", 60));
        }
        if written.len() >= hour {
            return Err(secondary_limit(request));
        }
        written.push_back(now_ms);
        Ok(())
    }

    /// Forgets what was spent.
    pub(super) fn forget(&mut self) {
        self.windows.clear();
        self.written.clear();
    }
}

fn budget(caller: &Caller) -> String {
    caller.as_ref().map_or("anonymous".to_owned(), |token| token.budget.clone())
}

pub(super) fn primary_limit(caller: &Caller, request: &str) -> Refusal {
    let whose = match caller {
        None => "127.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)".to_owned(),
        Some(token) if token.kind == Kind::Personal => format!("user ID {}. If you reach out to GitHub Support for help, please include the request ID {request}.", token.user.id),
        Some(_) => format!("installation. If you reach out to GitHub Support for help, please include the request ID {request}."),
    };
    Refusal::new(403, format!("API rate limit exceeded for {whose}"))
        .with("documentation_url", "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api".into())
}
