//! Pushes an event as a file `events/<event id>.json` on the branch `pager-events`. One event is one commit; what others
//! pushed meanwhile stays.

use std::time::Duration;

use pager_questions::Time;

use super::cache::Locked;
use super::push::{Pushed, push};
use super::{Address, Cache, Program};
use crate::again;
use crate::distant::{Event, Trouble};

/// The branch that pagerd watches.
const BRANCH: &str = "refs/heads/pager-events";
/// The branch as it was fetched, and the commit that is to become it.
const FETCHED: &str = "refs/pager/fetched";
const MADE: &str = "refs/pager/made";
const SETTING: &str = "ASK_EVENTS";
const LISTS_WITHIN: Duration = Duration::from_secs(30);
const FETCHES_WITHIN: Duration = Duration::from_secs(120);
const BUILDS_WITHIN: Duration = Duration::from_secs(20);
/// How often somebody else may have been faster.
const RACES: u32 = 30;

/// One try: reads the branch, and pushes unless the event is there. Others who were faster are no failure.
///
/// # Errors
/// After [`Trouble::Passing`] it may have been taken.
pub fn send(program: &Program, address: &Address, cache: &Cache, event: &Event, sent_at: Time) -> Result<(), Trouble> {
    let place = format!("events/{}.json", event.uuid());
    let body = format!("{}\n", event.body(sent_at));
    for race in 0..RACES {
        // The lock is not held while it waits.
        let cache = cache.lock(program)?;
        let branch = Branch { program, address, cache: &cache };
        let parent = branch.fetch()?;
        if parent.is_some() && branch.holds(&place)? {
            return Ok(());
        }
        branch.build(parent.as_deref(), &event.dispatch_type(), &place, &body)?;
        match push(program, address, cache.folder(), &format!("{MADE}:{BRANCH}"))? {
            Pushed::Done => return Ok(()),
            Pushed::Raced => {}
        }
        drop(cache);
        let chance = again::random::<1>().map_or(0, |[byte]| u64::from(byte));
        std::thread::sleep(Duration::from_millis((20 + chance) * u64::from(race + 1).min(8) / 4));
    }
    Err(Trouble::Passing(format!("{} is pushed to by others all the time", address.shown())))
}

struct Branch<'a> {
    program: &'a Program,
    address: &'a Address,
    cache: &'a Locked,
}

impl Branch<'_> {
    /// The commit that it is at; None when there is no such branch yet.
    fn fetch(&self) -> Result<Option<String>, Trouble> {
        let ended = self.program.run(self.cache.folder(), &["ls-remote", "origin", BRANCH], &[], LISTS_WITHIN)?;
        if !ended.is_success {
            return Err(ended.trouble(SETTING, self.address));
        }
        if ended.output.is_empty() {
            return Ok(None);
        }
        if let Err(first) = self.fetch_once() {
            if !matches!(first, Trouble::Passing(_)) {
                return Err(first);
            }
            self.cache.renew(self.program)?;
            self.fetch_once()?;
        }
        let ended = self.local(&["rev-parse", "--verify", FETCHED], &[])?;
        Ok(Some(String::from_utf8_lossy(&ended).trim().to_owned()))
    }

    fn fetch_once(&self) -> Result<(), Trouble> {
        let _ = std::fs::remove_file(self.cache.folder().join("shallow.lock"));
        let refspec = format!("+{BRANCH}:{FETCHED}");
        let arguments = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "origin", &refspec];
        let ended = self.program.run(self.cache.folder(), &arguments, &[], FETCHES_WITHIN)?;
        if ended.is_success { Ok(()) } else { Err(ended.trouble(SETTING, self.address)) }
    }

    fn holds(&self, place: &str) -> Result<bool, Trouble> {
        Ok(!self.local(&["ls-tree", FETCHED, "--", place], &[])?.is_empty())
    }

    /// Makes the commit that adds the file.
    fn build(&self, parent: Option<&str>, kind: &str, place: &str, body: &str) -> Result<(), Trouble> {
        let from = parent.map(|parent| format!("from {parent}\n")).unwrap_or_default();
        let stream = format!(
            "commit {MADE}\ncommitter ask <ask@localhost> now\ndata {}\n{kind}\n{from}M 100644 inline {place}\ndata {}\n{body}\n",
            kind.len(),
            body.len(),
        );
        self.local(&["fast-import", "--quiet", "--force", "--date-format=now"], stream.as_bytes()).map(drop)
    }

    fn local(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Trouble> {
        let ended = self.program.run(self.cache.folder(), arguments, input, BUILDS_WITHIN)?;
        if ended.is_success {
            return Ok(ended.output);
        }
        Err(Trouble::Passing(format!("git {} failed: {}", arguments.first().unwrap_or(&""), ended.why())))
    }
}
