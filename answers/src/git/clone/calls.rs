//! What the clone asks of its remote: where the branch stands, what is new, and to take a commit.

use std::time::Duration;

use gix::ObjectId;

use super::{Built, CommitId, PrivateClone};
use crate::git::{
    GitFailure,
    program::{Call, Ended},
};

/// How long tidying may take: answers wait behind it.
const TIDIES_WITHIN: Duration = Duration::from_secs(20);

/// What git says of a clone that cannot be used any more. Checked against its own words, not against those of the server.
const DAMAGES: [&str; 13] = [
    "is corrupt",
    " is empty",
    "bad object",
    "unable to read",
    "unable to parse",
    "missing blob",
    "missing tree",
    "did not send all necessary objects",
    "not a git repository",
    "missing commit",
    "Failed to traverse parents",
    "is too small",
    "object file",
];

impl PrivateClone {
    /// Where the remote's branch stands this moment; None when it has no such branch. Fetches nothing.
    ///
    /// # Errors
    /// [`GitFailure`], never a race.
    pub async fn head(&self) -> Result<Option<CommitId>, GitFailure> {
        self.repository()?;
        let call = Call::new(&self.remote, &["ls-remote", "--", self.remote.address(), &self.branch]);
        let ended = call.run(&self.folder, self.patience.look).await?;
        if !ended.succeeded {
            return Err(GitFailure::of("ls-remote", &ended, &self.remote));
        }
        // The name is a pattern to git, and other branches may end like it.
        let found = ended.output.lines().filter_map(|line| line.split_once('\t')).find(|(_, name)| *name == self.branch);
        found.map(|(id, _)| commit_id(id)).transpose()
    }

    /// Brings what the remote's branch has, and says where it stands; None when the remote has no such branch.
    ///
    /// A clone that turns out to be broken is thrown away and made anew.
    ///
    /// # Errors
    /// [`GitFailure`], never a race.
    pub async fn fetch(&self) -> Result<Option<CommitId>, GitFailure> {
        let _writing = self.writing.lock().await;
        if self.is_damaged() {
            self.renew()?;
        }
        let mut ended = self.fetch_once().await?;
        if !ended.succeeded && is_damage(&ended) {
            tracing::warn!(folder = %self.folder.display(), "a private clone was broken and is made anew");
            self.renew()?;
            ended = self.fetch_once().await?;
        }
        if !ended.succeeded {
            // An empty repository says the same.
            if ended.words.contains("couldn't find remote ref") {
                self.saw(None);
                return Ok(None);
            }
            return Err(GitFailure::of("fetch from", &ended, &self.remote));
        }
        let head = self.landed()?;
        self.saw(Some(head));
        Ok(Some(head))
    }

    /// Moves the remote's branch to a commit, if it still stands where the commit was built on.
    ///
    /// # Errors
    /// [`GitFailure::Raced`] when it stands elsewhere, also when it is gone.
    pub async fn push(&self, built: &Built) -> Result<(), GitFailure> {
        let expected = built.parent.map(|parent| parent.to_string()).unwrap_or_default();
        let lease = format!("--force-with-lease={}:{expected}", self.branch);
        let ended = self.push_with(&["--no-verify", &lease], built.id).await?;
        if !ended.succeeded {
            return Err(self.push_failure(&ended));
        }
        let is_told = ended.output.lines().any(|line| line.starts_with([' ', '*', '+', '=']) && line.contains(&self.branch));
        if !is_told {
            return Err(GitFailure::Unknown(format!("{} said nothing of the branch", self.remote)));
        }
        self.saw(Some(built.id));
        Ok(())
    }

    /// Whether a push of this commit would be let in, as far as the remote says so before one.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub async fn would_take(&self, commit: CommitId) -> Result<(), GitFailure> {
        let ended = self.push_with(&["--no-verify", "--dry-run"], commit).await?;
        if ended.succeeded { Ok(()) } else { Err(self.push_failure(&ended)) }
    }

    /// Packs what has gathered in the clone, when there is a lot of it.
    pub async fn tidy(&self) {
        let _writing = self.writing.lock().await;
        let call = Call::new(&self.remote, &["gc", "--auto", "--quiet"]);
        if let Err(failure) = call.run(&self.folder, TIDIES_WITHIN).await {
            tracing::warn!(%failure, "a private clone could not be tidied; it is tried again later");
        }
    }

    async fn push_with(&self, options: &[&str], commit: CommitId) -> Result<Ended, GitFailure> {
        self.repository()?;
        let what = format!("{commit}:{}", self.branch);
        let mut arguments = vec!["push", "--porcelain", "--no-progress"];
        arguments.extend(options);
        arguments.extend(["--", self.remote.address(), &what]);
        Call::new(&self.remote, &arguments).run(&self.folder, self.patience.call).await
    }

    fn push_failure(&self, ended: &Ended) -> GitFailure {
        if is_damage(ended) {
            // Nothing whole left this machine: the same as if another writer had been faster.
            self.damaged();
            return GitFailure::Raced;
        }
        GitFailure::of_push(ended, &self.remote)
    }

    async fn fetch_once(&self) -> Result<Ended, GitFailure> {
        self.repository()?;
        // The name is this clone's own and nobody else fetches meanwhile: a lock is that of a git that was killed.
        let _ = std::fs::remove_file(self.folder.join(format!("{}.lock", self.landing)));
        let patience = if self.seen().is_some() { self.patience.call } else { self.patience.first };
        let what = format!("+{}:{}", self.branch, self.landing);
        let arguments = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--",
            self.remote.address(),
            &what,
        ];
        Call::new(&self.remote, &arguments).run(&self.folder, patience).await
    }
}

fn is_damage(ended: &Ended) -> bool {
    let own = ended.words.lines().filter(|line| !line.starts_with("remote:"));
    own.into_iter().any(|line| DAMAGES.iter().any(|words| line.contains(words)))
}

fn commit_id(hex: &str) -> Result<CommitId, GitFailure> {
    let id = ObjectId::from_hex(hex.as_bytes());
    id.map(CommitId).map_err(|_| GitFailure::Unknown("the remote's branch stands at no commit that could be read".to_owned()))
}
