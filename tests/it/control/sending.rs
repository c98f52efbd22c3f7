//! Sending events as a workflow, a script or GitHub itself does, and looking at what they left behind.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use pager_tests::fake_oidc::FakeOidc;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{Connection as _, Row as _};

use crate::world::{Reply, World, sent};

pub const SECRET: &[u8] = b"a shared secret of 32 characters";
pub const APP_SECRET: &str = "It's a Secret to Everybody";
pub const PATH: &str = "/v1/control";
const WORKFLOW: &str = "o/control/.github/workflows/pager-forward.yml@refs/heads/main";

/// What the pinned workflow's tokens say.
pub fn claims() -> Value {
    json!({
        "repository_id": "42", "repository": "o/control", "workflow_ref": WORKFLOW, "event_name": "repository_dispatch",
        "ref": "refs/heads/main", "sub": "repo:o/control:ref:refs/heads/main",
    })
}

/// `whsec_…`, as it is set.
pub fn shared_secret(key: &[u8]) -> String {
    format!("whsec_{}", STANDARD.encode(key))
}

/// The audience of a token for this body.
pub fn audience(body: &[u8]) -> String {
    format!("pager:{}", hex(&Sha256::digest(body)))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn now() -> i64 {
    Timestamp::now().as_second()
}

fn mac(secret: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

/// `v1,…` over these.
pub fn signature(secret: &[u8], id: &str, at: &str, body: &[u8]) -> String {
    format!("v1,{}", STANDARD.encode(mac(secret, &[id.as_bytes(), b".", at.as_bytes(), b".", body])))
}

/// `sha256=…` over the body.
pub fn hub_signature(secret: &str, body: &[u8]) -> String {
    format!("sha256={}", hex(&mac(secret.as_bytes(), &[body])))
}

/// A question with two options, with more fields.
pub fn question(id: &str, more: Value) -> Value {
    let mut body = json!({
        "type": "ask", "id": id, "text": format!("Release {id}?"),
        "options": [{"id": "yes", "label": "Yes, release"}, {"id": "no", "label": "No"}],
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

pub fn withdrawal(id: &str, more: Value) -> Value {
    let mut body = json!({"type": "withdraw", "id": id, "reason": "solved"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The settings of a world whose events are signed with [`SECRET`].
pub fn signed_settings() -> Vec<(&'static str, String)> {
    vec![("PAGER_CONTROL__SECRETS", shared_secret(SECRET))]
}

/// Settings as worlds take them.
pub fn borrowed<'a>(settings: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    settings.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

/// A pagerd, without Telegram, that takes signed events.
pub async fn signed_world() -> World {
    World::start_with(&borrowed(&signed_settings())).await
}

/// A pagerd that takes tokens, signatures and an App's deliveries, and everything from account 7 alone.
pub async fn guarded_world(issuer: &FakeOidc) -> World {
    let mut world = World::start_with(&[]).await;
    world.terminate().await;
    for (name, value) in [
        ("SECRETS", format!("{},{APP_SECRET}", shared_secret(SECRET))),
        ("REPO", "o/control".to_owned()),
        ("MAINTAINERS", "7".to_owned()),
        ("OIDC__ISSUER", issuer.issuer()),
        ("OIDC__REPOSITORY_ID", "42".to_owned()),
        ("OIDC__WORKFLOW_REF", WORKFLOW.to_owned()),
        ("OIDC__EVENT_NAME", "repository_dispatch".to_owned()),
        ("OIDC__REF", "refs/heads/main".to_owned()),
    ] {
        world.set(&format!("PAGER_CONTROL__{name}"), &value);
    }
    world.serve().await;
    world
}

impl World {
    /// A request with an event, without a proof.
    pub fn event(&self, id: &str, body: &[u8]) -> RequestBuilder {
        self.nobody().request(Method::POST, PATH).header("webhook-id", id).body(body.to_vec())
    }

    /// A request with an event, signed with the shared secret.
    pub fn signed_event(&self, id: &str, body: &[u8]) -> RequestBuilder {
        let at = now().to_string();
        self.event(id, body).header("webhook-timestamp", &at).header("webhook-signature", signature(SECRET, id, &at, body))
    }

    /// Sends a signed event. The reply.
    pub async fn sends(&self, id: &str, body: &Value) -> Reply {
        sent(self.signed_event(id, body.to_string().as_bytes())).await.unwrap()
    }

    /// Sends an event with this token.
    pub async fn sends_with(&self, token: &str, id: &str, body: &[u8]) -> Reply {
        sent(self.event(id, body).bearer_auth(token)).await.unwrap()
    }

    /// Everything that the store holds of questions, jobs and events, but not of people.
    pub async fn held(&self) -> Vec<String> {
        let path = self.data_dir().join("pager.sqlite");
        let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
        let mut held = Vec::new();
        for (table, columns) in [
            ("questions", "id || state || revision || record"),
            ("used_ids", "id"),
            ("jobs", "id || kind || state"),
            ("requests", "id"),
            ("control_events", "id || digest || status || reply"),
            ("control_proofs", "proof || event"),
            ("control_withdrawals", "author || question || sent_at"),
        ] {
            let rows = sqlx::query(sqlx::AssertSqlSafe(format!("SELECT {columns} AS row FROM {table} ORDER BY 1")));
            let rows = rows.fetch_all(&mut store).await.unwrap();
            held.extend(rows.iter().map(|row| format!("{table}: {}", row.get::<String, _>("row"))));
        }
        store.close().await.unwrap();
        held
    }
}
