//! Reads answers: the branch's head by `ls-remote`, and where it moved one fetch without history. Files that nobody asked
//! for are not fetched, where the server can leave them out.

use std::path::Path;
use std::time::Duration;

use pager_questions::QuestionId;

use super::{Address, Cache, Program};
use crate::distant::{File, LARGEST_ANSWER, Look, Trouble, places};

const LISTS_WITHIN: Duration = Duration::from_secs(30);
const FETCHES_WITHIN: Duration = Duration::from_secs(120);
const SETTING: &str = "ASK_ANSWERS";
const REF: &str = "refs/pager/answers";

/// The branch of answers.
pub struct Answers {
    program: Program,
    cache: Cache,
    address: Address,
    branch: String,
}

impl Answers {
    /// Prepares; runs nothing.
    pub fn new(program: Program, cache: Cache, address: Address, branch: String) -> Self {
        Self { program, cache, address, branch }
    }

    /// See [`crate::distant::Distant::look`].
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn look(&self, id: &QuestionId, known: Option<&str>) -> Result<Option<Look>, Trouble> {
        if Some(self.head()?.as_str()) == known {
            return Ok(None);
        }
        let cache = self.cache.lock(&self.program)?;
        if let Err(first) = self.fetch(cache.folder()) {
            if !matches!(first, Trouble::Passing(_)) {
                return Err(first);
            }
            cache.renew(&self.program)?;
            self.fetch(cache.folder())?;
        }
        self.read(cache.folder(), id).map(Some)
    }

    fn head(&self) -> Result<String, Trouble> {
        let name = format!("refs/heads/{}", self.branch);
        // Any folder will do: the address is in git's settings.
        let ended = self.program.run(Path::new("/"), &["ls-remote", "origin", &name], &[], LISTS_WITHIN)?;
        if !ended.is_success {
            return Err(ended.trouble(SETTING, &self.address));
        }
        let listed = String::from_utf8_lossy(&ended.output);
        let head = listed.lines().filter_map(|line| line.split_once('\t')).find(|(_, listed)| *listed == name);
        head.map(|(commit, _)| commit.to_owned()).ok_or_else(|| {
            Trouble::Refused(format!(
                "{} has no branch {}: pagerd makes it at its start; check {SETTING}, which may name another behind an @",
                self.address.shown(),
                self.branch
            ))
        })
    }

    fn fetch(&self, cache: &Path) -> Result<(), Trouble> {
        // Nobody else works here: a lock that is there was left by a process that was killed.
        let _ = std::fs::remove_file(cache.join("shallow.lock"));
        let refspec = format!("+refs/heads/{}:{REF}", self.branch);
        let arguments =
            ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "--filter=blob:none", "origin", &refspec];
        let ended = self.program.run(cache, &arguments, &[], FETCHES_WITHIN)?;
        if ended.is_success { Ok(()) } else { Err(ended.trouble(SETTING, &self.address)) }
    }

    fn read(&self, cache: &Path, id: &QuestionId) -> Result<Look, Trouble> {
        let [current, archived] = places(id);
        let input = format!("{REF}^{{commit}}\n{REF}:{current}\n{REF}:{archived}\n");
        let ended = self.program.run(cache, &["cat-file", "--batch"], input.as_bytes(), FETCHES_WITHIN)?;
        if !ended.is_success {
            return Err(ended.trouble(SETTING, &self.address));
        }
        let unclear = || Trouble::Passing(format!("what git fetched of {} cannot be read", self.address.shown()));
        let mut rest = ended.output.as_slice();
        let head = next(&mut rest).ok_or_else(unclear)?.ok_or_else(unclear)?.0;
        let current = next(&mut rest).ok_or_else(unclear)?;
        let archived = next(&mut rest).ok_or_else(unclear)?;
        let file = current.or(archived).map(|(_, bytes)| match bytes {
            Some(bytes) => File::of(bytes.to_vec()),
            None => File::TooLarge,
        });
        Ok(Look { head, file })
    }
}

type Object<'a> = (String, Option<&'a [u8]>);

/// Takes one object off the output of `cat-file --batch`: its name, and its bytes unless there are too many or it is no
/// file. `Some(None)`: there is no such object. None: the output is not what git writes.
fn next<'a>(rest: &mut &'a [u8]) -> Option<Option<Object<'a>>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    *rest = &rest[end + 1..];
    if line.ends_with(" missing") {
        return Some(None);
    }
    let mut words = line.split(' ');
    let (name, kind, size) = (words.next()?, words.next()?, words.next()?.parse::<usize>().ok()?);
    let bytes = rest.get(..size)?;
    *rest = rest.get(size + 1..)?;
    let is_readable = matches!(kind, "blob" | "commit") && size <= LARGEST_ANSWER;
    Some(Some((name.to_owned(), is_readable.then_some(bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_taken_off_one_by_one() {
        let output = b"abc commit 2\nx\n\nrefs/pager/answers:answers/a.json missing\ndef blob 3\n{}\n\nfed tree 1\nt\n";
        let mut rest = output.as_slice();
        assert_eq!(next(&mut rest), Some(Some(("abc".to_owned(), Some(&b"x\n"[..])))));
        assert_eq!(next(&mut rest), Some(None));
        assert_eq!(next(&mut rest), Some(Some(("def".to_owned(), Some(&b"{}\n"[..])))));
        assert_eq!(next(&mut rest), Some(Some(("fed".to_owned(), None))));
        assert_eq!(next(&mut rest), None);
    }
}
