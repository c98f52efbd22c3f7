//! What a check found, and how it is told: one line each, with what is wrong and the one thing to do. No secrets, no
//! chat ids, no words of people.

use std::fmt;

use serde::Serialize;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// It works, and somebody should know.
    Warn,
    /// It does not work.
    Fail,
}

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its name, the same each time.
    pub check: &'static str,
    /// How bad it is.
    pub verdict: Verdict,
    /// What was found.
    pub says: String,
    /// The one thing to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Ok => "ok  ",
            Verdict::Warn => "warn",
            Verdict::Fail => "FAIL",
        };
        // What the system or Telegram said may have line ends, and a check has one line.
        let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "{verdict} {}: {}", self.check, on_one_line(&self.says))?;
        match &self.fix {
            Some(fix) => write!(f, ". To do: {}", on_one_line(fix)),
            None => Ok(()),
        }
    }
}

/// Every finding, in the order of the checks.
#[derive(Debug, Default)]
pub struct Report {
    /// The findings.
    pub findings: Vec<Finding>,
}

impl Report {
    /// It is as it should be.
    pub fn ok(&mut self, check: &'static str, says: impl Into<String>) {
        self.findings.push(Finding { check, verdict: Verdict::Ok, says: says.into(), fix: None });
    }

    /// It works, and somebody should know.
    pub fn warn(&mut self, check: &'static str, says: impl Into<String>, fix: impl Into<String>) {
        self.findings.push(Finding { check, verdict: Verdict::Warn, says: says.into(), fix: Some(fix.into()) });
    }

    /// It does not work.
    pub fn fail(&mut self, check: &'static str, says: impl Into<String>, fix: impl Into<String>) {
        self.findings.push(Finding { check, verdict: Verdict::Fail, says: says.into(), fix: Some(fix.into()) });
    }

    /// Did anything fail?
    pub fn has_failed(&self) -> bool {
        self.findings.iter().any(|finding| finding.verdict == Verdict::Fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_whatever_the_system_said() {
        let mut report = Report::default();
        report.fail("store", "it is\n broken", "mend\nit");
        assert_eq!(report.findings[0].to_string(), "FAIL store: it is broken. To do: mend it");
        assert!(report.has_failed());
    }

    #[test]
    fn warnings_alone_are_no_failure() {
        let mut report = Report::default();
        report.ok("key", "there");
        report.warn("clock", "not known", "look at it");
        assert!(!report.has_failed());
    }
}
