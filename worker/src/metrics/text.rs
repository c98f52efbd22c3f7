//! The text format that Prometheus reads (version 0.0.4).

use std::fmt::{Display, Write};

/// What kind of figure it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Counter,
    Gauge,
    Histogram,
}

/// A text that grows family by family.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    name: &'static str,
}

impl Text {
    /// Begins a family. It is told of even when it has no sample yet.
    pub(super) fn family(&mut self, name: &'static str, kind: Kind, help: &str) -> &mut Self {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        self.name = name;
        self.line(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}"))
    }

    /// A sample without labels.
    pub(super) fn plain(&mut self, value: impl Display) -> &mut Self {
        self.sample("", &[], value)
    }

    /// A sample of the family, or of a part of it such as `_sum`.
    pub(super) fn sample(&mut self, part: &str, labels: &[(&str, &str)], value: impl Display) -> &mut Self {
        let name = self.name;
        if labels.is_empty() {
            return self.line(format_args!("{name}{part} {value}"));
        }
        let labels: Vec<String> = labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
        self.line(format_args!("{name}{part}{{{}}} {value}", labels.join(",")))
    }

    /// The whole.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) -> &mut Self {
        // Writing into a string does not fail.
        let _ = writeln!(self.text, "{line}");
        self
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cannot_break_out_of_their_quotes() {
        let mut text = Text::default();
        text.family("a", Kind::Gauge, "An a.").sample("", &[("of", "x\"} 1\n\\")], 2);
        assert_eq!(text.finish(), "# HELP a An a.\n# TYPE a gauge\na{of=\"x\\\"} 1\\n\\\\\"} 2\n");
    }
}
