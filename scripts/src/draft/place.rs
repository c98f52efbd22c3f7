//! Where something that is asked or published belongs.

use serde_json::{Value, json};

use super::Body;
use crate::issue;

/// Flags that say it.
#[derive(Debug, clap::Args)]
pub struct Place {
    /// A link to the matter: URL, or TRACKER:KEY=URL
    #[arg(long, value_name = "LINK", value_parser = issue::parse)]
    pub issue: Option<Value>,
    /// The run that asks
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,
    /// The task that it is about
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// The project that it is about
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
}

impl Place {
    /// Adds it to a body.
    pub fn put(&self, body: &mut Body) {
        body.put("issue", self.issue.clone());
        let has_source = [&self.run, &self.task, &self.project].iter().any(|part| part.is_some());
        body.put("source", has_source.then(|| json!({"run": self.run, "task": self.task, "project": self.project})));
    }
}
