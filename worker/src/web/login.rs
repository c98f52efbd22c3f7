//! Logging in.

use anyhow::Context;

use crate::store::{LoginLink, Store, Write};
use crate::{clock, secrets};

/// How long a login link can be used.
const LINK_MILLIS: i64 = 24 * 3600 * 1000;

/// Makes a link that logs in once, as the owner of this token.
///
/// # Errors
/// When the token is not valid or the store cannot be used.
pub async fn new_link(store: &dyn Store, owner_token: &str, url: &str) -> anyhow::Result<String> {
    let token = store.token(&secrets::hash(owner_token)).await?.context("the owner token is not valid")?;
    let secret = secrets::new("");
    let link = LoginLink {
        hash: secrets::hash(&secret),
        token: token.id,
        expires_at: clock::now().plus_millis(LINK_MILLIS),
    };
    store.commit(vec![Write::AddLoginLink(link)]).await?;
    Ok(format!("{url}/login/{secret}"))
}
