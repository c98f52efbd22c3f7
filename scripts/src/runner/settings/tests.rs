#![expect(clippy::unwrap_used, reason = "a test may panic")]
use super::*;

fn read(text: &str) -> Result<RunnerSettings, Vec<String>> {
    RunnerSettings::of(text, Path::new("/nowhere"))
}

fn problems(text: &str) -> Vec<String> {
    read(text).err().unwrap_or_default()
}

#[test]
fn a_command_is_enough() {
    let settings = read("command = [\"claude\", \"-p\"]").unwrap();
    assert_eq!((settings.runtime, settings.access), (Runtime::Claude, Access::Locked));
    assert_eq!((settings.autonomy, settings.tier), (Autonomy::Semi, Tier::Full));
    assert_eq!((settings.heartbeat, settings.catchup, settings.lease), (Some(HOUR), DAY, Duration::from_secs(60)));
    assert_eq!(settings.limits, Limits { runs_per_hour: 6, runs_per_day: 40, wakes_per_author_per_day: 10 });
    assert_eq!(settings.template, template::STANDARD);
}

#[test]
fn everything_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("work")).unwrap();
    std::fs::write(folder.path().join("mine.md"), "Mine {events}").unwrap();
    let text = r#"
        command = ["./agent.sh", "x"]
        runtime = "other"
        access = "workspace"
        enforced_by = "a container"
        autonomy = "locked"
        tier = "minimal"
        role = "builder"
        department = "tools"
        workdir = "work"
        tools = ["read", "compile"]
        tags = ["cap:rust", "cap:go"]
        heartbeat = "off"
        catchup = "2d"
        lease = "90s"
        runs_per_hour = 1
        runs_per_day = 2
        wakes_per_author_per_day = 3
        template = "mine.md"
    "#;
    let settings = RunnerSettings::of(text, folder.path()).unwrap();
    assert_eq!((settings.heartbeat, settings.lease), (None, Duration::from_secs(90)));
    assert_eq!(settings.workdir, Some(folder.path().join("work").canonicalize().unwrap()));
    assert_eq!(settings.tags, ["cap:rust", "cap:go"]);
    assert_eq!(settings.template, "Mine {events}");
    assert_eq!(settings.limits, Limits { runs_per_hour: 1, runs_per_day: 2, wakes_per_author_per_day: 3 });
}

#[test]
fn all_problems_are_told_at_once_each_with_its_key_and_the_way_out() {
    let text = r#"
        command = "claude -p"
        runtime = "gemini"
        access = "open"
        autonomy = "free"
        tier = 3
        role = ""
        workdir = "gone"
        tags = ["cap rust"]
        heartbeat = "60"
        catchup = "100d"
        lease = "1h"
        runs_per_hour = 0
        runs_per_day = "many"
        wakes_per_author_per_day = -1
        template = "gone.md"
        colour = "red"
    "#;
    let told = problems(text).join("\n");
    insta::assert_snapshot!(told, @r#"
    colour: is no setting of the runner; remove it: the settings are command, runtime, access, autonomy, tier, role, department, workdir, tools, tags, heartbeat, catchup, lease, runs_per_hour, runs_per_day, wakes_per_author_per_day, template, enforced_by
    command: must be a list of texts, like command = ["…", "…"]
    runtime: must be one of claude, codex, openclaw, other
    access: must be one of locked, workspace, inherit
    workdir: names /nowhere/gone, which is no folder; make it, or name another
    autonomy: must be one of full, semi, supervised, locked
    tier: must be one of full, summary, minimal
    tags: has "cap rust", which has a space, a comma or something that cannot be seen; write it like cap:rust
    heartbeat: 60 has no unit; write 60s, 60m, 60h or 60d; or write "off"
    catchup: must be from 1s to 30d
    lease: must be from 1s to 10m
    runs_per_hour: must be a whole number from 1 to 1000
    runs_per_day: must be a whole number from 1 to 10000
    wakes_per_author_per_day: must be a whole number from 1 to 10000
    template: /nowhere/gone.md cannot be read: No such file or directory (os error 2); write it, or leave this out for the one that comes with ask
    role: must be a text, like role = "…"
    "#);
}

#[test]
fn what_does_not_go_together_is_told() {
    let told = problems("command = [\"claude\", \"-p\"]\naccess = \"workspace\"").join("\n");
    assert!(told.contains("workdir: is missing") && told.contains("tools: is missing"), "{told}");
    let told = problems("command = [\"agent\"]").join("\n");
    assert!(told.starts_with("enforced_by: is missing"), "{told}");
    assert!(problems("").join("\n").starts_with("command: is missing"));
}

#[test]
fn what_is_meant_for_another_access_is_told_and_stands_in_nobodys_way() {
    let unused = |text: &str| read(text).unwrap().unused.join("\n");
    assert_eq!(unused("command = [\"claude\"]"), "");
    let told = unused("command = [\"claude\"]\ntools = [\"read\"]");
    assert_eq!(told, "tools is for access = \"workspace\" and not used: with \"locked\" a run has the pager's tools alone");
    let told = unused("command = [\"claude\"]\nenforced_by = \"me\"");
    assert!(told.starts_with("enforced_by is not used: claude is held by its own flags"), "{told}");
    let told = unused("command = [\"agent\"]\naccess = \"inherit\"\nenforced_by = \"me\"\ntools = [\"read\"]");
    assert!(told.contains("whatever its own configuration gives") && told.contains("holds the command to nothing"), "{told}");
    assert_eq!(unused("command = [\"agent\"]\nenforced_by = \"me\""), "");
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    let told = problems("command = [\"claude\"]\naccess = \n").join("\n");
    assert!(told.starts_with("line 2: "), "{told}");
}
