//! The branch that holds the answers: its name, where its file lies, and the commit it stands at.

use std::path::{Path, PathBuf};

use gix::{ObjectId, Repository, refs::FullName};

use super::failure::Failure;

/// A branch, by its full name (`refs/heads/main`).
#[derive(Clone, Debug)]
pub(super) struct Branch {
    name: FullName,
}

impl Branch {
    /// The branch that is called `short` (`main`), or `None` when git does not take that for a name.
    pub(super) fn new(short: &str) -> Option<Self> {
        let ends_well = !short.starts_with('-') && short != "HEAD";
        FullName::try_from(format!("refs/heads/{short}")).ok().filter(|_| ends_well).map(|name| Self { name })
    }

    /// `refs/heads/main`.
    pub(super) fn full_name(&self) -> String {
        self.name.as_bstr().to_string()
    }

    /// The file that holds the branch's commit, unless the branch is packed.
    pub(super) fn file(&self, git_folder: &Path) -> PathBuf {
        git_folder.join(self.full_name())
    }

    /// The commit that the branch stands at, or `None` when there is no such branch.
    pub(super) fn head(&self, repository: &Repository) -> Result<Option<ObjectId>, Failure> {
        // `git pack-refs` may move the branch from its own file into the packed one between our two looks, so a
        // branch counts as absent only when it was not there twice.
        for _ in 0..2 {
            let found = repository
                .refs
                .try_find(self.name.as_ref())
                .map_err(|error| Failure::from_git(&format!("read {}", self.full_name()), &error))?;
            if let Some(reference) = found {
                return match reference.target {
                    gix::refs::Target::Object(id) => Ok(Some(id)),
                    gix::refs::Target::Symbolic(to) => Err(Failure::Refused(format!(
                        "{} is only another name for {to}; set answers.branch to that one",
                        self.full_name()
                    ))),
                };
            }
        }
        let sign_of_life = repository.git_dir().join("HEAD");
        match sign_of_life.symlink_metadata() {
            Ok(_) => Ok(None),
            Err(error) => Err(Failure::from_io("find the repository any more, looked for", &sign_of_life, &error)),
        }
    }
}
