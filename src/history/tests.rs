//! Histories in files of their own.

use std::{fs, path::PathBuf, time::Duration, time::SystemTime};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{Checkout, Circumstances, History, HistoryError, append, format};
use crate::{
    compare::{self, Ending, Evidence},
    model::{
        CaseId, CaseResult, Definition, Fault, FaultKind, Mode, Outcome, Output, Phase, Policy, Report, Selection,
        Status, StepResult,
    },
    schema::v1,
    source::{Location, Span},
};

/// A folder with a place for a history in it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("deep/er/evals.db")
    }

    fn history(&self) -> History {
        History::open(&self.file()).expect("it can be opened")
    }

    fn database(&self) -> Connection {
        Connection::open(self.file()).expect("it can be opened")
    }

    fn with(&self, content: &[u8]) {
        fs::create_dir_all(self.file().parent().expect("it has a folder")).expect("it can be made");
        fs::write(self.file(), content).expect("it can be written");
    }

    fn refusal(&self) -> String {
        let before = fs::read(self.file()).expect("it is there");
        let error = History::open(&self.file()).expect_err("it is refused");
        assert_eq!(
            fs::read(self.file()).expect("it is there"),
            before,
            "it is left as it was"
        );
        let reading = History::open_existing(&self.file()).expect_err("it is refused");
        assert_eq!(error.to_string(), reading.to_string());
        error.to_string().replace(&self.file().display().to_string(), "PATH")
    }
}

fn location() -> Location {
    Location {
        file: "evals/a.yaml".into(),
        span: Span::default(),
    }
}

fn case(name: &str, status: Status) -> CaseResult {
    let step = StepResult {
        id: "call".to_owned(),
        description: None,
        tool: "echo".to_owned(),
        location: location(),
        status,
        reason: None,
        duration: Duration::from_millis(3),
        samples: Vec::new(),
        output: Some(Output {
            text: "ä".repeat(10_000),
            bytes: 70_000,
            is_error: false,
        }),
        error: None,
        heard: None,
        outcomes: vec![Outcome::new("output_contains", status, "expected `x`")],
    };
    CaseResult {
        id: CaseId::new("evals/a.yaml", name),
        name: name.to_owned(),
        description: None,
        tags: Vec::new(),
        location: location(),
        definition: Definition::default(),
        mode: Mode::Simulated,
        status,
        reason: None,
        is_reached: true,
        duration: Duration::from_millis(5),
        startup: None,
        server: None,
        fault: None,
        steps: vec![step],
        earlier_attempts: Vec::new(),
        passes: None,
        findings: Vec::new(),
    }
}

fn report(cases: Vec<CaseResult>) -> Report {
    let selection = Selection {
        found: cases.len(),
        selected: cases.len(),
        narrowed_by: vec!["--tag x".to_owned()],
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
        started_at: SystemTime::UNIX_EPOCH,
        duration: Duration::from_millis(7),
        verdict: compare::verdict(&evidence, &Policy::default()),
        totals: compare::totals(&cases),
        cases,
        diagnostics: Vec::new(),
        comparison: None,
        coverage: Vec::new(),
        selection,
        notes: Vec::new(),
    }
}

fn circumstances() -> Circumstances {
    Circumstances {
        folder: "/home/me/notes".into(),
        suite: "notes/evals".to_owned(),
        fixtures: [("evals/a.yaml".to_owned(), "f00d".to_owned())].into(),
        ..Circumstances::default()
    }
}

fn record(history: &mut History, keep: usize) -> i64 {
    let report = report(vec![case("a", Status::Passed)]);
    history
        .record(&report, &circumstances(), keep)
        .expect("it can be written")
}

