//! How often the runner may start its command. What is over a limit waits until there is room again: it is not marked, so
//! nothing of it is lost. Windows roll: an hour and a day back from now.

use std::collections::HashMap;

use pager_questions::Time;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Runs within an hour, heartbeats included.
    pub runs_per_hour: u32,
    /// Runs within a day, heartbeats included.
    pub runs_per_day: u32,
    /// Wakes within a day that the same author asked for.
    pub wakes_per_author_per_day: u32,
}

/// A run of the past.
#[derive(Debug, Clone)]
pub struct Started {
    /// When.
    pub at: Time,
    /// Who asked for the wakes it was started for, one entry a wake.
    pub authors: Vec<String>,
}

/// What may happen now.
#[derive(Debug, PartialEq, Eq)]
pub struct Room {
    /// By their places: the wakes that may be run.
    pub wakes: Vec<usize>,
    /// When there is room for more, if something has to wait.
    pub until: Option<Time>,
    /// Which limit it waits for.
    pub limit: Option<&'static str>,
}

impl Limits {
    /// When the next run may start, and which limit says so; None: now.
    pub fn next_run(&self, past: &[Started], now: Time) -> Option<(Time, &'static str)> {
        let times: Vec<Time> = past.iter().map(|run| run.at).collect();
        let hour = freed(&times, self.runs_per_hour, HOUR, now).map(|until| (until, "runs_per_hour"));
        let day = freed(&times, self.runs_per_day, DAY, now).map(|until| (until, "runs_per_day"));
        hour.into_iter().chain(day).max_by_key(|(until, _)| *until)
    }

    /// Which wakes may go into a run that starts now, given the author of each.
    pub fn room(&self, authors: &[Option<&str>], past: &[Started], now: Time) -> Room {
        if let Some((until, limit)) = self.next_run(past, now) {
            let waits = !authors.is_empty();
            return Room { wakes: Vec::new(), until: waits.then_some(until), limit: waits.then_some(limit) };
        }
        let mut of_author: HashMap<&str, Vec<Time>> = HashMap::new();
        for run in past {
            for author in &run.authors {
                of_author.entry(author).or_default().push(run.at);
            }
        }
        let (mut wakes, mut until): (Vec<usize>, Option<Time>) = (Vec::new(), None);
        for (place, author) in authors.iter().enumerate() {
            let Some(author) = author else {
                wakes.push(place);
                continue;
            };
            let times = of_author.entry(author).or_default();
            match freed(times, self.wakes_per_author_per_day, DAY, now) {
                Some(freed) => until = Some(until.map_or(freed, |until| until.min(freed))),
                None => {
                    times.push(now);
                    wakes.push(place);
                }
            }
        }
        Room { wakes, until, limit: until.map(|_| "wakes_per_author_per_day") }
    }
}

/// When one more fits into a window that holds `most`; None: now.
fn freed(times: &[Time], most: u32, window: i64, now: Time) -> Option<Time> {
    let mut within: Vec<Time> = times.iter().copied().filter(|at| at.plus_millis(window) > now).collect();
    within.sort_unstable();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let over = within.len().checked_sub(most)?;
    within.get(over).map(|at| at.plus_millis(window))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { runs_per_hour: 2, runs_per_day: 3, wakes_per_author_per_day: 2 };
    const NOW: i64 = 10 * DAY;

    fn at(ago: i64) -> Started {
        Started { at: Time::from_millis(NOW - ago), authors: Vec::new() }
    }

    fn of(authors: &[&str], ago: i64) -> Started {
        Started { authors: authors.iter().map(|author| (*author).to_owned()).collect(), ..at(ago) }
    }

    #[test]
    fn runs_within_an_hour_and_a_day_are_counted() {
        let now = Time::from_millis(NOW);
        let check = |past: &[Started], expected: Option<(i64, &'static str)>| {
            let expected = expected.map(|(millis, limit)| (Time::from_millis(millis), limit));
            assert_eq!(LIMITS.next_run(past, now), expected);
        };
        check(&[], None);
        check(&[at(1)], None);
        check(&[at(HOUR), at(1)], None);
        check(&[at(HOUR - 1), at(1)], Some((NOW + 1, "runs_per_hour")));
        check(&[at(DAY - 5), at(2 * HOUR), at(HOUR + 1)], Some((NOW + 5, "runs_per_day")));
        check(&[at(DAY), at(2 * HOUR), at(HOUR + 1)], None);
        check(&[at(DAY - 5), at(10), at(9)], Some((NOW - 10 + HOUR, "runs_per_hour")));
    }

    #[test]
    fn what_no_run_has_room_for_waits_as_a_whole() {
        let room = LIMITS.room(&[None, Some("ada")], &[at(30), at(10)], Time::from_millis(NOW));
        assert_eq!(room, Room { wakes: vec![], until: Some(Time::from_millis(NOW - 30 + HOUR)), limit: Some("runs_per_hour") });
        let nothing = LIMITS.room(&[], &[at(30), at(10)], Time::from_millis(NOW));
        assert_eq!(nothing.until, None);
    }

    #[test]
    fn the_wakes_of_one_author_are_counted_also_within_one_run() {
        let now = Time::from_millis(NOW);
        let room = LIMITS.room(&[Some("ada"), Some("ada"), Some("ada"), Some("bob"), None, None, None], &[], now);
        assert_eq!(room.wakes, [0, 1, 3, 4, 5, 6], "its own matters are nobody's wakes");
        assert_eq!(room.until, Some(Time::from_millis(NOW + DAY)));
        let room = LIMITS.room(&[Some("ada"), Some("bob")], &[of(&["ada", "ada"], 2 * HOUR)], now);
        assert_eq!((room.wakes, room.until), (vec![1], Some(Time::from_millis(NOW - 2 * HOUR + DAY))));
        let room = LIMITS.room(&[Some("ada")], &[of(&["ada", "ada"], DAY)], now);
        assert_eq!((room.wakes, room.until, room.limit), (vec![0], None, None));
    }
}
