//! Server blocks that can never work.

use super::plan_with;

fn said(server: &str) -> Vec<String> {
    let text = format!("name: n\nserver: {server}\nsteps: [{{id: a, tool: t}}]\n");
    plan_with(&text, &[("SET", "set"), ("EMPTY", "")]).said()
}

#[test]
fn servers_that_can_work_are_silent() {
    for server in [
        "{command: \"${SET}\", args: [\"{{.Names}}\", \"{{x}}\"], env: {A: \"${EMPTY}\"}}",
        "{url: \"http://127.0.0.1:3000/mcp\", headers: {X-Key: \" ${SET} \"}}",
        "{url: \"http://127.0.0.1:{{port}}/mcp\", start: {command: x, args: [\"{{ port }}\"], ready: \"http://127.0.0.1:{{port}}/\"}}",
    ] {
        assert_eq!(said(server), [] as [&str; 0], "{server}");
    }
}

#[test]
fn a_port_that_the_command_is_not_told_is_worth_a_word() {
    let server = |start: &str| format!("{{url: \"http://127.0.0.1:{{{{port}}}}/mcp\", start: {{command: x{start}}}}}");
    assert_eq!(
        said(&server("")),
        ["2:65 a port is chosen for `{{port}}` in `url`, but the command is not told which"]
    );
    for told in [
        ", env: {PORT: \"{{port}}\"}",
        ", args: [\"--port={{port}}\"]",
        ", cwd: \"{{ port }}\"",
    ] {
        assert_eq!(said(&server(told)), [] as [&str; 0], "{told}");
    }
}

#[test]
fn an_unset_variable_is_said_once() {
    assert_eq!(
        said("{command: \"${NOPE}\"}"),
        ["2:19 the environment variable `NOPE` is not set"]
    );
    assert_eq!(
        said("{url: \"${NOPE}\"}"),
        ["2:15 the environment variable `NOPE` is not set"]
    );
    assert_eq!(
        said("{command: \"${EMPTY}\"}"),
        ["2:19 `command` is blank once its variables are expanded"]
    );
}

#[test]
fn a_slip_in_the_name_of_an_inherited_variable_is_worth_a_word() {
    let said_of = |name: &str| {
        let text = format!("name: n\nserver: {{command: x, env_inherit: [{name}]}}\nsteps: [{{id: a, tool: t}}]\n");
        let planned = plan_with(&text, &[("MY_TOKEN", "hunter22")]);
        assert!(planned.case.is_some(), "it is no error");
        planned
            .diagnostics
            .into_iter()
            .map(|it| it.help.unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(said_of("MY_TOKNE"), ["did you mean `MY_TOKEN`?"]);
    assert_eq!(said_of("OTHER"), [""; 0]);
}

#[test]
fn addresses_and_headers_are_checked() {
    assert_eq!(said("{url: \"http://\"}"), ["2:15 `http://` is no address: empty host"]);
    assert_eq!(
        said("{url: \"http://h/\", headers: {\"bad header\": x, A: \"b\\nc\"}}"),
        [
            "2:38 `bad header` is not a header name",
            "2:58 the header `A` has a value that HTTP cannot carry"
        ]
    );
}

#[test]
fn a_nul_character_is_refused() {
    let nul = "a NUL character cannot be handed to a program";
    assert_eq!(
        said("{command: \"a\\0\", args: [\"\\0\"], env: {A: \"\\0\"}}"),
        [format!("2:49 {nul}"), format!("2:19 {nul}"), format!("2:33 {nul}")]
    );
}

#[test]
fn placeholders_that_nothing_fills_in_are_refused() {
    assert_eq!(
        said("{url: \"http://h:{{port}}/\"}"),
        ["2:15 `{{port}}` is not filled in here"]
    );
    assert_eq!(
        said("{url: \"http://h:{{prot}}/\", start: {command: x, args: [\"{{env.HOME}}\"]}}"),
        [
            "2:15 `{{prot}}` is not filled in here",
            "2:64 `{{env.HOME}}` is not filled in here"
        ]
    );
    assert_eq!(said("{command: \"{{vars.x}}\"}").len(), 1);
}
