use super::*;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn faults_of(command: &[&str], access: Access, tools: &[&str]) -> String {
    let (command, tools) = (words(command), words(tools));
    let runtime = Runtime::of(&command[0]);
    let held = Held { command: &command, runtime, access, tools: &tools, folder: Some(Path::new("/srv/work")) };
    let told: Vec<String> = faults(held, None).into_iter().map(|(setting, words)| format!("{setting}: {words}")).collect();
    told.join("\n")
}

fn added(command: &[&str], access: Access, tools: &[&str]) -> Enforcement {
    let (command, tools) = (words(command), words(tools));
    let runtime = Runtime::of(&command[0]);
    let held = Held { command: &command, runtime, access, tools: &tools, folder: Some(Path::new("/srv/work")) };
    assert_eq!(faults(held, None), []);
    of(held, Place { ask: "/usr/bin/ask", state: Path::new("/state") })
}

#[test]
fn a_locked_claude_has_no_built_in_tool() {
    insta::assert_snapshot!(added(&["claude", "-p"], Access::Locked, &[]).arguments.join(" "), @r#"--restricted --disable-slash-commands --strict-mcp-config --mcp-config {"mcpServers":{"pager":{"args":["mcp"],"command":"/usr/bin/ask","type":"stdio"}}} --permission-mode dontAsk --tools  --allowedTools mcp__pager"#);
}

#[test]
fn a_claude_in_a_workspace_has_the_named_tools_alone() {
    let arguments = added(&["claude", "-p"], Access::Workspace, &["read"]).arguments;
    assert!(
        arguments.ends_with(&words(&["--tools", "Read,Glob,Grep", "--allowedTools", "mcp__pager,Read,Glob,Grep"])),
        "{arguments:?}"
    );
    let arguments = added(&["claude", "-p"], Access::Workspace, &["read", "edit"]).arguments.join(" ");
    assert!(arguments.contains("--tools Read,Glob,Grep,Edit,Write"), "{arguments}");
}

#[test]
fn a_locked_codex_has_no_shell_and_no_configuration_of_its_own() {
    insta::assert_snapshot!(added(&["codex", "exec"], Access::Locked, &[]).arguments.join(" "), @r#"--ignore-user-config --ignore-rules --strict-config --skip-git-repo-check -c approval_policy="never" -c web_search="disabled" -c mcp_servers={pager={command="/usr/bin/ask",args=["mcp"],env_vars=["ASK_URL","ASK_TOKEN","PAGER_RUN"],default_tools_approval_mode="approve"}} --sandbox read-only --disable shell_tool --disable unified_exec --disable apps --disable browser_use --disable computer_use --disable hooks --disable image_generation --disable plugins --disable skill_mcp_dependency_install --disable view_image"#);
}

#[test]
fn a_codex_in_a_workspace_is_kept_in_the_folder_by_a_profile() {
    let arguments = added(&["codex", "exec", "--json"], Access::Workspace, &["shell", "read"]).arguments.join(" ");
    assert!(arguments.contains(r#"":workspace_roots"={"."="read"}"#) && !arguments.contains("--sandbox"), "{arguments}");
    assert!(!arguments.contains("--disable shell_tool"), "{arguments}");
    let arguments = added(&["codex", "exec"], Access::Workspace, &["read", "edit"]).arguments.join(" ");
    assert!(arguments.contains(r#"{"."="write"}"#) && arguments.contains("network={enabled=false}"), "{arguments}");
    let arguments = added(&["codex", "exec"], Access::Workspace, &["shell", "edit"]).arguments.join(" ");
    assert!(arguments.contains(r#"{"."="write"}"#), "{arguments}");
}

#[test]
fn openclaw_gets_a_tool_policy_of_its_own() {
    let locked = added(&["openclaw", "agent", "exec"], Access::Locked, &[]);
    assert!(locked.arguments.join(" ").starts_with("--message-file - --config /state/openclaw.json"), "{locked:?}");
    insta::assert_snapshot!(locked.files[0].1, @r#"{"mcp":{"servers":{"pager":{"args":["mcp"],"command":"/usr/bin/ask"}}},"tools":{"allow":["pager__*"],"deny":["group:runtime","group:sessions","group:web","group:ui","group:automation","group:messaging","group:nodes","group:agents","group:media","group:fs"],"fs":{"workspaceOnly":true}}}"#);
    let workspace = added(&["openclaw", "agent", "exec", "--model", "x/y"], Access::Workspace, &["read"]);
    assert!(workspace.arguments.ends_with(&words(&["--cwd", "/srv/work"])), "{workspace:?}");
    assert!(workspace.files[0].1.contains(r#""allow":["pager__*","read"]"#), "{workspace:?}");
}

#[test]
fn flags_that_could_widen_an_access_are_refused_with_the_way_out() {
    let check = |command: &[&str], flag: &str| {
        let told = faults_of(command, Access::Locked, &[]);
        assert!(told.contains(&format!("{flag:?}")) && told.contains("inherit"), "{command:?}: {told}");
    };
    for flag in [
        "--dangerously-skip-permissions",
        "--allow-dangerously-skip-permissions",
        "--allowedTools",
        "--allowed-tools=Bash",
        "--tools",
        "--mcp-config",
        "--permission-mode=bypassPermissions",
        "--add-dir",
        "--settings",
        "--agents",
        "--",
        "mcp",
    ] {
        check(&["claude", "-p", flag], flag);
    }
    for flag in [
        "--yolo",
        "--dangerously-bypass-approvals-and-sandbox",
        "-s",
        "--sandbox=danger-full-access",
        "--full-auto",
        "-p",
        "--add-dir",
        "resume",
    ] {
        check(&["codex", "exec", flag], flag);
    }
    check(&["codex", "exec", "-c", "sandbox_mode=\"danger-full-access\""], "-c");
    check(&["openclaw", "agent", "exec", "--config", "mine.json"], "--config");
    check(&["openclaw", "agent", "exec", "--code-mode", "code"], "--code-mode");
    assert_eq!(faults_of(&["codex", "exec", "-m", "x", "-c", "model_reasoning_effort=\"low\"", "-"], Access::Locked, &[]), "");
    assert_eq!(faults_of(&["claude", "--dangerously-skip-permissions"], Access::Inherit, &[]), "");
}

#[test]
fn what_cannot_be_enforced_is_refused() {
    assert!(faults_of(&["claude", "-p"], Access::Workspace, &["shell"]).contains("\"shell\", which claude cannot"));
    assert!(faults_of(&["codex", "resume"], Access::Locked, &[]).contains("codex exec"));
    assert!(faults_of(&["codex", "exec"], Access::Workspace, &["browse"]).contains("\"browse\", which codex cannot"));
    assert!(faults_of(&["openclaw", "agent", "--message", "x"], Access::Locked, &[]).contains("openclaw agent exec"));
    assert!(faults_of(&["./agent.sh"], Access::Locked, &[]).starts_with("enforced_by: is missing"));
    assert_eq!(faults_of(&["./agent.sh"], Access::Inherit, &[]), "");
}

#[test]
fn a_program_that_is_named_alone_takes_its_prompt_from_standard_input() {
    let check = |command: &[&str], access: Access, expected: &[&str]| {
        let mut completed = words(command);
        let runtime = Runtime::of(&completed[0]);
        complete(&mut completed, runtime, access);
        assert_eq!(completed, words(expected), "{command:?}");
    };
    check(&["claude"], Access::Locked, &["claude", "-p"]);
    check(&["claude", "--model", "x"], Access::Workspace, &["claude", "-p", "--model", "x"]);
    check(&["claude", "--print"], Access::Locked, &["claude", "--print"]);
    check(&["/opt/codex"], Access::Locked, &["/opt/codex", "exec"]);
    check(&["codex", "--json"], Access::Locked, &["codex", "exec", "--json"]);
    check(&["codex", "resume"], Access::Locked, &["codex", "resume"]);
    check(&["openclaw"], Access::Workspace, &["openclaw", "agent", "exec"]);
    check(&["openclaw", "agent", "--json"], Access::Locked, &["openclaw", "agent", "exec", "--json"]);
    check(&["openclaw", "message"], Access::Locked, &["openclaw", "message"]);
    check(&["claude"], Access::Inherit, &["claude"]);
    check(&["sh"], Access::Locked, &["sh"]);
}

#[test]
fn a_runtime_that_the_command_does_not_start_holds_nothing() {
    let command = words(&["sh", "-c", "claude -p"]);
    let held = Held { command: &command, runtime: Runtime::Claude, access: Access::Locked, tools: &[], folder: None };
    assert!(faults(held, None)[0].1.contains("write the program claude first"));
    let other = Held { runtime: Runtime::Other, ..held };
    assert_eq!(faults(other, Some("a container")), []);
    assert_eq!(faults(Held { access: Access::Inherit, ..other }, Some("a container")), []);
}
