//! `pagerd token`: makes, lists and revokes. Works on the store while the service runs; a secret is shown once.

use anyhow::{anyhow, bail};
use clap::Subcommand;
use pager_questions::fields::check_text;
use pager_questions::{AgentName, Author, Time};

use super::configuration;
use crate::configuration::Flags;
use crate::store::sqlite::SqliteStore;
use crate::store::{Listing, Role, Store, Token, Write};
use crate::{clock, secrets};

/// The most characters of a project's name, as in a question.
const MOST_IN_PROJECT: usize = 200;

/// What to do with tokens.
#[derive(Subcommand)]
pub enum Verb {
    /// Make one; its secret is printed alone, once
    Create {
        /// What it allows
        #[arg(long)]
        role: Role,
        /// Whose it is; an agent's questions belong to this name
        #[arg(long)]
        name: String,
        /// Of an agent: the project that it works on, whose gates then count for it
        #[arg(long)]
        project: Option<String>,
    },
    /// List them, without their secrets
    List,
    /// Revoke one by its id
    Revoke {
        /// As `list` shows it
        id: String,
    },
}

/// Does it.
///
/// # Errors
/// When the configuration or the store cannot be used, or there is no such token.
#[expect(clippy::print_stdout, reason = "secrets and lists are this verb's output")]
pub async fn run(flags: &Flags, verb: Verb) -> anyhow::Result<()> {
    let configuration = configuration(flags)?;
    let store = SqliteStore::open_beside(&configuration.store.path).await?;
    match verb {
        Verb::Create { role, name, project } => println!("{}", create_for(&store, role, &name, project).await?),
        Verb::List => {
            for token in store.tokens().await? {
                let revoked = token.revoked_at.map_or(String::new(), |at| format!("\trevoked {at}"));
                let project = token.project.map_or(String::new(), |project| format!("\tproject {project}"));
                println!("{}\t{}\t{}\t{}{project}{revoked}", token.id, token.role.as_str(), token.name, token.created_at);
            }
        }
        Verb::Revoke { id } => revoke(&store, &id).await?,
    }
    store.close().await;
    Ok(())
}

/// Makes a token and returns its secret.
///
/// # Errors
/// A bad name, or a store that cannot be used.
pub async fn create(store: &dyn Store, role: Role, name: &str) -> anyhow::Result<String> {
    create_for(store, role, name, None).await
}

/// The same, bound to a project.
async fn create_for(store: &dyn Store, role: Role, name: &str, project: Option<String>) -> anyhow::Result<String> {
    if let Some(project) = &project {
        if role != Role::Agent {
            bail!("--project: is for an agent's token; leave it out, or make it one of --role agent");
        }
        check_text(project, MOST_IN_PROJECT).map_err(|error| anyhow!("--project: {error}"))?;
    }
    let name = AgentName::parse(name).map_err(|error| anyhow!("--name: {error}"))?;
    let secret = secrets::new(&format!("pager_{}_", role.as_str()));
    let token = Token {
        id: format!("t-{}", &secrets::hash(&secrets::new(""))[..10]),
        name: name.to_string(),
        role,
        hash: secrets::hash(&secret),
        created_at: clock::now(),
        revoked_at: None::<Time>,
        project,
    };
    store.commit(vec![Write::AddToken(token)]).await?;
    Ok(secret)
}

async fn revoke(store: &dyn Store, id: &str) -> anyhow::Result<()> {
    let tokens = store.tokens().await?;
    let Some(token) = tokens.iter().find(|token| token.id == id) else {
        bail!("there is no token {id}; `pagerd token list` shows their ids");
    };
    if token.revoked_at.is_some() {
        eprintln!("{id} was revoked before");
        return Ok(());
    }
    store.commit(vec![Write::RevokeToken { id: id.to_owned(), at: clock::now() }]).await?;
    if token.role == Role::Agent {
        let agent = Author::parse(&token.name).map_err(|error| anyhow!("the token's name: {error}"))?;
        let listing = Listing { agent: Some(agent), state: Some("open".to_owned()), limit: 1000, after: None };
        for open in store.newest(&listing).await? {
            eprintln!("still open: {} ({})", open.record.question.id, open.record.question.title());
        }
    }
    Ok(())
}
