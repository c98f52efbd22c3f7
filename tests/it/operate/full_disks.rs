//! Disks that are full or read-only. A file system of its own, in a mount namespace of its own, is the real thing; where
//! the kernel gives none, a limit on the size of files and a folder that became a file stand in for it.

use std::process::Command;

use crate::world::{Ended, Running, World};

/// Does the kernel give this user a mount namespace with a file system in it?
fn has_namespaces(world: &World) -> bool {
    let place = world.folder().join("try");
    std::fs::create_dir_all(&place).unwrap();
    let tried = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs"]).arg(place).output();
    tried.is_ok_and(|output| output.status.success())
}

/// `pagerd doctor` behind these lines of shell, in which `$DATA` is the data folder and `$@` the command.
async fn doctor_behind(world: &World, shell: &[&str], lines: &str) -> Ended {
    let plain = world.pagerd_command();
    let mut command = tokio::process::Command::new(shell[0]);
    command.args(&shell[1..]).arg("sh").arg("-c").arg(format!("set -e\n{lines}\nexec \"$@\"")).arg("sh");
    command.arg(plain.as_std().get_program()).arg("doctor").env_clear().current_dir(world.folder());
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("DATA", world.data_dir());
    for (name, value) in plain.as_std().get_envs() {
        command.env(name, value.unwrap());
    }
    Running::start(&mut command).end().await
}

#[track_caller]
fn assert_failed(ended: &Ended, check: &str, words: &[&str]) {
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let begins = format!("FAIL {check}:");
    let line = ended.output.lines().find(|line| line.starts_with(&begins)).unwrap_or_else(|| panic!("{check}: {ended:?}"));
    for word in words {
        assert!(line.contains(word), "{word:?}: {line}");
    }
}

#[tokio::test]
async fn a_full_disk_is_named() {
    let mut world = World::start().await;
    world.terminate().await;
    let ended = if has_namespaces(&world) {
        let fill = "cp -a \"$DATA\" \"$DATA.kept\"\nmount -t tmpfs -o size=1m tmpfs \"$DATA\"\ncp -a \"$DATA.kept/.\" \"$DATA\"\n\
                    cat /dev/zero > \"$DATA/filler\" 2>/dev/null || true";
        doctor_behind(&world, &["unshare", "-rm"], fill).await
    } else {
        doctor_behind(&world, &["env"], "trap '' XFSZ\nulimit -f 0").await
    };
    assert_failed(&ended, "data folder", &["no room left", "free some room"]);
}

#[tokio::test]
async fn an_answers_repository_that_is_read_only_is_named() {
    let mut world = World::start().await;
    world.terminate().await;
    let ended = if has_namespaces(&world) {
        let freeze = "mount --bind \"$DATA/answers.git\" \"$DATA/answers.git\"\nmount -o remount,ro,bind \"$DATA/answers.git\"";
        doctor_behind(&world, &["unshare", "-rm"], freeze).await
    } else {
        world.break_repository();
        world.pagerd(&["doctor"]).await
    };
    assert_failed(&ended, "answers", &["answers.git"]);
}
