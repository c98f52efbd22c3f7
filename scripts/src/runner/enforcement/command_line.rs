//! Reads a command's own arguments against a list of those that are known to be harmless.

/// The arguments that are known.
pub struct Known {
    /// Flags alone.
    pub flags: &'static [&'static str],
    /// Flags with one value, as the next argument or behind `=`.
    pub valued: &'static [&'static str],
}

impl Known {
    /// The first argument that is not known. A value that begins with a dash is none: it could be read as a flag.
    pub fn first_unknown<'a>(&self, arguments: &'a [String]) -> Option<&'a str> {
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if self.flags.contains(&argument.as_str()) {
                continue;
            }
            if self.valued.contains(&argument.as_str()) {
                match rest.next() {
                    Some(value) if !value.starts_with('-') => continue,
                    _ => return Some(argument),
                }
            }
            let is_valued =
                argument.split_once('=').is_some_and(|(name, _)| name.starts_with("--") && self.valued.contains(&name));
            if !is_valued {
                return Some(argument);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: Known = Known { flags: &["-p", "--verbose"], valued: &["--model", "-m"] };

    #[test]
    fn what_is_not_known_is_found() {
        let check = |arguments: &[&str], unknown: Option<&str>| {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            assert_eq!(KNOWN.first_unknown(&arguments), unknown, "{arguments:?}");
        };
        check(&[], None);
        check(&["-p", "--model", "x", "--model=y", "-m", "z", "--verbose"], None);
        check(&["-p", "--yolo"], Some("--yolo"));
        check(&["--model", "--yolo"], Some("--model"));
        check(&["--model"], Some("--model"));
        check(&["--verbose=1"], Some("--verbose=1"));
        check(&["words"], Some("words"));
        check(&["--", "x"], Some("--"));
        check(&["-m=x"], Some("-m=x"));
    }
}
