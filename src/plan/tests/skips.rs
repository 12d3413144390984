//! Cases and steps that are skipped.

use super::{plan, plan_with};
use crate::{model::Mode, plan::Target};

#[test]
fn a_skipped_case_keeps_its_mode_and_the_name_of_its_server_is_checked() {
    let with = |server: &str| format!("name: n\n{server}skip: later\nsteps: [{{id: a, tool: t}}]\n");
    let live = plan(&with("server: {command: \"${NOPE}\"}\n")).case();
    assert_eq!((live.mode, live.skip.as_deref()), (Mode::Live, Some("later")));
    assert!(matches!(live.target, Target::Simulated), "nothing is started");
    assert_eq!(plan(&with("")).case().mode, Mode::Simulated);
    assert_eq!(plan(&with("server: nope\n")).said(), ["2:9 no server is called `nope`"]);
}

#[test]
fn a_case_without_a_step_to_run_is_skipped() {
    let text = |more: &str| {
        format!(
            "name: n\nserver: {{command: x}}\nsteps:\n  - {{id: a, tool: t, skip_unless: {{env: A}}}}\n  - {{id: b, tool: t{more}}}\n"
        )
    };
    let case = plan(&text(", input: {x: \"{{steps.a.output}}\"}")).case();
    let reason = "every step is skipped: the environment variable `A` is not set";
    assert_eq!(case.skip.as_deref(), Some(reason));
    assert_eq!(plan(&text("")).case().skip, None);
}

#[test]
fn unset_and_empty_variables_are_told_apart() {
    let case = plan_with(
        "name: n\nskip_unless: {env: A}\nsteps: [{id: a, tool: t}]\n",
        &[("A", "")],
    )
    .case();
    assert_eq!(case.skip.as_deref(), Some("the environment variable `A` is empty"));
}

#[test]
fn what_needs_a_skipped_step_is_skipped_too() {
    let case = plan(
        "name: n
steps:
  - {id: login, tool: t, skip_unless: {env: TOKEN}}
  - {id: list, tool: t, input: {s: \"{{steps.login.output}} {{env.NOPE}}\"}}
  - {id: show, tool: t, expect: {output_contains: \"{{steps.list.json.id}}\"}}
  - {id: own, tool: t, skip: later, input: {s: \"{{steps.login.output}}\"}}
  - {id: free, tool: t, input: {s: \"\\\\{{steps.login.output}}\"}}
",
    )
    .case();
    let unset = "the environment variable `TOKEN` is not set";
    let reasons: Vec<_> = case.steps.iter().map(|step| step.skip.clone()).collect();
    assert_eq!(
        reasons,
        [
            Some(unset.to_owned()),
            Some(format!("it needs step `login`, which is skipped ({unset})")),
            Some(format!("it needs step `list`, which is skipped ({unset})")),
            Some("later".to_owned()),
            None,
        ]
    );
}
