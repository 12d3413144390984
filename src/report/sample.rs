//! Reports built by hand, for the tests of every format.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde_json::json;

use crate::{
    compare::{self, Ending, Evidence},
    model::{
        Attempt, BaselineOrigin, CaseChange, CaseComparison, CaseId, CaseResult, ChangeClass, Comparison, Definition,
        Difference, ExitCode, Fault, FaultKind, Finding, Heard, LatencyChange, Mode, Notification, Outcome, Output,
        OutputChange, Phase, Policy, Report, Selection, ServerIdentity, Status, StepResult, SurfaceChange,
        SurfaceComparison, Verdict, Witness,
    },
    source::{Diagnostic, Location, SourceFile, Span},
};

/// Text that attacks every sink: colour codes, NUL, bidirectional override, CDATA end, XML and HTML.
pub(super) const HOSTILE: &str =
    "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title \0 \u{b} \u{fffe} \u{202e}evil ]]> <script>alert(1)</script> & \"quotes\"";

pub(super) fn location(file: &str, line: u32, column: u32) -> Location {
    Location {
        file: Arc::from(file),
        span: Span {
            start: 0,
            end: 0,
            line,
            column,
        },
    }
}

/// A case that passed in 12 ms with one step of 3.4 ms.
pub(super) fn case(file: &str, name: &str, status: Status) -> CaseResult {
    CaseResult {
        id: CaseId::new(file, name),
        name: name.to_owned(),
        description: None,
        tags: Vec::new(),
        location: location(file, 1, 7),
        definition: Definition::default(),
        mode: Mode::Live,
        status,
        reason: None,
        is_reached: true,
        duration: Duration::from_micros(412_345),
        startup: Some(Duration::from_millis(400)),
        server: Some(Box::new(ServerIdentity {
            name: "demo".to_owned(),
            version: "1.0.0".to_owned(),
            protocol: "2025-11-25".to_owned(),
        })),
        fault: None,
        steps: vec![step(file, "call", "echo", status)],
        earlier_attempts: Vec::new(),
        passes: None,
        findings: Vec::new(),
    }
}

pub(super) fn step(file: &str, id: &str, tool: &str, status: Status) -> StepResult {
    StepResult {
        id: id.to_owned(),
        description: None,
        tool: tool.to_owned(),
        location: location(file, 10, 9),
        status,
        reason: None,
        duration: Duration::from_micros(3_400),
        samples: Vec::new(),
        output: Some(output("echo: hello")),
        error: None,
        heard: None,
        outcomes: vec![outcome(file, 15, "output_contains", Status::Passed, "contains `hello`")],
    }
}

pub(super) fn output(text: &str) -> Output {
    Output {
        text: text.to_owned(),
        bytes: text.len(),
        is_error: false,
    }
}

pub(super) fn outcome(file: &str, line: u32, assertion: &'static str, status: Status, message: &str) -> Outcome {
    Outcome {
        location: Some(location(file, line, 9)),
        ..Outcome::new(assertion, status, message)
    }
}

/// A report of these cases, with the verdict that the gate gives.
pub(super) fn report(cases: Vec<CaseResult>) -> Report {
    let selection = Selection {
        found: cases.len(),
        selected: cases.len(),
        narrowed_by: Vec::new(),
    };
    let evidence = Evidence {
        cases: &cases,
        diagnostics: &[],
        ending: &Ending::Complete,
        selection: &selection,
        comparison: None,
        stale: &[],
    };
    Report {
        started_at: SystemTime::UNIX_EPOCH + Duration::from_millis(1_796_052_896_789),
        duration: Duration::from_millis(3_210),
        verdict: compare::verdict(&evidence, &Policy::default()),
        totals: compare::totals(&cases),
        selection,
        cases,
        diagnostics: Vec::new(),
        comparison: None,
        coverage: Vec::new(),
        notes: Vec::new(),
    }
}

/// One of everything.
pub(super) fn rich() -> Report {
    let mut report = report(vec![
        CaseResult {
            description: Some("echoes what it is told".to_owned()),
            tags: vec!["smoke".to_owned()],
            findings: vec![noise()],
            ..case("evals/echo.yaml", "echo works", Status::Passed)
        },
        failed(),
        errored(),
        cannot_start("evals/typo-in-command.yaml", "starts"),
        flaky(),
        simulated(),
        skipped(),
        hostile(),
    ]);
    report.diagnostics = vec![unknown_key(), no_output()];
    report.verdict = Verdict {
        exit_code: ExitCode::InputWrong,
        reason: "1 error in the files; 2 of 8 cases failed, 2 errored, 1 flaky".to_owned(),
    };
    report.selection = Selection {
        found: 12,
        selected: 8,
        narrowed_by: vec!["--tag smoke".to_owned()],
    };
    report.notes = vec!["sharing one server (`server_scope: run`) would have saved about 2.4 s".to_owned()];
    report
}

