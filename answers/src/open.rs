//! From the setting `answers.url` to a keeper. The only place that knows the kinds of URL.

use std::{path::PathBuf, sync::Arc};

use crate::{BareRepository, Keeper, KeeperSettings, RemoteRepository};

/// Why `answers.url` and `answers.branch` do not lead to a keeper. Every message names the setting and the way out.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Not a `file:` URL that names a path on this machine.
    #[error("answers.url: {problem}; use file:<path>, such as file:/var/lib/pager/answers.git")]
    InvalidUrl {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Not the URL of a git remote that answers could be pushed to.
    #[error(
        "answers.url: {problem}; use git+https://<host>/<path>, git+ssh://<user>@<host>/<path> or git+file:/<path>, and set answers.user and answers.token"
    )]
    InvalidRemote {
        /// What is wrong with it; never the URL itself, which may hold a password.
        problem: &'static str,
    },
    /// A repository on GitHub, and nothing to call GitHub with.
    #[error(
        "answers.url: a repository on GitHub takes a token or an App: set github.token, or github.app_id and github.private_key_file"
    )]
    NoAccess,
    /// GitHub does not let the repository be used.
    #[error("answers.url: {repository} on GitHub cannot be used: {reason}")]
    GitHub {
        /// `owner/repo`.
        repository: String,
        /// What GitHub said, with what to do.
        reason: String,
    },
    /// Not a name that git takes for a branch.
    #[error("answers.branch: git does not take {branch:?} as the name of a branch; use a plain name such as main")]
    InvalidBranch {
        /// What was given.
        branch: String,
    },
    /// The folder holds something, and that is no repository.
    #[error("answers.url: {path} holds files and is not a git repository; name an empty or a new folder, or a bare repository")]
    NotARepository {
        /// The folder.
        path: PathBuf,
    },
    /// A repository that somebody works in: its files would disagree with its branch after each answer.
    #[error(
        "answers.url: {path} is a repository with a work tree; name a bare one: a new folder is made into one, and `git clone --bare {path} <new folder>` keeps what this one has"
    )]
    NotBare {
        /// The folder.
        path: PathBuf,
    },
    /// A repository in a format that cannot be read or written here.
    #[error(
        "answers.url: {path} cannot be used as it is ({reason}); name a new folder, or a bare repository made by `git init --bare --object-format=sha1 --ref-format=files`"
    )]
    Format {
        /// The folder.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// The repository is a good one, and its branch cannot be written to.
    #[error("answers.url: {path} cannot be written to: {reason}; mend that, or name another folder")]
    NotWritable {
        /// The folder.
        path: PathBuf,
        /// What the system said, or what is wrong with the branch.
        reason: String,
    },
    /// The system refused to make or to open it.
    #[error(
        "answers.url: {path} cannot be opened: {reason}; give this user the right to read and write there, or name another folder"
    )]
    System {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

/// Opens the keeper that the settings name.
///
/// `file:<path>` is a bare repository on this machine, made when absent. The path is taken as it stands, without
/// percent-decoding; `file:///path` is the same as `file:/path`. `github:owner/repo` is a repository on GitHub. Everything
/// that [`GitRemote`](crate::git::GitRemote) takes is a git remote. Neither need be reachable yet.
///
/// # Errors
///
/// [`OpenError`], fit to be shown to the operator as it is.
pub async fn open(settings: &KeeperSettings) -> Result<Arc<dyn Keeper>, OpenError> {
    match Kind::of(&settings.url)? {
        Kind::File(path) => open_local(path, settings.branch.clone()).await,
        Kind::Remote => Ok(Arc::new(RemoteRepository::open(settings).await?)),
        Kind::GitHub(name) => crate::github::open(&name, settings).await,
    }
}

async fn open_local(path: PathBuf, branch: String) -> Result<Arc<dyn Keeper>, OpenError> {
    let repository = tokio::task::spawn_blocking({
        let path = path.clone();
        move || BareRepository::open(&path, &branch)
    })
    .await
    .map_err(|stopped| OpenError::System { path, reason: stopped.to_string() })??;
    Ok(Arc::new(repository))
}

/// What a URL leads to.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A bare repository on this machine.
    File(PathBuf),
    /// A repository that the git program pushes to.
    Remote,
    /// `github:owner/repo`
    GitHub(String),
}

impl Kind {
    fn of(url: &str) -> Result<Self, OpenError> {
        if let Some(path) = url.strip_prefix("file:") {
            return local_path(path).map(Self::File);
        }
        if let Some(name) = url.strip_prefix("github:") {
            return Ok(Self::GitHub(name.to_owned()));
        }
        let is_remote = ["git+", "https:", "http:", "ssh:"].iter().any(|kind| url.starts_with(kind));
        let is_scp_like = url.split_once(':').is_some_and(|(place, _)| place.contains(['@', '.']) && !place.contains('/'));
        if is_remote || is_scp_like {
            return Ok(Self::Remote);
        }
        Err(OpenError::InvalidUrl { problem: "this is no URL of an answers repository" })
    }
}

fn local_path(path: &str) -> Result<PathBuf, OpenError> {
    let path = match path.strip_prefix("//") {
        Some(rest) if rest.starts_with('/') => rest,
        Some(_) => return Err(OpenError::InvalidUrl { problem: "a file: URL cannot name another machine" }),
        None => path,
    };
    if path.is_empty() {
        return Err(OpenError::InvalidUrl { problem: "the path after file: is missing" });
    }
    if path.contains('\0') {
        return Err(OpenError::InvalidUrl { problem: "a path cannot hold a zero byte" });
    }
    Ok(PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn file_urls_name_a_path() {
        for (url, path) in
            [("file:/var/a.git", "/var/a.git"), ("file:///var/a.git", "/var/a.git"), ("file:a b/ä.git", "a b/ä.git")]
        {
            assert_eq!(Kind::of(url).unwrap(), Kind::File(PathBuf::from(path)));
        }
    }

    #[test]
    fn every_git_remote_is_one() {
        for url in
            ["git+https://h/a.git", "git+ssh://h/a", "git+file:/a", "https://h/a", "http://h/a", "ssh://h/a", "git@h:a.git"]
        {
            assert_eq!(Kind::of(url).unwrap(), Kind::Remote, "{url}");
        }
    }

    #[tokio::test]
    async fn a_url_that_leads_nowhere_is_refused_with_the_setting_and_the_way_out() {
        for url in [
            "/var/a.git",
            "file:",
            "file://host/a",
            "",
            "git+ext::sh -c secret",
            "git+ftp://me:secret@example.org/a",
            "ssh://me:secret@example.org/a.git",
            "https://me:%zzsecret@example.org/a.git",
        ] {
            let Err(refused) = open(&KeeperSettings::local(url, "main")).await else { panic!("{url} was taken") };
            let words = refused.to_string();
            assert!(words.starts_with("answers.url: ") && words.contains("; use "), "{words}");
            assert!(!words.contains("secret"), "{words}");
        }
    }
}
