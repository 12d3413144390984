//! The tables, and how older formats become the newest one.

use rusqlite::{Connection, Result, Transaction, TransactionBehavior};

use super::eval_runner;

/// Marks a database as ours: `mcpv`, as the file header's application id.
pub(super) const APPLICATION: i64 = 0x6d63_7076;

/// What leads from each format to the next one; the first begins with an empty database.
pub(super) const MIGRATIONS: &[&str] = &[FIRST];

/// Names are in the singular: mcp-eval-runner has `runs` and `case_results`, and may share the file. Numbers are never used
/// twice, so that no row that was left behind belongs to a newer one.
const FIRST: &str = "
CREATE TABLE run (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at    TEXT NOT NULL,
    duration_ms   REAL NOT NULL,
    tool_version  TEXT NOT NULL,
    folder        TEXT NOT NULL,
    suite         TEXT NOT NULL,
    commit_hash   TEXT,
    branch        TEXT,
    verdict       TEXT NOT NULL,
    exit_code     INTEGER NOT NULL,
    reason        TEXT NOT NULL,
    cases         INTEGER NOT NULL,
    passed        INTEGER NOT NULL,
    failed        INTEGER NOT NULL,
    errored       INTEGER NOT NULL,
    skipped       INTEGER NOT NULL,
    flaky         INTEGER NOT NULL,
    xfailed       INTEGER NOT NULL DEFAULT 0,
    xpassed       INTEGER NOT NULL DEFAULT 0,
    simulated     INTEGER NOT NULL,
    found         INTEGER NOT NULL,
    selected      INTEGER NOT NULL,
    narrowed_by   TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_suite ON run (folder, suite);

CREATE TABLE run_case (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    run           INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    case_id       TEXT NOT NULL,
    name          TEXT NOT NULL,
    file          TEXT NOT NULL,
    line          INTEGER NOT NULL,
    fixture_hash  TEXT,
    mode          TEXT NOT NULL,
    status        TEXT NOT NULL,
    reason        TEXT,
    message       TEXT,
    reached       INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    duration_ms   REAL NOT NULL,
    error         TEXT
) STRICT;
CREATE INDEX run_case_by_run ON run_case (run);
CREATE INDEX run_case_by_case ON run_case (case_id);

CREATE TABLE run_step (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    run_case      INTEGER NOT NULL REFERENCES run_case ON DELETE CASCADE,
    step_id       TEXT NOT NULL,
    tool          TEXT NOT NULL,
    status        TEXT NOT NULL,
    reason        TEXT,
    duration_ms   REAL NOT NULL,
    output        TEXT,
    output_bytes  INTEGER,
    is_error      INTEGER,
    error         TEXT
) STRICT;
CREATE INDEX run_step_by_case ON run_step (run_case);

CREATE TABLE run_outcome (
    id            INTEGER PRIMARY KEY,
    run_step      INTEGER NOT NULL REFERENCES run_step ON DELETE CASCADE,
    assertion     TEXT NOT NULL,
    status        TEXT NOT NULL,
    message       TEXT NOT NULL
) STRICT;
CREATE INDEX run_outcome_by_step ON run_outcome (run_step);
";

/// What is known of a database before it is touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing is in it.
    Empty,
    /// A history in this format.
    Ours(usize),
    /// What mcp-eval-runner keeps at the same place; its tables and ours do not meet.
    EvalRunner,
    /// A database of something else.
    Foreign,
}

/// Looks at a database without changing it.
pub(super) fn kind(connection: &Connection) -> Result<Kind> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    if number("application_id")? == APPLICATION {
        return Ok(Kind::Ours(usize::try_from(number("user_version")?).unwrap_or_default()));
    }
    let mut names =
        connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_>>()?;
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    Ok(match names.len() {
        0 => Kind::Empty,
        _ if eval_runner::is_its(connection) && !has("run") => Kind::EvalRunner,
        _ => Kind::Foreign,
    })
}

/// Brings a database that may be used to the newest of these formats, all at once or not at all.
pub(super) fn migrate(connection: &mut Connection, migrations: &[&str]) -> Result<()> {
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    // Somebody else may have done it while we waited for our turn.
    let kind = kind(&transaction)?;
    let done = match kind {
        Kind::Ours(format) => format,
        _ => 0,
    };
    for migration in migrations.iter().skip(done) {
        transaction.execute_batch(migration)?;
    }
    if kind == Kind::EvalRunner {
        eval_runner::take_over(&transaction)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    let format = i64::try_from(migrations.len().max(done)).unwrap_or(i64::MAX);
    transaction.pragma_update(None, "user_version", format)?;
    transaction.commit()
}