/// Two broken expectations of five, a text difference, a JSON difference, and a later step that was run all the same.
pub(super) fn failed() -> CaseResult {
    let file = "evals/notes.yaml";
    let found = "first note\nsecond note\nthird note\n";
    let broken = StepResult {
        description: Some("the newest note is found".to_owned()),
        output: Some(output(found)),
        heard: None,
        outcomes: vec![
            outcome(file, 13, "tool_called", Status::Passed, "`search_notes` was called"),
            outcome(
                file,
                14,
                "output_equals",
                Status::Failed,
                "expected and found differ in 1 line",
            )
            .difference(Difference::Text {
                expected: "first note\nsecond nota\nthird note\n".to_owned(),
                actual: found.to_owned(),
            }),
            outcome(
                file,
                17,
                "schema_match",
                Status::Failed,
                "`/items/0/id` is a string, expected an integer",
            )
            .difference(Difference::Json {
                expected: json!({ "items": [{ "id": 41 }], "total": 1 }),
                actual: json!({ "items": [{ "id": "41" }], "total": 1 }),
            }),
        ],
        ..step(file, "find", "search_notes", Status::Failed)
    };
    CaseResult {
        steps: vec![
            step(file, "add", "add_note", Status::Passed),
            broken,
            step(file, "delete", "delete_note", Status::Passed),
        ],
        ..case(file, "notes are found", Status::Failed)
    }
}

/// The server died in the first call.
pub(super) fn errored() -> CaseResult {
    let file = "evals/crash.yaml";
    let fault = Fault::server(
        FaultKind::Exited,
        Phase::Call,
        "the server ended while `boom` was being called",
    )
    .help("run the server by hand and call the tool")
    .evidence(
        ["exit status 1".to_owned()]
            .into_iter()
            .chain((1..=20).map(|n| format!("Traceback line {n}"))),
    );
    CaseResult {
        steps: vec![
            StepResult {
                output: None,
                error: Some(Box::new(fault)),
                heard: None,
                outcomes: Vec::new(),
                ..step(file, "explode", "boom", Status::Errored)
            },
            not_run(file, "after", "echo", "not run: step `explode` gave no result"),
        ],
        ..case(file, "survives", Status::Errored)
    }
}

/// A case whose server could not be started.
pub(super) fn cannot_start(file: &str, name: &str) -> CaseResult {
    CaseResult {
        startup: None,
        server: None,
        fault: Some(Box::new(
            Fault::surroundings(
                FaultKind::CannotStart,
                Phase::Start,
                "command `no-such-server` was not found",
            )
            .help("install it, or give its path in `server.command`"),
        )),
        steps: vec![not_run(file, "call", "echo", "the server could not be used")],
        ..case(file, name, Status::Errored)
    }
}

fn not_run(file: &str, id: &str, tool: &str, reason: &str) -> StepResult {
    StepResult {
        reason: Some(reason.to_owned()),
        duration: Duration::ZERO,
        output: None,
        heard: None,
        outcomes: Vec::new(),
        ..step(file, id, tool, Status::Skipped)
    }
}

pub(super) fn flaky() -> CaseResult {
    CaseResult {
        earlier_attempts: vec![
            Attempt {
                status: Status::Failed,
                duration: Duration::from_millis(20),
                message: "step `call`: output_contains: expected `hello`, found an empty output".to_owned(),
            },
            Attempt {
                status: Status::Errored,
                duration: Duration::from_secs(5),
                message: "step `call`: no answer within 5 s".to_owned(),
            },
        ],
        findings: vec![noise()],
        ..case("evals/slow.yaml", "answers in the end", Status::Flaky)
    }
}

pub(super) fn simulated() -> CaseResult {
    CaseResult {
        mode: Mode::Simulated,
        startup: None,
        server: None,
        ..case("evals/draft.yaml", "planned tool", Status::Passed)
    }
}

pub(super) fn skipped() -> CaseResult {
    CaseResult {
        reason: Some("`GITHUB_TOKEN` is not set".to_owned()),
        duration: Duration::ZERO,
        startup: None,
        server: None,
        steps: Vec::new(),
        ..case("evals/github.yaml", "lists issues", Status::Skipped)
    }
}

/// Hostile words in every place that a server or a fixture can fill.
pub(super) fn hostile() -> CaseResult {
    let file = "evals/hostile.yaml";
    CaseResult {
        steps: vec![StepResult {
            output: Some(output(HOSTILE)),
            heard: Some(Box::new(Heard {
                requests: vec![HOSTILE.to_owned()],
                notifications: vec![Notification {
                    method: HOSTILE.to_owned(),
                    params: Some(json!({"data": HOSTILE}).to_string()),
                }],
            })),
            outcomes: vec![
                outcome(
                    file,
                    15,
                    "output_equals",
                    Status::Failed,
                    &format!("found `{HOSTILE}`\n::error::second line"),
                )
                .difference(Difference::Text {
                    expected: "fine\n".to_owned(),
                    actual: HOSTILE.to_owned(),
                }),
            ],
            ..step(file, "call", "echo", Status::Failed)
        }],
        findings: vec![Finding::new("stdout-noise", HOSTILE)],
        ..case(file, HOSTILE, Status::Failed)
    }
}

