//! Ssh that fails instead of asking at a terminal. Which ssh it is stays the user's choice.

use std::process::{Command, Stdio};

/// The value of `GIT_SSH_COMMAND` that is the user's own ssh, told not to ask. None where that is not for us to say.
pub fn command() -> Option<String> {
    if std::env::var_os("GIT_SSH").is_some() {
        return None;
    }
    let chosen = std::env::var("GIT_SSH_COMMAND").ok().or_else(configured).unwrap_or_else(|| "ssh".to_owned());
    silenced(&chosen)
}

/// A command of OpenSSH's that asks nothing, and gives up a server that is silent for a minute. What was set before wins, as
/// the first of two options does; other programs have other options.
fn silenced(command: &str) -> Option<String> {
    let program = command.split_whitespace().next()?.trim_matches(['"', '\'']);
    let is_open_ssh = program.rsplit('/').next() == Some("ssh");
    is_open_ssh.then(|| format!("{command} -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15"))
}

/// What git's settings name: the variable would take its place.
fn configured() -> Option<String> {
    let asked = Command::new("git")
        .args(["config", "--get", "core.sshCommand"])
        .current_dir("/")
        .env_remove("GIT_DIR")
        .stdin(Stdio::null())
        .output();
    let asked = asked.ok().filter(|asked| asked.status.success())?;
    Some(String::from_utf8_lossy(&asked.stdout).trim().to_owned()).filter(|command| !command.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ssh_of_any_place_is_silenced_and_another_program_left_alone() {
        let silent = " -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15";
        for command in ["ssh", "/usr/bin/ssh -i key", "\"/opt/ssh\" -v"] {
            assert_eq!(silenced(command), Some(format!("{command}{silent}")));
        }
        for command in ["plink -batch", "./my-ssh-wrapper", ""] {
            assert_eq!(silenced(command), None, "{command}");
        }
    }
}