#[test]
fn what_is_recorded_can_be_read() {
    let place = Place::new();
    let mut history = place.history();
    let errored = CaseResult {
        fault: Some(Box::new(Fault::server(
            FaultKind::Timeout,
            Phase::Initialize,
            "no answer",
        ))),
        ..case("c", Status::Errored)
    };
    let cases = vec![case("a", Status::Passed), case("b", Status::Failed), errored];
    let id = history
        .record(&report(cases), &circumstances(), 10)
        .expect("it can be written");
    let run = history.run(id).expect("it can be read").expect("it is there");
    assert_eq!(run.started_at, "1970-01-01T00:00:00.000Z");
    assert_eq!((run.suite.as_str(), run.exit_code), ("notes/evals", 1));
    assert_eq!((run.totals.cases, run.totals.passed, run.totals.simulated), (3, 1, 3));
    assert_eq!(run.selection.narrowed_by, ["--tag x"]);
    let cases = history.cases(id).expect("it can be read");
    let why: Vec<_> = cases.iter().map(|case| (case.status, case.why.as_deref())).collect();
    let expected = [
        (v1::Status::Passed, None),
        (v1::Status::Failed, Some("step `call`: output_contains: expected `x`")),
        (v1::Status::Errored, Some("timeout: no answer")),
    ];
    assert_eq!(why, expected);
    assert_eq!(cases[0].mode, v1::Mode::Simulated);

    let recorded = history.recorded(run).expect("it can be read");
    let (good, bad) = (&recorded.cases[0], &recorded.cases[2]);
    assert_eq!(good.fixture_hash.as_deref(), Some("f00d"));
    let step = &good.steps[0];
    assert_eq!(
        step.output.as_ref().map(String::len),
        Some(16 * 1024),
        "outputs have a bound"
    );
    assert_eq!(step.output_bytes, Some(70_000), "and say how long they were");
    assert_eq!(step.outcomes[0].assertion, "output_contains");
    assert_eq!(bad.error.as_ref().map(|fault| fault.kind.as_ref()), Some("timeout"));
}

#[test]
fn the_oldest_runs_go_first_and_orphans_with_them() {
    let place = Place::new();
    let mut history = place.history();
    for _ in 0..3 {
        record(&mut history, 10);
    }
    let strangers = place.database();
    strangers
        .execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM run WHERE id = 2;")
        .expect("it can be deleted");
    assert_eq!(record(&mut history, 2), 4);
    let kept: Vec<i64> = history
        .runs(10)
        .expect("it can be read")
        .iter()
        .map(|run| run.id)
        .collect();
    assert_eq!(kept, [4, 3]);
    for table in ["run_case", "run_step", "run_outcome"] {
        let count = format!("SELECT count(*) FROM {table}");
        let count: i64 = strangers
            .query_row(&count, [], |row| row.get(0))
            .expect("it can be counted");
        assert_eq!(count, 2, "{table}");
    }
}

#[test]
fn a_number_is_never_used_twice() {
    let place = Place::new();
    let mut history = place.history();
    record(&mut history, 1);
    place
        .database()
        .execute("DELETE FROM run", [])
        .expect("it can be deleted");
    assert_eq!(record(&mut history, 1), 2);
}

#[test]
fn reading_creates_nothing() {
    let place = Place::new();
    assert!(History::open_existing(&place.file()).expect("that is fine").is_none());
    assert!(!place.file().exists());
    place.with(b"");
    assert!(History::open_existing(&place.file()).expect("that is fine").is_none());
}

#[test]
fn what_is_no_history_is_left_alone() {
    let place = Place::new();
    for content in ["hello\n".to_owned(), "name: a fixture\n".repeat(1000)] {
        place.with(content.as_bytes());
        let message = place.refusal();
        assert!(message.starts_with("`PATH` is no SQLite database"), "{message}");
    }
    place.with(b"");
    place
        .database()
        .execute_batch("CREATE TABLE bookmark (url TEXT);")
        .expect("it is empty");
    let message = place.refusal();
    assert!(
        message.starts_with("`PATH` is a database, but no history of mcpvals"),
        "{message}"
    );
}