fn noise() -> Finding {
    Finding::new("stdout-noise", "2 lines on stdout were not JSON-RPC: `listening…`")
}

fn unknown_key() -> Diagnostic {
    let source = SourceFile::new("evals/broken/typo.yaml", "name: typo\nstpes: []\n");
    let span = source.span(11, 16);
    Diagnostic::error("unknown-key", "unknown key `stpes`")
        .at(&source, span)
        .help("did you mean `steps`?")
}

fn no_output() -> Diagnostic {
    let source = SourceFile::new("evals/draft.yaml", "name: planned tool\n");
    let span = source.span(6, 18);
    Diagnostic::warning("no-expected-output", "step `call` has no `expected_output`").at(&source, span)
}

/// One of every change, against a baseline of the default branch.
pub(super) fn comparison() -> Comparison {
    Comparison {
        baseline: BaselineOrigin {
            place: "main.json".to_owned(),
            chosen: "the file that was named".to_owned(),
            commit: Some("abc1234def5678".to_owned()),
        },
        cases: case_comparisons(),
        surfaces: vec![SurfaceComparison {
            server: "node dist/index.js".to_owned(),
            changes: surface_changes(),
            notice: None,
        }],
        notices: vec!["latencies were not compared".to_owned()],
    }
}

fn case_comparison(
    file: &str,
    name: &str,
    change: CaseChange,
    was: Option<Status>,
    now: Option<Status>,
) -> CaseComparison {
    CaseComparison {
        id: CaseId::new(file, name),
        change,
        was,
        now,
        reason: None,
        renamed_from: None,
        outputs: Vec::new(),
        latencies: Vec::new(),
    }
}

fn case_comparisons() -> Vec<CaseComparison> {
    let (passed, failed) = (Some(Status::Passed), Some(Status::Failed));
    let mut cases = vec![
        case_comparison("evals/echo.yaml", "echo works", CaseChange::Changed, passed, passed),
        case_comparison(
            "evals/notes.yaml",
            "notes are found",
            CaseChange::Regressed,
            passed,
            failed,
        ),
        case_comparison(
            "evals/crash.yaml",
            "survives",
            CaseChange::StillFailing,
            failed,
            Some(Status::Errored),
        ),
        case_comparison(
            "evals/typo-in-command.yaml",
            "starts",
            CaseChange::NotComparable,
            passed,
            Some(Status::Errored),
        ),
        case_comparison(
            "evals/slow.yaml",
            "answers in the end",
            CaseChange::Fixed,
            failed,
            Some(Status::Flaky),
        ),
        case_comparison("evals/draft.yaml", "planned tool", CaseChange::Unchanged, None, passed),
        case_comparison(
            "evals/github.yaml",
            "lists issues",
            CaseChange::NotComparable,
            passed,
            Some(Status::Skipped),
        ),
        case_comparison("evals/hostile.yaml", HOSTILE, CaseChange::New, None, failed),
        case_comparison("evals/old.yaml", "is gone", CaseChange::Removed, passed, None),
    ];
    cases[0].outputs = vec![OutputChange {
        step: "call".to_owned(),
        difference: Some(Difference::Text {
            expected: "echo: hello\n".to_owned(),
            actual: "echo: hello!\n".to_owned(),
        }),
    }];
    cases[0].latencies = vec![LatencyChange {
        step: "call".to_owned(),
        was: Duration::from_millis(120),
        now: Duration::from_millis(310),
    }];
    cases[3].reason = Some("it could not be told, and not for the server's fault".to_owned());
    cases[6].reason = Some("it is skipped now: `GITHUB_TOKEN` is not set".to_owned());
    cases
}

fn surface_changes() -> Vec<SurfaceChange> {
    let change = |rule: &'static str, class, subject: &str, path: &str, message: &str| SurfaceChange {
        rule: rule.into(),
        class,
        is_model_visible: class == ChangeClass::Risky,
        subject: subject.to_owned(),
        path: path.to_owned(),
        message: message.to_owned(),
        witness: None,
        fingerprint: "0123456789ab".to_owned(),
        allowed: None,
    };
    let mut changes = vec![
        change(
            "in-required-added",
            ChangeClass::Breaking,
            "tool `search`",
            "inputSchema.properties.limit",
            "a new required property `limit`",
        ),
        change(
            "tool-description-changed",
            ChangeClass::Risky,
            "tool `fetch`",
            "description",
            HOSTILE,
        ),
        change(
            "tool-added",
            ChangeClass::Compatible,
            "tool `search_v2`",
            "",
            "the tool is new",
        ),
    ];
    changes[0].witness = Some(Witness {
        value: json!({ "query": "milk" }),
        case: Some("evals/notes.yaml › notes are found › find".to_owned()),
    });
    changes
}
