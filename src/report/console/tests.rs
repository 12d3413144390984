//! What a person reads.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use super::*;
use crate::{
    model::{CaseResult, Heard, Notification, Outcome, Report, Status},
    report::{Colour, Detail, Options, sample},
    run::{Event, Observer},
};

const PLAIN: Options = Options {
    detail: Detail::Normal,
    colour: Colour::Plain,
};
const VERBOSE: Options = Options {
    detail: Detail::Verbose,
    colour: Colour::Plain,
};

fn written(report: &Report, options: Options) -> String {
    let mut out = Vec::new();
    (REPORTER.write)(report, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn passed(count: usize) -> Vec<CaseResult> {
    (0..count)
        .map(|n| sample::case(&format!("evals/{n}.yaml"), "works", Status::Passed))
        .collect()
}

#[test]
fn one_of_everything() {
    insta::assert_snapshot!(written(&sample::rich(), PLAIN));
}

#[test]
fn one_of_everything_and_what_passed() {
    let text = written(&sample::rich(), VERBOSE);
    assert!(
        text.contains("✓ passed  evals/echo.yaml:1:7  echo works  412 ms (start-up 400 ms)\n"),
        "{text}"
    );
    assert!(
        text.contains("✓ passed  evals/draft.yaml:1:7  planned tool (simulation)\n"),
        "{text}"
    );
}

#[test]
fn what_the_server_said_besides_is_for_who_asks() {
    let mut cases = passed(1);
    cases[0].steps[0].heard = Some(Box::new(Heard {
        requests: vec!["elicitation/create".to_owned()],
        notifications: vec![Notification {
            method: "notifications/message".to_owned(),
            params: Some(r#"{"level":"info","data":"halfway"}"#.to_owned()),
        }],
    }));
    let report = sample::report(cases);
    assert!(!written(&report, PLAIN).contains("elicitation"));
    insta::assert_snapshot!(written(&report, VERBOSE), @r#"
    ✓ mcpvals: 1 case passed (3.2 s)

    ✓ passed  evals/0.yaml:1:7  works  412 ms (start-up 400 ms)

    during evals/0.yaml:10:9 › call the server
        asked for elicitation/create
        told notifications/message {"level":"info","data":"halfway"}
    "#);
}

#[test]
fn a_good_run_is_one_line() {
    assert_eq!(
        written(&sample::report(passed(48)), PLAIN),
        "✓ mcpvals: 48 cases passed (3.2 s)\n"
    );
}

#[test]
fn simulation_is_said_wherever_it_counts_and_nowhere_else() {
    let mut cases = passed(2);
    assert!(!written(&sample::report(passed(2)), VERBOSE).contains("simulat"));
    cases.push(sample::simulated());
    insta::assert_snapshot!(written(&sample::report(cases), VERBOSE), @r#"
    ✓ mcpvals: 3 cases passed, 1 in simulation (3.2 s)

    ✓ passed  evals/0.yaml:1:7  works  412 ms (start-up 400 ms)
    ✓ passed  evals/1.yaml:1:7  works  412 ms (start-up 400 ms)
    ✓ passed  evals/draft.yaml:1:7  planned tool (simulation)

    ✓ 3 cases: 3 passed, 0 failed, 0 errored, 0 skipped; 1 simulated
    "#);
}

#[test]
fn cases_that_could_not_begin_for_one_reason_are_told_once() {
    let cases = (0..9)
        .map(|n| sample::cannot_start(&format!("evals/{n}.yaml"), "starts"))
        .collect();
    insta::assert_snapshot!(written(&sample::report(cases), PLAIN), @r#"
    ! mcpvals: 9 of 9 cases errored (3.2 s)

    ! errored evals/0.yaml:1:7  starts
        cannot-start: command `no-such-server` was not found (not the server's fault)
        help: install it, or give its path in `server.command`
        the same in 8 more cases:
          evals/1.yaml:1:7  starts
          evals/2.yaml:1:7  starts
          evals/3.yaml:1:7  starts
          evals/4.yaml:1:7  starts
          evals/5.yaml:1:7  starts
          … and 3 more

    ! 9 cases: 0 passed, 0 failed, 9 errored, 0 skipped
    "#);
}

#[test]
fn hostile_text_is_harmless() {
    let text = written(&sample::report(vec![sample::hostile()]), VERBOSE);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}'));
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
}

#[test]
fn every_line_says_the_same_without_colour() {
    let coloured = Options {
        colour: Colour::Ansi,
        ..VERBOSE
    };
    let text = written(&sample::rich(), coloured);
    assert!(text.contains("\u{1b}["));
    assert_eq!(
        anstream::adapter::strip_str(&text).to_string(),
        written(&sample::rich(), VERBOSE)
    );
}

#[test]
fn a_long_output_is_cut_and_its_size_is_said() {
    let mut case = sample::failed();
    let broken = &mut case.steps[1];
    broken.output = Some(sample::output(&"abc def ghi\n".repeat(425)));
    broken.outcomes = vec![
        sample::outcome(
            "evals/notes.yaml",
            14,
            "output_contains",
            Status::Failed,
            "no `needle-one` in it",
        ),
        sample::outcome(
            "evals/notes.yaml",
            15,
            "output_matches",
            Status::Failed,
            "no `needle-two` in it",
        ),
        sample::outcome(
            "evals/notes.yaml",
            16,
            "tool_called",
            Status::Passed,
            "`search_notes` was called",
        ),
    ];
    insta::assert_snapshot!(written(&sample::report(vec![case]), PLAIN), @r#"
    ✗ mcpvals: 1 of 1 case failed (3.2 s)

    ✗ failed  evals/notes.yaml:14:9  notes are found › find
        tool search_notes, 3 ms: the newest note is found
        output_contains: no `needle-one` in it
        output_matches (line 15): no `needle-two` in it
        output: 4.9 KiB, beginning with
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ abc def ghi
          │ …
        1 other expectation held

    ✗ 1 case: 0 passed, 1 failed, 0 errored, 0 skipped
    "#);
}

#[test]
fn a_run_that_breaks_everywhere_stays_readable() {
    let long = "x".repeat(100_000);
    let broken = || {
        let mut case = sample::failed();
        case.steps[1].outcomes = (0..100)
            .map(|n| sample::outcome("evals/notes.yaml", n, "output_equals", Status::Failed, &long))
            .map(|outcome: Outcome| {
                outcome.difference(crate::model::Difference::Text {
                    expected: "y\n".repeat(100),
                    actual: "z\n".repeat(100),
                })
            })
            .collect();
        case
    };
    let text = written(&sample::report((0..120).map(|_| broken()).collect()), PLAIN);
    assert!(text.contains("… and 70 more failed cases: see `--json FILE`"));
    assert!(text.len() < 250_000, "{}", text.len());
}

#[test]
fn an_error_nobody_expected_is_said_once_and_what_could_not_hold_is_named() {
    let mut case = sample::failed();
    let broken = &mut case.steps[1];
    let said = "division by zero";
    broken.output = Some(crate::model::Output {
        is_error: true,
        ..sample::output(said)
    });
    let outcome =
        |line, key: &'static str, text: &str| sample::outcome("evals/notes.yaml", line, key, Status::Failed, text);
    broken.outcomes = vec![
        outcome(9, "is_error", "the tool reported an error: division by zero"),
        outcome(14, "output_matches", "no match in `division by zero`"),
        outcome(15, "schema_match", "not valid: `division by zero`"),
    ];
    case.earlier_attempts = sample::flaky().earlier_attempts;
    let text = written(&sample::report(vec![case]), PLAIN);
    assert_eq!(text.matches(said).count(), 1, "{text}");
    assert!(
        text.contains("    2 other expectations could not hold: output_matches (line 14), schema_match (line 15)\n"),
        "{text}"
    );
    let attempts = text.find("attempt 1").expect("they are told");
    let heading = text[..attempts].rfind("evals/notes.yaml:1:7  notes are found\n");
    assert!(heading.is_some(), "attempts are those of the case: {text}");
}

#[test]
fn the_line_that_names_the_error_is_shown_and_the_frames_are_not() {
    let mut case = sample::errored();
    let fault = case.steps.iter_mut().find_map(|step| step.error.as_mut());
    fault.expect("it has a fault").evidence = [
        "node:internal/modules/cjs/loader:1215",
        "  throw err;",
        "Error: Cannot find module '/srv/dist/indx.js'",
        "    at Module._resolveFilename (node:internal/modules/cjs/loader:1212:15)",
        "    at Module._load (node:internal/modules/cjs/loader:1043:27)",
        "    at node:internal/main/run_main_module:28:49 {",
        "  code: 'MODULE_NOT_FOUND',",
        "  requireStack: []",
        "}",
        "Node.js v20.11.1",
    ]
    .map(|line| format!("stderr: {line}"))
    .to_vec();
    let text = written(&sample::report(vec![case]), PLAIN);
    assert!(text.contains("Error: Cannot find module"), "{text}");
    assert_eq!(
        text.matches("    at ").count(),
        1,
        "only as many as there is room for: {text}"
    );
}

#[test]
fn each_line_of_a_message_has_a_line() {
    let mut case = sample::failed();
    let message = "the output is not valid against the schema in 2 places:\n  /a: not an integer\n  /b: ::error::no";
    case.steps[1].outcomes = vec![sample::outcome(
        "evals/notes.yaml",
        14,
        "schema_match",
        Status::Failed,
        message,
    )];
    case.steps[1].output = None;
    insta::assert_snapshot!(written(&sample::report(vec![case]), PLAIN), @r"
    ✗ mcpvals: 1 of 1 case failed (3.2 s)

    ✗ failed  evals/notes.yaml:14:9  notes are found › find
        tool search_notes, 3 ms: the newest note is found
        schema_match: the output is not valid against the schema in 2 places:
            /a: not an integer
            /b: ::error::no

    ✗ 1 case: 0 passed, 1 failed, 0 errored, 0 skipped
    ");
}

#[test]
fn a_failed_step_of_an_errored_case_is_called_failed() {
    let mut case = sample::errored();
    case.steps.insert(0, sample::failed().steps.swap_remove(1));
    let text = written(&sample::report(vec![case]), PLAIN);
    assert!(
        text.contains("✗ failed  evals/notes.yaml:14:9  survives › find"),
        "{text}"
    );
    assert!(
        text.contains("! errored evals/crash.yaml:10:9  survives › explode"),
        "{text}"
    );
    assert_eq!(
        text.matches("not run: `after`").count(),
        1,
        "said where it happened: {text}"
    );
}

#[test]
fn a_run_that_could_not_tell_says_so_first() {
    let mut report = sample::report(Vec::new());
    report.verdict.exit_code = crate::model::ExitCode::CouldNotTell;
    assert_eq!(
        written(&report, PLAIN),
        "! mcpvals: nothing ran: no fixture was found (3.2 s)\n"
    );
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn live(options: Options) -> String {
    live_of(&sample::rich().cases, options)
}

fn live_of(cases: &[CaseResult], options: Options) -> String {
    let log = Log::default();
    let console = LiveConsole::lines(Box::new(log.clone()), options);
    console.on_event(Event::RunStarted {
        cases: cases.len(),
        concurrency: 4,
    });
    for result in cases {
        console.on_event(Event::CaseStarted { id: &result.id });
        console.on_event(Event::CaseFinished { result });
    }
    console.on_event(Event::RunFinished);
    let text = log.0.lock().unwrap().clone();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_log_says_how_far_a_long_run_is_and_leaves_the_rest_to_the_report() {
    assert_eq!(live(PLAIN), "running 8 cases, up to 4 at a time\n");
    let cases: Vec<CaseResult> = (0..40).map(|_| sample::failed()).collect();
    let text = live_of(&cases, PLAIN);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10, "{text}");
    assert_eq!(
        lines[..2],
        [
            "running 40 cases, up to 4 at a time",
            "4 of 40 cases done, 4 not passed"
        ]
    );
}

#[test]
fn a_verbose_log_gets_a_line_for_each_case() {
    assert_eq!(live(VERBOSE).lines().count(), 1 + sample::rich().cases.len());
}

#[test]
fn a_comparison_is_told_after_what_did_not_pass() {
    let mut report = sample::report(vec![sample::simulated()]);
    report.comparison = Some(sample::comparison());
    insta::assert_snapshot!("compared", written(&report, PLAIN));
}