#[test]
fn a_newer_format_is_refused() {
    let place = Place::new();
    record(&mut place.history(), 10);
    place
        .database()
        .pragma_update(None, "user_version", 7)
        .expect("it can be written");
    let error = History::open(&place.file()).expect_err("it is refused");
    assert!(
        matches!(error, HistoryError::Newer { found: 7, known: 1, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("update mcpvals"), "{error}");
}

#[test]
fn a_damaged_history_says_so() {
    let place = Place::new();
    record(&mut place.history(), 10);
    let mut bytes = fs::read(place.file()).expect("it is there");
    bytes[100..].fill(0x5a);
    fs::write(place.file(), &bytes).expect("it can be written");
    let mut history = place.history();
    let written = history.record(&report(Vec::new()), &circumstances(), 10);
    for error in [
        written.expect_err("it is damaged"),
        history.runs(1).expect_err("it is damaged"),
    ] {
        assert!(error.to_string().contains("damaged"), "{error}");
    }
    assert_eq!(
        fs::read(place.file()).expect("it is there"),
        bytes,
        "it is left as it was"
    );
}

#[test]
fn an_older_format_becomes_the_newest_at_once_or_not_at_all() {
    let mut database = Connection::open_in_memory().expect("there is memory");
    let first = "CREATE TABLE run (id INTEGER PRIMARY KEY); INSERT INTO run VALUES (1);";
    format::migrate(&mut database, &[first]).expect("it is empty");
    let broken = "ALTER TABLE run ADD COLUMN suite TEXT; SELECT nonsense;";
    format::migrate(&mut database, &[first, broken]).expect_err("it is broken");
    assert_eq!(format::kind(&database).expect("it can be read"), format::Kind::Ours(1));
    let second = "ALTER TABLE run ADD COLUMN suite TEXT DEFAULT 'x';";
    format::migrate(&mut database, &[first, second]).expect("that is right");
    assert_eq!(format::kind(&database).expect("it can be read"), format::Kind::Ours(2));
    let suite: String = database
        .query_row("SELECT suite FROM run", [], |row| row.get(0))
        .expect("it was kept");
    assert_eq!(suite, "x");
}

const EVAL_RUNNER: &str = "
CREATE TABLE runs (id TEXT PRIMARY KEY, suite_name TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER,
                   total_cases INTEGER, passed INTEGER, failed INTEGER, format TEXT);
CREATE TABLE case_results (id TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (id), case_name TEXT NOT NULL,
                           status TEXT NOT NULL, duration_ms INTEGER, error_message TEXT, assertions_json TEXT,
                           created_at INTEGER);
INSERT INTO runs VALUES ('later', 'default', 2000, 2500, 3, 1, 2, 'console'), ('earlier', 'default', 1000, NULL, 1, 1, 0, 'json');
INSERT INTO case_results VALUES
    ('1', 'later', 'a', 'pass', 10, NULL, '[]', 2001), ('2', 'later', 'b', 'fail', 20, NULL, '[]', 2002),
    ('3', 'later', 'c', 'error', 30, 'no answer', '[]', 2003), ('4', 'earlier', 'a', 'pass', 10, NULL, '[]', 1001);
";

#[test]
fn the_runs_of_mcp_eval_runner_are_taken_over_and_left_in_place() {
    let place = Place::new();
    place.with(b"");
    place.database().execute_batch(EVAL_RUNNER).expect("it is empty");
    let history = History::open_existing(&place.file())
        .expect("it can be used")
        .expect("it is there");
    let runs = history.runs(10).expect("it can be read");
    let seen: Vec<_> = runs
        .iter()
        .map(|run| (run.id, run.started_at.as_str(), run.exit_code))
        .collect();
    assert_eq!(
        seen,
        [(2, "1970-01-01T00:00:02.000Z", 1), (1, "1970-01-01T00:00:01.000Z", 0)]
    );
    let totals = runs[0].totals;
    assert_eq!(
        (totals.cases, totals.passed, totals.failed, totals.errored),
        (3, 1, 1, 1)
    );
    let cases = history.cases(2).expect("it can be read");
    let cases: Vec<_> = cases
        .iter()
        .map(|case| (case.id.as_str(), case.status, case.why.as_deref()))
        .collect();
    let expected = [
        ("a", v1::Status::Passed, None),
        ("b", v1::Status::Failed, None),
        ("c", v1::Status::Errored, Some("no answer")),
    ];
    assert_eq!(cases, expected);
    assert_eq!(record(&mut place.history(), 10), 3, "once, not with every opening");
    let theirs: i64 = place
        .database()
        .query_row("SELECT count(*) FROM runs", [], |row| row.get(0))
        .expect("their tables are there");
    assert_eq!(theirs, 2);
}

#[test]
fn a_file_that_may_not_be_written_says_so() {
    let place = Place::new();
    let mut history = place.history();
    history
        .connection
        .pragma_update(None, "query_only", true)
        .expect("it can be set");
    let error = history
        .record(&report(Vec::new()), &circumstances(), 10)
        .expect_err("it may not");
    assert!(error.to_string().ends_with("is read-only"), "{error}");
}

#[test]
fn a_full_disk_loses_only_the_run_that_did_not_fit() {
    let place = Place::new();
    let mut history = place.history();
    record(&mut history, 10);
    let pages: i64 = history
        .connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .expect("it can be read");
    history
        .connection
        .pragma_update(None, "max_page_count", pages)
        .expect("it can be set");
    let report = report((0..50).map(|n| case(&n.to_string(), Status::Passed)).collect());
    let error = history
        .record(&report, &circumstances(), 10)
        .expect_err("it does not fit");
    assert!(error.to_string().ends_with("the disk is full"), "{error}");
    assert_eq!(history.runs(10).expect("it can be read").len(), 1);
}

#[test]
fn writers_at_the_same_time_wait_for_each_other() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| record(&mut place.history(), 100));
        }
    });
    let history = place.history();
    let runs = history.runs(100).expect("it can be read");
    assert_eq!(runs.len(), 8);
    for run in runs {
        assert_eq!(history.cases(run.id).expect("it can be read").len(), 1);
    }
}

