//! Our side: the library's session and runner, and the binary as a whole.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use mcpvals::{
    baseline::Found,
    compare::{self, comparison},
    mcp::{Session, SessionOptions},
    model::{
        Baseline, BaselineCase, BaselineOrigin, CaseChange, CaseId, CaseResult, Definition, Launch, Mode, Reply,
        ServerSpec, Status, StdioSpec, TimeLimit,
    },
    parse::{self, Project},
    plan::{Compiler, Environment, Plan, Settings},
    run::{Event, Observer, OnFailure, Redactor, RunOptions, Stop, execute},
    schema::v1::{read_baseline, write_baseline},
    source::{Location, SourceFile, Span},
    text::Date,
};
use serde_json::json;

use crate::{fixtures, table::Row};

const LIMIT: Duration = Duration::from_secs(30);

/// The time of `count` calls, one after the other, on one session.
pub async fn calls(count: usize) -> Duration {
    let spec = ServerSpec::Stdio(StdioSpec {
        launch: Launch {
            command: std::env::current_exe()
                .expect("this program has a path")
                .display()
                .to_string(),
            args: vec!["serve".to_owned()],
            env: BTreeMap::new(),
            cwd: None,
        },
        startup_timeout: None,
    });
    let options = SessionOptions {
        startup_timeout: TimeLimit::new(LIMIT, "the bench"),
        message_limit: 1 << 20,
        recorder: None,
    };
    let session = Session::open(&spec, options).await.expect("the server starts");
    let arguments = json!({ "message": "hello" });
    let arguments = arguments.as_object().expect("it is an object");
    let began = Instant::now();
    for _ in 0..count {
        let answer = session
            .call_tool("echo", arguments, LIMIT)
            .await
            .expect("the server answers");
        assert!(matches!(answer.reply, Reply::Result(result) if result.output == "hello"));
    }
    let took = began.elapsed();
    session.close().await;
    took
}

/// The time of `count` cases of one call each on one server that the run shares.
pub async fn shared_cases(count: usize, concurrency: usize) -> Duration {
    cases(count, "run", concurrency).await
}

/// The time of `count` cases of one call each, each with a server of its own.
pub async fn fresh_cases(count: usize, concurrency: usize) -> Duration {
    cases(count, "case", concurrency).await
}

async fn cases(count: usize, scope: &str, concurrency: usize) -> Duration {
    let plan = plan(count, scope);
    let options = RunOptions {
        concurrency,
        startup_timeout: TimeLimit::new(LIMIT, "the bench"),
        max_time: None,
        on_failure: OnFailure::GoOn,
        repeat: 1,
        has_surfaces: false,
        transcript: None,
    };
    let began = Instant::now();
    let executed = execute(
        plan,
        &Environment::default(),
        Redactor::default(),
        &options,
        Arc::new(Silent),
        Stop::default(),
    )
    .await
    .expect("no file is needed");
    assert!(executed.cases.iter().all(|case| case.status == Status::Passed));
    executed.servers.shut_down().await;
    began.elapsed()
}

fn plan(count: usize, scope: &str) -> Plan {
    let (project, environment, settings) = (Project::default(), Environment::default(), Settings::default());
    let mut compiler = Compiler::new(&project, &environment, &settings);
    (0..count)
        .map(|number| {
            let source = SourceFile::new(format!("evals/{number}.yaml"), fixtures::one_call(number, scope));
            let case = parse::fixture(&source).value.expect("the fixture is right");
            Box::new(compiler.compile(&source, &case).0.expect("the fixture is right"))
        })
        .collect()
}

/// The time of comparing as many cases with their baseline, read from its text.
pub fn compared(count: usize) -> Duration {
    let number = |number: usize| format!("evals/{number}.yaml › case {number}");
    let cases = (0..count).map(|at| BaselineCase {
        id: CaseId::from(number(at)),
        definition: Definition(at as u64),
        status: Status::Passed,
        attempts: 1,
        protocol: None,
        steps: Vec::new(),
    });
    let baseline = Baseline {
        commit: None,
        tool_version: "1".to_owned(),
        environment: "here".to_owned(),
        servers: BTreeMap::new(),
        cases: cases.collect(),
    };
    let text = write_baseline(&baseline);
    let run: Vec<CaseResult> = (0..count).map(|at| result(number(at), at)).collect();
    let began = Instant::now();
    let baseline = read_baseline(&text).expect("it was just written");
    let origin = BaselineOrigin {
        place: "the bench".to_owned(),
        chosen: "it was just made".to_owned(),
        commit: None,
    };
    let run = compare::Run {
        cases: &run,
        servers: &[],
        is_whole: true,
        allowances: &[],
        today: Date::default(),
    };
    let comparison = comparison(&run, &Found::Usable(Box::new(baseline), origin)).expect("there is a baseline");
    assert!(comparison.cases.iter().all(|one| one.change == CaseChange::Unchanged));
    began.elapsed()
}

fn result(id: String, number: usize) -> CaseResult {
    CaseResult {
        id: CaseId::from(id),
        name: format!("case {number}"),
        description: None,
        tags: Vec::new(),
        location: Location {
            file: "evals".into(),
            span: Span::default(),
        },
        definition: Definition(number as u64),
        mode: Mode::Live,
        status: Status::Passed,
        reason: None,
        is_reached: true,
        duration: Duration::ZERO,
        startup: None,
        server: None,
        fault: None,
        steps: Vec::new(),
        earlier_attempts: Vec::new(),
        passes: None,
        findings: Vec::new(),
    }
}

struct Silent;

impl Observer for Silent {
    fn on_event(&self, _: Event<'_>) {}
}

/// Figures of the binary, this build's or the one that `BINARY` names: memory and time of many simulated cases, start-up,
/// size.
pub fn binary(cases: usize) -> Vec<Row> {
    let named = std::env::var_os("BINARY");
    let binary = named
        .as_deref()
        .map_or(Path::new(env!("CARGO_BIN_EXE_mcpvals")), Path::new);
    let folder = tempfile::tempdir().expect("a folder can be made");
    for number in 0..cases {
        let file = folder.path().join(format!("{number:05}.yaml"));
        fs::write(file, fixtures::simulated(number)).expect("a fixture can be written");
    }
    let began = Instant::now();
    let status = Command::new(binary)
        .arg("run")
        .arg(folder.path())
        .env("HOME", folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the binary starts");
    let took = began.elapsed();
    assert!(status.success(), "the simulated cases passed");
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).expect("usage is known");
    let size = binary.metadata().expect("the binary is there").len();
    vec![
        Row::figure(
            &format!("peak memory of {cases} simulated cases"),
            format!("{} MiB", usage.max_rss() / 1024),
            "< 25 MiB",
        ),
        Row::figure(&format!("{cases} simulated cases"), format!("{took:.2?}"), "seconds"),
        Row::figure("--version", format!("{:.2?}", version(binary)), "< 10 ms"),
        Row::figure("size of the binary", format!("{} MB", size / 1_000_000), "< 16 MB"),
    ]
}

fn version(binary: &Path) -> Duration {
    (0..20)
        .map(|_| {
            let began = Instant::now();
            let status = Command::new(binary).arg("--version").stdout(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()), "--version works");
            began.elapsed()
        })
        .min()
        .unwrap_or_default()
}
