//! The states of chapter 1 as a table of words. It knows no answers, no times and no types of the rules.

/// What happens, with only what decides about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Choose,
    ChooseUnknown,
    Write { from_telegram: bool },
    Decline,
    Cancel,
    Saved(u64),
    Refused(u64),
    Uncertain(u64),
    Delayed(u64),
    Taken(u64),
    Withdraw,
    Found { is_ours: bool },
    Unattended,
    Due { is_past: bool },
    Remind { is_past: bool },
    Consume,
    Deliver(u8),
}

/// A question as far as the table goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub state: &'static str,
    pub revision: u64,
    /// The number of the claim under way, or of the last one.
    pub claim: u64,
    /// Who made it.
    pub claimed_by: usize,
    uncertain: bool,
    delayed: bool,
    /// How the claim under way will end, and whether its words are thanked for.
    end: &'static str,
    thanks: bool,
    delivered: u8,
    unattended: bool,
    reminded: bool,
}

impl Model {
    pub fn asked() -> Self {
        Self {
            state: "open",
            revision: 1,
            claim: 0,
            claimed_by: 0,
            uncertain: false,
            delayed: false,
            end: "",
            thanks: false,
            delivered: 0,
            unattended: false,
            reminded: false,
        }
    }

    pub fn is_uncertain(&self) -> bool {
        self.state == "answering" && self.uncertain
    }

    /// The names of what has to be done, or the name of the refusal.
    pub fn step(&mut self, party: usize, act: Act) -> Result<Vec<&'static str>, &'static str> {
        let under_way = |number: u64| self.state == "answering" && number == self.claim;
        match act {
            Act::Choose | Act::ChooseUnknown | Act::Write { .. } | Act::Decline | Act::Cancel => match self.state {
                "open" if act == Act::ChooseUnknown => Err("NotAnOption"),
                "open" => {
                    self.end = match act {
                        Act::Decline => "declined",
                        Act::Cancel => "cancelled",
                        _ => "answered",
                    };
                    self.thanks = act == Act::Write { from_telegram: true };
                    self.uncertain = false;
                    self.delayed = false;
                    self.claim = self.revision + 1;
                    self.claimed_by = party;
                    self.turn("answering", vec!["save"])
                }
                "answering" => Err("Answering"),
                "withdrawn" => Err("Withdrawn"),
                _ => Err("AlreadyAnswered"),
            },
            Act::Saved(number) if under_way(number) => {
                self.turn(self.end, if self.thanks { vec!["close", "thank"] } else { vec!["close"] })
            }
            Act::Refused(number) if under_way(number) => {
                let regret = (self.end != "defaulted").then_some("regret");
                let effects = regret.into_iter().chain(self.delayed.then_some("refresh")).collect();
                self.turn("open", effects)
            }
            Act::Taken(number) if under_way(number) => self.turn("cancelled", vec!["close"]),
            Act::Uncertain(number) if under_way(number) => {
                self.uncertain = true;
                self.turn("answering", vec![])
            }
            Act::Delayed(number) if under_way(number) && self.delayed => Ok(vec![]),
            Act::Delayed(number) if under_way(number) => {
                self.delayed = true;
                self.turn("answering", vec!["refresh"])
            }
            Act::Saved(_) | Act::Refused(_) | Act::Taken(_) | Act::Uncertain(_) | Act::Delayed(_) => Err("Stale"),
            Act::Withdraw => match self.state {
                "open" => self.turn("withdrawn", vec!["close"]),
                "withdrawn" => Ok(vec![]),
                "answering" => Err("Answering"),
                _ => Err("AlreadyAnswered"),
            },
            Act::Found { is_ours: false } => Err("Stale"),
            Act::Found { is_ours: true } => match self.state {
                "open" => self.turn("answered", vec!["close"]),
                "answering" => Err("Answering"),
                "withdrawn" => Err("Withdrawn"),
                _ => Err("AlreadyAnswered"),
            },
            // The model's question has a deadline and a default, and is no approval.
            Act::Due { is_past } => match self.state {
                "open" if is_past => {
                    self.end = "defaulted";
                    self.thanks = false;
                    self.uncertain = false;
                    self.delayed = false;
                    self.claim = self.revision + 1;
                    self.claimed_by = 2;
                    self.turn("answering", vec!["save"])
                }
                "open" => Ok(vec![]),
                "answering" => Err("Answering"),
                "withdrawn" => Err("Withdrawn"),
                _ => Err("AlreadyAnswered"),
            },
            // A moment before the deadline is behind halfway.
            Act::Remind { is_past: false } if self.state == "open" && !self.reminded => {
                self.reminded = true;
                self.turn("open", vec!["remind"])
            }
            Act::Remind { .. } => Ok(vec![]),
            Act::Consume if self.state == "withdrawn" => Err("Withdrawn"),
            Act::Consume => Err("NotApproved"),
            Act::Unattended if self.state == "open" && !self.unattended => {
                self.unattended = true;
                self.turn("open", vec!["refresh"])
            }
            Act::Unattended => Ok(vec![]),
            Act::Deliver(step) if step == self.delivered => Ok(vec![]),
            Act::Deliver(step) => {
                self.delivered = step;
                self.turn(self.state, vec![])
            }
        }
    }

    fn turn(&mut self, state: &'static str, effects: Vec<&'static str>) -> Result<Vec<&'static str>, &'static str> {
        self.state = state;
        self.revision += 1;
        Ok(effects)
    }
}
