//! `owner/repo`.

use std::fmt;

/// A repository on GitHub, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RepositoryName {
    owner: String,
    name: String,
}

/// Not the name of a repository.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not the name of a repository on GitHub, which looks like owner/repo")]
pub struct InvalidRepository;

impl RepositoryName {
    /// Below the API's address: `/repos/<owner>/<repo>`.
    pub fn route(&self) -> String {
        format!("/repos/{}/{}", self.owner, self.name)
    }

    /// Without its owner.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whose it is.
    pub fn owner(&self) -> &str {
        &self.owner
    }
}

impl std::str::FromStr for RepositoryName {
    type Err = InvalidRepository;

    fn from_str(text: &str) -> Result<Self, InvalidRepository> {
        let plain = |part: &str| {
            (1..=100).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
                && part.bytes().any(|byte| byte != b'.')
        };
        match text.split_once('/') {
            Some((owner, name)) if plain(owner) && plain(name) => Ok(Self { owner: owner.to_owned(), name: name.to_owned() }),
            _ => Err(InvalidRepository),
        }
    }
}

impl fmt::Display for RepositoryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.owner, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_two_plain_parts() {
        for fine in ["me/answers", "My-Org/pager.answers_2"] {
            assert_eq!(fine.parse::<RepositoryName>().map(|name| name.to_string()), Ok(fine.to_owned()));
        }
        for hostile in ["", "me", "me/", "/me", "me/a/b", "me/..", "../a", "me/a?b", "me/a b", "me/ä", "https://github.com/me/a"]
        {
            assert_eq!(hostile.parse::<RepositoryName>(), Err(InvalidRepository), "{hostile:?}");
        }
    }
}