#[test]
fn a_checkout_is_read_from_the_files_of_git() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (git, below) = (folder.path().join(".git"), folder.path().join("a/b"));
    fs::create_dir_all(git.join("refs/heads/feature")).expect("it can be made");
    fs::create_dir_all(&below).expect("it can be made");
    let write = |name: &str, text: &str| fs::write(git.join(name), text).expect("it can be written");
    let (one, two) = ("1".repeat(40), "2".repeat(40));
    let seen = || {
        let Checkout { commit, branch } = Checkout::around(&below);
        (commit, branch)
    };

    write("HEAD", "ref: refs/heads/feature/x\n");
    assert_eq!(seen(), (None, Some("feature/x".to_owned())), "nothing is committed yet");
    write(
        "packed-refs",
        &format!("# pack-refs with: peeled\n{one} refs/heads/feature/x\n"),
    );
    assert_eq!(seen(), (Some(one), Some("feature/x".to_owned())));
    write("refs/heads/feature/x", &format!("{two}\n"));
    assert_eq!(seen().0, Some(two.clone()), "the file of its own is newer");
    write("HEAD", &format!("{two}\n"));
    assert_eq!(seen(), (Some(two.clone()), None), "a commit without a branch");

    fs::create_dir_all(git.join("worktrees/w")).expect("it can be made");
    write("worktrees/w/HEAD", "ref: refs/heads/feature/x\n");
    write("worktrees/w/commondir", "../..\n");
    fs::write(
        below.join(".git"),
        format!("gitdir: {}\n", git.join("worktrees/w").display()),
    )
    .expect("it can be written");
    assert_eq!(seen(), (Some(two), Some("feature/x".to_owned())), "a worktree");
}

#[test]
fn an_audit_log_only_grows() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let log = folder.path().join("sub/audit.jsonl");
    let report = report(vec![case("a", Status::Failed)]);
    let entry = v1::audit::Entry::of(&report, "notes/evals", Some("abc"), None);
    append(&log, &entry).expect("it can be written");
    let first = fs::read_to_string(&log).expect("it is there");
    fs::write(&log, format!("{first}{{\"cut")).expect("it can be written");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| append(&log, &entry).expect("it can be written"));
        }
    });
    let text = fs::read_to_string(&log).expect("it is there");
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 10);
    for (number, line) in lines.into_iter().enumerate().filter(|(number, _)| *number != 1) {
        let entry: v1::audit::Entry<'_> = serde_json::from_str(line).unwrap_or_else(|it| panic!("line {number}: {it}"));
        assert_eq!((entry.schema.as_ref(), entry.exit_code), ("mcpvals.audit/v1", 1));
    }
}
