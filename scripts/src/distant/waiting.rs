//! Waits for the file of one answer: looks again and again, over lost networks and rate limits, and takes neither for an
//! answer. It changes nothing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Distant, Judged, Look, Rhythm, Trouble, judge, persisting};
use crate::failure::Failure;
use crate::interrupts::{Heard, Interrupts};
use crate::output;
use crate::patience::Patience;
use crate::progress::Progress;
use crate::reading::Reading;
use crate::waiting::Stopped;

/// How often in a row a look may be refused after one that was not: access that is gone stays gone.
const REFUSALS: u32 = 3;
/// The pause, in units, after a limit that does not say for how long.
const SILENT_LIMIT: u32 = 12;
/// How long a look may take beyond the end of patience.
const GRACE: Duration = Duration::from_secs(5);

/// What one look gave.
pub type Looked = Result<Option<Look>, Trouble>;

/// Everything about one wait but its patience.
pub struct Waiting<'a> {
    /// The way to the answers.
    pub way: &'a Arc<dyn Distant>,
    /// What counts.
    pub reading: &'a Reading,
    /// The commit that was looked at already, where there is one.
    pub known: Option<String>,
    /// How often to look.
    pub rhythm: Rhythm,
}

/// Waits. At the end of patience it has looked once more.
///
/// # Errors
/// What no waiting would mend: no access, or a file that is no answer; and nothing at all seen until patience was over.
pub fn wait(waiting: Waiting<'_>, patience: Patience, interrupts: &mut Interrupts<Looked>) -> Result<Stopped, Failure> {
    let Waiting { way, reading, mut known, mut rhythm } = waiting;
    let progress = Progress::without_link(reading.id.as_str(), patience);
    let mut ignored: Option<String> = None;
    let mut last: Option<Trouble> = None;
    let mut refusals = 0;
    let mut limits = 0;
    loop {
        progress.draw();
        let mut draw = || progress.draw();
        let tick: Option<&mut dyn FnMut()> = if progress.is_visible() { Some(&mut draw) } else { None };
        let end = patience.end().map(|end| end.max(Instant::now() + GRACE));
        let (looker, id, from) = (Arc::clone(way), reading.id.clone(), known.clone());
        let heard = interrupts.run(move || looker.look(&id, from.as_deref()), end, tick);
        let looked = match heard.map_err(|error| Failure::failed(format!("no thread can be made: {error}")))? {
            Heard::Signal(signal) => return Ok(Stopped::Signal(signal)),
            Heard::TimeUp => Err(Trouble::Passing("there was no reply in time".to_owned())),
            Heard::Reply(looked) => looked,
        };
        let say = |words: &str| {
            progress.clear();
            output::say(&words);
        };
        let mut is_held_off = false;
        let pause = match looked {
            Ok(look) => {
                (refusals, limits, last) = (0, 0, None);
                if let Some(look) = look {
                    rhythm.reset();
                    match look.file.map(|file| judge(&file, reading, way.keys())).transpose()? {
                        Some(Judged::Answer { answer, exit }) => return Ok(Stopped::Answer { answer, exit }),
                        Some(Judged::Ignored(words)) if ignored.as_ref() != Some(&words) => {
                            say(&words);
                            ignored = Some(words);
                        }
                        _ => {}
                    }
                    known = Some(look.head);
                }
                rhythm.next(way.longest_pause())
            }
            Err(trouble) => {
                if last.is_none() {
                    say(&format!("{trouble}; trying again"));
                }
                let pause = match &trouble {
                    Trouble::Passing(_) => rhythm.next(way.longest_pause()),
                    Trouble::Limited { wait, .. } => {
                        limits += 1;
                        is_held_off = true;
                        wait.unwrap_or(rhythm.times(SILENT_LIMIT << (limits - 1).min(4))).max(rhythm.times(1))
                    }
                    Trouble::Refused(_) | Trouble::Invalid(_) => {
                        refusals += 1;
                        if known.is_none() || refusals == REFUSALS {
                            return Err(persisting::failure(&trouble));
                        }
                        rhythm.next(way.longest_pause())
                    }
                };
                last = Some(trouble);
                pause
            }
        };
        if !patience.is_over() {
            let left = patience.end().map(|end| end.saturating_duration_since(Instant::now()));
            let mut draw = || progress.draw();
            let tick: Option<&mut dyn FnMut()> = if progress.is_visible() { Some(&mut draw) } else { None };
            if let Some(signal) = interrupts.pause_with(left.map_or(pause, |left| left.min(pause)), tick) {
                return Ok(Stopped::Signal(signal));
            }
            // Told to hold off until after the end, it does not look once more.
            if !is_held_off || left.is_none_or(|left| left > pause) {
                continue;
            }
        }
        return match (known, last) {
            (None, Some(trouble)) => Err(persisting::failure(&trouble)),
            _ => Ok(Stopped::OutOfPatience),
        };
    }
}
