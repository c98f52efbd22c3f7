//! Places in the log as clients hold them: opaque to them, and good only for the log they came from.

use crate::store::Mark;

/// A place as text.
pub fn write(mark: Mark) -> String {
    format!("{}-{}", mark.number, mark.at)
}

/// A text as the place it was made from; None when it is none.
pub fn read(text: &str) -> Option<Mark> {
    let (number, at) = text.split_once('-')?;
    let mark = Mark { number: number.parse().ok()?, at: at.parse().ok()? };
    (mark.number >= 0 && write(mark) == text).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_back_and_nothing_else_does() {
        for mark in [Mark::default(), Mark { number: 7, at: 1_796_044_935_004 }, Mark { number: i64::MAX, at: -5 }] {
            assert_eq!(read(&write(mark)), Some(mark));
        }
        for text in ["", "7", "7-", "-7", "-7-5", "07-5", "7-5-3", "7-x", " 7-5", "7-5\n", "99999999999999999999-1", "+7-5"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
