//! Texts that are given as an argument, a file, or on standard input.

use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// More than any text may have: what a request may hold as a whole.
const MOST: u64 = 64 * 1024;

/// A text from an argument; `-` stands for standard input.
///
/// # Errors
/// Code 2 when it cannot be read or is no text.
pub fn given(argument: &str) -> Result<String, Failure> {
    if argument == "-" { read("standard input", std::io::stdin().lock()) } else { Ok(argument.to_owned()) }
}

/// A text from a file, or else from an argument.
///
/// # Errors
/// Those of [`from_file`].
pub fn one_of(argument: Option<&str>, path: Option<&Path>) -> Result<String, Failure> {
    match path {
        Some(path) => from_file(path),
        None => given(argument.unwrap_or_default()),
    }
}

/// A text from a file.
///
/// # Errors
/// Code 2 when it cannot be read or is no text.
pub fn from_file(path: &Path) -> Result<String, Failure> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
    read(&name, file)
}

/// A file, byte by byte: what somebody is to approve, and its digest, are of these very bytes.
///
/// # Errors
/// Those of [`from_file`].
pub fn exactly_from_file(path: &Path) -> Result<String, Failure> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
    read_exactly(&name, file)
}

/// The same from standard input.
///
/// # Errors
/// Those of [`from_file`].
pub fn exactly_from_input() -> Result<String, Failure> {
    read_exactly("standard input", std::io::stdin().lock())
}

/// Line ends after the text are left out: programs that write texts add them.
fn read(name: &str, source: impl Read) -> Result<String, Failure> {
    Ok(read_exactly(name, source)?.trim_end_matches(['\n', '\r']).to_owned())
}

fn read_exactly(name: &str, source: impl Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    source.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
    if bytes.len() as u64 > MOST {
        return Err(Failure::usage(format!(
            "{name} holds more than {MOST} bytes, which is more than a question takes; shorten it"
        )));
    }
    String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{name} is not UTF-8; convert it")))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_text_is_read_as_it_is_but_for_line_ends_after_it() {
        assert_eq!(read("x", " a\n\nb \r\n\n".as_bytes()).unwrap(), " a\n\nb ");
        assert_eq!(given("an argument\n").unwrap(), "an argument\n");
        assert_eq!(read_exactly("x", "diff\n\n".as_bytes()).unwrap(), "diff\n\n");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert!(read("x", [0xff_u8].as_slice()).unwrap_err().words.contains("UTF-8"));
        assert!(read("x", std::io::repeat(b'a')).unwrap_err().words.contains("65536"));
    }
}
