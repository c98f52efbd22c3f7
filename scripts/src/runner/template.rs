//! The prompt's template. Whether it has a variable is looked up before anything is filled, and it is filled in one pass:
//! braces in what others wrote stay text.

/// The one that comes with `ask`.
pub const STANDARD: &str = include_str!("../../HEARTBEAT.md");

/// What goes into a prompt.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// For `{access}`: one sentence.
    pub access: &'a str,
    /// For `{directive}`: a section of Markdown.
    pub directive: &'a str,
    /// For `{events}`.
    pub events: &'a str,
}

/// Fills it. What it has no variable for stands below it, in the order access, directive, events.
pub fn fill(template: &str, values: Values<'_>) -> String {
    let variables =
        [("{access}", values.access.trim()), ("{directive}", values.directive.trim()), ("{events}", values.events.trim())];
    let missing: Vec<&str> = variables.iter().filter(|(name, _)| !template.contains(name)).map(|(_, value)| *value).collect();
    let mut filled = String::with_capacity(template.len() + values.directive.len() + values.events.len());
    let mut rest = template;
    while let Some(brace) = rest.find('{') {
        filled.push_str(&rest[..brace]);
        rest = &rest[brace..];
        match variables.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                filled.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled.push_str(rest);
    for value in missing {
        let end = filled.trim_end().len();
        filled.truncate(end);
        filled.push_str(if filled.is_empty() { "" } else { "\n\n" });
        filled.push_str(value);
    }
    filled.truncate(filled.trim_end().len());
    filled.push('\n');
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: Values<'_> = Values { access: "No shell.", directive: "## Asking\n\nAsk.\n", events: "Say {access} {x}." };

    #[test]
    fn the_standard_template_has_every_variable_once() {
        for name in ["{access}", "{directive}", "{events}"] {
            assert_eq!(STANDARD.matches(name).count(), 1, "{name}");
        }
    }

    #[test]
    fn variables_are_filled_where_they_stand() {
        assert_eq!(
            fill("A {access}\nB {directive}\nC {events}\n", VALUES),
            "A No shell.\nB ## Asking\n\nAsk.\nC Say {access} {x}.\n"
        );
    }

    #[test]
    fn what_a_template_lacks_is_appended() {
        assert_eq!(fill("Mine.\n", VALUES), "Mine.\n\nNo shell.\n\n## Asking\n\nAsk.\n\nSay {access} {x}.\n");
        assert_eq!(fill("{events} first\n", VALUES), "Say {access} {x}. first\n\nNo shell.\n\n## Asking\n\nAsk.\n");
        assert_eq!(fill("", VALUES), "No shell.\n\n## Asking\n\nAsk.\n\nSay {access} {x}.\n");
    }

    #[test]
    fn braces_inside_events_stay_text_and_do_not_stand_for_a_missing_variable() {
        let values = Values { events: "{access} {directive} {events} { {{", ..VALUES };
        let filled = fill("{events}", values);
        assert!(filled.starts_with("{access} {directive} {events} { {{\n"), "{filled}");
        assert!(filled.contains("No shell.") && filled.contains("## Asking"), "{filled}");
    }

    #[test]
    fn braces_of_the_template_that_name_nothing_stay() {
        assert!(fill("{ {acces} {{access}} é{", VALUES).starts_with("{ {acces} {No shell.} é{\n"));
    }
}
