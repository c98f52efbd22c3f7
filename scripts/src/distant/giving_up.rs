//! Takes a question back by an event. Since an event tells nothing back, the answer is looked for before it is sent and
//! again after: an agent that came too late hears of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::waiting::Looked;
use super::{Distant, Event, Judged, Look, Rhythm, Waiting, judge, persisting, wait};
use crate::duration::for_people;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupts::{Heard, Interrupts};
use crate::json::Json;
use crate::output;
use crate::patience::Patience;
use crate::reading::Reading;
use crate::waiting::Stopped;

/// For how many units of its rhythm one watches for an answer that was faster: two minutes.
pub const WATCH: u32 = 24;
/// How long the last look of a wait that went wrong may take.
const LAST_LOOK: Duration = Duration::from_secs(15);

/// What became of it.
pub enum Withdrawn {
    /// It was answered first.
    Answer {
        /// As it was received, checked.
        answer: Json,
        /// What its outcome stands for.
        exit: Exit,
    },
    /// The event was sent, and no answer was seen.
    Sent,
    /// A signal came. What had been done was said.
    Signal(i32),
}

/// Looks, sends, and watches for as long as `watch`.
///
/// # Errors
/// When it could not be looked or sent, or a file is no answer. The words say whether the event was sent.
pub fn withdraw(
    way: &Arc<dyn Distant>,
    reading: &Reading,
    reason: Option<&str>,
    watch: Duration,
    rhythm: Rhythm,
    interrupts: &mut Interrupts<Looked>,
) -> Result<Withdrawn, Failure> {
    let id = &reading.id;
    let event = Event::withdraw(id.clone(), reason, way.agent())?;
    let mut signal = None;
    let mut pause = |pause| {
        signal = interrupts.pause(pause);
        signal.is_none()
    };
    let known = (|| {
        let look = persisting::look(way.as_ref(), id, &rhythm, &mut pause)?;
        if let Some(Judged::Answer { answer, exit }) = look.file.map(|file| judge(&file, reading, way.keys())).transpose()? {
            return Ok(Err(Withdrawn::Answer { answer, exit }));
        }
        persisting::send(way.as_ref(), &event, &rhythm, &mut pause)?;
        Ok(Ok(look.head))
    })();
    let known = match (known, signal) {
        (Err(failure), Some(signal)) => return Err(Failure { exit: Exit::Interrupted(signal), ..failure }),
        (known, _) => match known? {
            Ok(head) => head,
            Err(answered) => return Ok(answered),
        },
    };
    output::say(&format!(
        "sent the withdrawal of {id} to {}; whether it arrived is not told. Watching for {} for an answer that was faster",
        way.destination(),
        for_people(watch)
    ));
    let waiting = Waiting { way, reading, known: Some(known), rhythm };
    let stopped = wait(waiting, Patience::lasting(watch), interrupts).map_err(|failure| {
        let words = format!("the withdrawal of {id} was sent, and then: {failure}");
        Failure { words, ..failure }
    })?;
    Ok(match stopped {
        Stopped::Answer { answer, exit } => Withdrawn::Answer { answer, exit },
        Stopped::Signal(signal) => {
            output::say(&format!("interrupted; the withdrawal of {id} was sent"));
            Withdrawn::Signal(signal)
        }
        Stopped::OutOfPatience | Stopped::Ended { .. } => Withdrawn::Sent,
    })
}

/// Looks once more, for a wait that went wrong: the answer and what its outcome stands for, when there is one that is good.
pub fn look_once(way: &Arc<dyn Distant>, reading: &Reading, interrupts: &mut Interrupts<Looked>) -> Option<(Json, Exit)> {
    let (looker, id) = (Arc::clone(way), reading.id.clone());
    let heard = interrupts.run(move || looker.look(&id, None), Some(Instant::now() + LAST_LOOK), None);
    let Ok(Heard::Reply(Ok(Some(Look { file: Some(file), .. })))) = heard else { return None };
    match judge(&file, reading, way.keys()) {
        Ok(Judged::Answer { answer, exit }) => Some((answer, exit)),
        Ok(Judged::Ignored(_)) | Err(_) => None,
    }
}

/// Sends a withdrawal in one try, for a wait that went wrong. True when it was sent.
pub fn withdraw_once(way: &dyn Distant, reading: &Reading, reason: &str) -> bool {
    Event::withdraw(reading.id.clone(), Some(reason), way.agent()).is_ok_and(|event| way.send(&event, way.now()).is_ok())
}
