//! A repository on a fake GitHub, beside one bare PUT to another repository of the same fake. The fake keeps no pace and the
//! keeper a pace that is never waited for: what is left is what the keeper does.

use std::time::{Duration, Instant};

use anyhow::ensure;
use base64::Engine;
use pager_answers::github::{Access, GitHubRepository, PaceLimits, Proof};
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};
use serde_json::json;

use super::answer::{answer, save};
use super::arguments::Arguments;
use super::figures::{Row, Times};

const ANSWERS: &str = "me/answers";
const FLOOR: &str = "me/floor";

/// A fake with a repository of answers, and a keeper for it.
pub struct Hub {
    /// The fake.
    pub fake: FakeGitHub,
    /// The keeper.
    pub keeper: GitHubRepository,
    /// The keeper's token.
    pub token: String,
}

impl Hub {
    /// Starts one.
    pub async fn start() -> anyhow::Result<Self> {
        let fake = FakeGitHub::start().await;
        fake.enforce_pace(false);
        fake.set_hourly_limit(Some(10_000_000));
        fake.add_repository(ANSWERS, Visibility::Private);
        let token = fake.add_token("me", &[(ANSWERS, Rights::write())]);
        let access = Access { api_url: fake.base_url(), proof: Proof::Token(token.as_str().into()) };
        let pace = PaceLimits { between: Duration::ZERO, ..PaceLimits::default().faster(10_000) };
        let keeper = GitHubRepository::new(&access, ANSWERS.parse()?, "main", pace)?;
        keeper.begin().await?;
        Ok(Self { fake, keeper, token })
    }
}

/// One row.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start().await?;
    let floor = Floor::new(&hub.fake)?;
    let (mut own, mut floors) = (Times::default(), Times::default());
    for round in 0..arguments.rounds {
        let id = format!("one-{round}");
        own.push(save(&hub.keeper, vec![answer(&id)?]).await?);
        floors.push(floor.once(&id).await?);
    }
    Ok(vec![Row::of_times("save, GitHub (a fake on loopback)", &own, "one bare PUT", &floors, "")])
}

/// A plain client.
struct Floor {
    client: reqwest::Client,
    url: String,
    token: String,
}

impl Floor {
    fn new(fake: &FakeGitHub) -> anyhow::Result<Self> {
        fake.add_repository(FLOOR, Visibility::Private);
        let token = fake.add_token("somebody", &[(FLOOR, Rights::write())]);
        let client = reqwest::Client::builder().user_agent("floor").build()?;
        Ok(Self { client, url: format!("{}/repos/{FLOOR}/contents/answers", fake.base_url()), token })
    }

    async fn once(&self, id: &str) -> anyhow::Result<Duration> {
        let file = answer(id)?;
        let began = Instant::now();
        let content = base64::engine::general_purpose::STANDARD.encode(&file.bytes);
        let body = json!({ "message": file.message, "content": content, "branch": "main" });
        let url = format!("{}/{}", self.url, file.path.file_name());
        let reply = self.client.put(url).bearer_auth(&self.token).json(&body).send().await?;
        let (status, _) = (reply.status(), reply.bytes().await?);
        let took = began.elapsed();
        ensure!(status == 201, "the fake did not create a file: {status}");
        Ok(took)
    }
}
