//! Steps that are skipped because of another one.

use super::plan;

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
