//! What people do in a week, made up from a seed: the same seed makes the same week.

use pager_tests::fake_telegram::{OWNER, STRANGER};

const DAYS: usize = 7;
const QUESTIONS_A_DAY: usize = 3;
const ACTS_A_DAY: usize = 50;
/// Between two acts, in seconds of the messages' dates: longer than the tail of a split text may be behind.
const STEP_SECONDS: i64 = 10;

/// See above.
pub struct Week {
    pub days: Vec<Day>,
}

/// New questions, by number, and what happens after they are shown.
pub struct Day {
    pub questions: Vec<usize>,
    pub acts: Vec<Act>,
}

/// One update: who, where, what.
#[derive(Debug, Clone)]
pub struct Act {
    pub by: i64,
    /// The question in whose topic it is; None for General.
    pub question: Option<usize>,
    pub what: What,
    /// Seconds after the week's beginning.
    pub at: i64,
}

#[derive(Debug, Clone)]
pub enum What {
    Press {
        option: usize,
    },
    /// `number` names the message for later edits.
    Write {
        number: usize,
        text: String,
    },
    Edit {
        number: usize,
        text: String,
    },
    Photo,
}

impl Act {
    /// Telegram keeps the order of what one person does in one place.
    pub fn keeps_its_place_with(&self, other: &Self) -> bool {
        (self.by, self.question) == (other.by, other.question)
    }
}

impl Week {
    pub fn generate(seed: u64) -> Self {
        let mut maker = Maker { dice: Dice(seed), texts: Vec::new(), at: 0 };
        let day = |day: usize| {
            let questions: Vec<usize> = (day * QUESTIONS_A_DAY..(day + 1) * QUESTIONS_A_DAY).collect();
            let acts = (0..ACTS_A_DAY).flat_map(|_| maker.acts(&questions)).collect();
            Day { questions, acts }
        };
        Self { days: (0..DAYS).map(day).collect() }
    }

    pub fn updates(&self) -> usize {
        self.days.iter().map(|day| day.acts.len()).sum()
    }
}

struct Maker {
    dice: Dice,
    /// Who wrote each text, and where.
    texts: Vec<(i64, Option<usize>)>,
    at: i64,
}

impl Maker {
    /// One act, or a text with its split tail.
    fn acts(&mut self, today: &[usize]) -> Vec<Act> {
        self.at += STEP_SECONDS;
        let newest = today[today.len() - 1];
        let question = match self.dice.below(10) {
            0 => None,
            1 | 2 => Some(self.dice.below(newest + 1)),
            _ => Some(today[self.dice.below(today.len())]),
        };
        let by = if self.dice.below(3) == 0 { STRANGER } else { OWNER };
        // Every third question gets nothing that would end it.
        let may_end = by == STRANGER || question.is_none_or(|question| question % 3 != 2);
        let act = |what, at| Act { by, question, what, at };
        let words = |dice: &mut Dice| format!("Words {}", dice.below(1000));
        let text = match self.dice.below(20) {
            0..=3 if question.is_some() && may_end => {
                return vec![act(What::Press { option: self.dice.below(2) }, self.at)];
            }
            4 | 5 => return vec![act(What::Photo, self.at)],
            6..=9 => {
                let mut own = self.texts.iter().enumerate().filter(|(_, text)| **text == (by, question));
                let Some((number, _)) = own.next_back() else { return Vec::new() };
                // An edit that says less than a thousand letters counts while the question is open.
                let text = if may_end { words(&mut self.dice) } else { "y".repeat(1100) };
                return vec![act(What::Edit { number, text }, self.at)];
            }
            10..=12 => "x".repeat(1200),
            13 => " \n ".to_owned(),
            14 => "/help".to_owned(),
            15 if may_end => "/decline".to_owned(),
            16 if may_end => "/cancel".to_owned(),
            17.. if may_end => words(&mut self.dice),
            _ => "x".repeat(1300),
        };
        let is_long = text.len() > 1000;
        let mut acts = vec![act(What::Write { number: self.texts.len(), text }, self.at)];
        self.texts.push((by, question));
        if is_long && self.dice.below(2) == 0 {
            acts.push(act(What::Write { number: self.texts.len(), text: "and its tail".to_owned() }, self.at + 1));
            self.texts.push((by, question));
        }
        acts
    }
}

/// Numbers that look random, from a seed (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    /// From 0 to less than `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % u64::try_from(bound).unwrap()).unwrap()
    }
}
