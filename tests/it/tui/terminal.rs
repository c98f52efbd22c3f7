//! A real terminal for one program: tmux, which keeps a screen as a person would see it.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::world::{World, until};

/// One terminal with `ask inbox` in it. Whatever runs in it ends when this is dropped.
pub struct Terminal {
    folder: TempDir,
}

/// Comes after the program's end, with its exit code.
pub const ENDED: &str = "ask ended with";

impl Terminal {
    /// 80 × 24, as the owner.
    pub fn open(world: &World) -> Self {
        Self::open_with(world, &[])
    }

    /// The same with further variables, which win.
    pub fn open_with(world: &World, variables: &[(&str, &str)]) -> Self {
        Self::open_as(world, variables, "tmux-256color")
    }

    /// The same where the terminal calls itself dumb.
    pub fn open_as_dumb(world: &World) -> Self {
        Self::open_as(world, &[], "dumb")
    }

    fn open_as(world: &World, variables: &[(&str, &str)], term: &str) -> Self {
        let terminal = Self { folder: tempfile::tempdir().unwrap() };
        let settings = "set -g status off\nset -g escape-time 0\n";
        std::fs::write(terminal.path("tmux.conf"), settings).unwrap();
        // What the shell says afterwards shows how the terminal was given back.
        let script = format!("TERM={term} ask inbox; echo {ENDED} $?; stty -a; exec cat");
        let path = format!("{}:{}", World::programs().display(), std::env::var("PATH").unwrap_or_default());
        let mut command = terminal.command();
        command.env("PATH", path).env("ASK_URL", world.address.url()).env("ASK_TOKEN", &world.owner_token);
        command.envs(variables.iter().copied());
        command.args(["new-session", "-d", "-x", "80", "-y", "24", &script]);
        assert!(command.status().expect("tmux is installed").success());
        terminal
    }

    /// Presses keys by tmux's names, or types a text.
    pub fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "0"], keys].concat());
    }

    /// Types a text as it is.
    pub fn write(&self, text: &str) {
        self.tmux(&["send-keys", "-t", "0", "-l", text]);
    }

    /// Gives it another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-t", "0", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// What stands on the screen.
    pub fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-t", "0"])
    }

    /// The same with its colours as escape sequences.
    pub fn painted(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e", "-t", "0"])
    }

    /// What tmux knows, like `#{alternate_on}`.
    pub fn says(&self, what: &str) -> String {
        self.tmux(&["display-message", "-p", "-t", "0", what]).trim().to_owned()
    }

    /// The process of `ask` in it.
    pub fn process(&self) -> u32 {
        let shell = self.says("#{pane_pid}");
        let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
        children.split_whitespace().next().expect("ask runs").parse().unwrap()
    }

    /// Waits until the screen has these words, over the ends of lines too.
    pub async fn shows(&self, words: &str) -> String {
        until(&format!("the screen shows {words:?}"), async || {
            let screen = self.screen();
            let flat = screen.lines().map(str::trim_end).collect::<Vec<_>>().join(" ");
            (screen.contains(words) || flat.contains(words)).then_some(screen)
        })
        .await
    }

    /// Waits until the program ended with this code, and looks whether the terminal is as it was.
    pub async fn is_given_back(&self, code: i32) {
        let screen = self.shows(&format!("{ENDED} {code}")).await;
        self.shows(" icanon").await;
        assert!(!screen.contains("── Open"), "{screen}");
        assert!(self.screen().contains(" echo "), "{}", self.screen());
        assert_eq!(self.says("#{alternate_on} #{cursor_flag}"), "0 1", "{screen}");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command.env_clear().env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color").env("SHELL", "/bin/sh");
        command.arg("-S").arg(self.path("socket")).arg("-f").arg(self.path("tmux.conf"));
        command
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = self.command().args(arguments).output().expect("tmux is installed");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let screen = self.command().args(["capture-pane", "-p", "-t", "0"]).output();
            let screen = screen.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
            eprintln!("--- the terminal ---\n{screen}");
        }
        let _ = self.command().arg("kill-server").output();
    }
}
