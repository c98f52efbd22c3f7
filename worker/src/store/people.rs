//! Who may call: tokens, and the sessions and login links of the page. Only hashes of secrets are stored.

use pager_questions::Time;

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// Everything.
    Owner,
    /// As an owner, but for settings and tokens.
    Device,
    /// Look at what is open, and nothing else.
    Observer,
    /// Ask, and wait for its own.
    Agent,
}

impl Role {
    /// As stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Device => "device",
            Self::Observer => "observer",
            Self::Agent => "agent",
        }
    }

    /// From what was stored.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Owner, Self::Device, Self::Observer, Self::Agent].into_iter().find(|role| role.as_str() == text)
    }
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What `token revoke` takes.
    pub id: String,
    /// Whose it is; several tokens may share a name.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// SHA-256 of the secret, hex.
    pub hash: String,
    /// When it was made.
    pub created_at: Time,
    /// When it stopped working.
    pub revoked_at: Option<Time>,
}

/// A browser that logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the cookie, hex.
    pub hash: String,
    /// The owner token it was made from; revoked, the session is over too.
    pub token: String,
    /// That token's name.
    pub name: String,
    /// What each form must carry.
    pub csrf: String,
    /// Until when.
    pub expires_at: Time,
}

/// A link that logs in once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginLink {
    /// SHA-256 of the link's secret, hex.
    pub hash: String,
    /// The owner token that its session is made from.
    pub token: String,
    /// Until when.
    pub expires_at: Time,
}
