//! One Chromium of its own for one test, driven by Debian's chromedriver on a free port. Both end with the test.

use std::ops::Deref;
use std::process::Stdio;

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A browser. It can do what [`Client`] can.
pub struct Browser {
    client: Client,
    driver: Child,
    _profile: TempDir,
}

impl Browser {
    /// As a phone holds it.
    pub async fn start() -> Self {
        Self::with(&json!({})).await
    }

    /// The same with scripts switched off.
    pub async fn without_scripts() -> Self {
        Self::with(&json!({"profile.managed_default_content_settings.javascript": 2})).await
    }

    async fn with(preferences: &Value) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("chromedriver");
        // A process group of its own, so that the browser ends with its driver however the test ends.
        command.arg("--port=0").process_group(0).env("HOME", profile.path()).env("TMPDIR", profile.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut driver = command.spawn().expect("chromedriver is installed (Debian: chromium-driver)");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next_line().await.unwrap().expect("chromedriver says where it listens");
            if let Some((_, port)) = line.trim_end_matches('.').split_once("successfully on port ") {
                break port.to_owned();
            }
        };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-proxy-server",
            "--window-size=500,900",
        ];
        let capabilities = json!({
            "browserName": "chrome",
            "unhandledPromptBehavior": "ignore",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments, "prefs": preferences},
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("it is an object") };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let client = builder.capabilities(capabilities).connect(&format!("http://127.0.0.1:{port}")).await.unwrap();
        Self { client, driver, _profile: profile }
    }

    /// What the console said: errors of scripts, what the content policy stopped.
    pub async fn console(&self) -> Vec<String> {
        let entries = self.client.issue_cmd(ConsoleLog).await.unwrap();
        let entries = entries.as_array().unwrap().iter().filter(|entry| entry["level"] != "DEBUG");
        entries.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }

    /// Has the browser's own tools carry out a command.
    pub async fn devtools(&self, command: &'static str) -> Value {
        self.devtools_with(command, json!({})).await
    }

    /// The same with its parameters.
    pub async fn devtools_with(&self, command: &'static str, parameters: Value) -> Value {
        self.client.issue_cmd(DevTools(command, parameters)).await.unwrap()
    }

    /// From here on of this width in CSS pixels, in the light or in the dark.
    pub async fn looks(&self, width: u32, scheme: &str) {
        let screen = json!({"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false});
        self.devtools_with("Emulation.setDeviceMetricsOverride", screen).await;
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.devtools_with("Emulation.setEmulatedMedia", features).await;
    }
}

impl Deref for Browser {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let group = self.driver.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

#[derive(Debug)]
struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as std::str::FromStr>::Err> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({"type": "browser"}).to_string()))
    }
}

#[derive(Debug)]
struct DevTools(&'static str, Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as std::str::FromStr>::Err> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({"cmd": self.0, "params": self.1}).to_string()))
    }
}
