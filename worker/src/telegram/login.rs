//! Login links for owners who ask for one in Telegram. Each owner has a token row of their own, whose secret nobody knows:
//! sessions are made from it, acts are signed with its name, and revoking it ends them.

use pager_questions::Time;

use crate::service::ServiceError;
use crate::store::{Role, Store, Token, Write};
use crate::{clock, secrets, web};

/// How long such a link can be used, in minutes.
pub(super) const MINUTES: i64 = 10;
/// What the ids of these token rows begin with.
const PREFIX: &str = "telegram:";

/// Makes a link that logs this owner in once.
pub(super) async fn link(store: &dyn Store, user: i64, url: &str) -> Result<String, ServiceError> {
    let token = match store.tokens().await?.into_iter().find(|token| is_valid(token) && user_of(token) == Some(user)) {
        Some(token) => token.id,
        None => make_token(store, user).await?,
    };
    Ok(web::login::link_for(store, token, url, MINUTES * 60 * 1000).await?)
}

/// Ends the logins of whoever is no owner any more.
///
/// # Errors
/// When the store cannot be used.
pub async fn revoke_former_owners(store: &dyn Store, owners: &[i64]) -> Result<(), ServiceError> {
    let tokens = store.tokens().await?;
    let former = tokens.iter().filter(|token| is_valid(token) && user_of(token).is_some_and(|user| !owners.contains(&user)));
    let writes: Vec<Write> = former.map(|token| Write::RevokeToken { id: token.id.clone(), at: clock::now() }).collect();
    if !writes.is_empty() {
        tracing::info!(count = writes.len(), "the logins of former owners are revoked");
        store.commit(writes).await?;
    }
    Ok(())
}

/// A token that was revoked stays so; whoever is still an owner gets a new one.
async fn make_token(store: &dyn Store, user: i64) -> Result<String, ServiceError> {
    let name = format!("{PREFIX}{user}");
    let number = store.tokens().await?.iter().filter(|token| user_of(token) == Some(user)).count();
    let id = if number == 0 { name.clone() } else { format!("{name}-{}", number + 1) };
    let hash = secrets::hash(&secrets::new(""));
    let token = Token {
        id: id.clone(),
        name,
        role: Role::Owner,
        hash,
        created_at: clock::now(),
        revoked_at: None::<Time>,
        project: None,
    };
    store.commit(vec![Write::AddToken(token)]).await?;
    Ok(id)
}

fn is_valid(token: &Token) -> bool {
    token.revoked_at.is_none()
}

fn user_of(token: &Token) -> Option<i64> {
    token.name.strip_prefix(PREFIX)?.parse().ok()
}
