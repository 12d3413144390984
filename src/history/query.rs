//! What a history is asked.

use rusqlite::{Connection, OptionalExtension, Result, Row, named_params, types::Type};
use serde::{Deserialize, de::IntoDeserializer, de::value::StrDeserializer};

use super::{History, HistoryError};
use crate::schema::v1::{
    self,
    history::{Case, Outcome, Recorded, Run, Step},
};

/// The runs that can be compared with each other: those of one folder and one choice of fixtures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// The folder they were run from.
    pub folder: String,
    /// What was run.
    pub name: String,
    /// Whether nothing narrowed the choice.
    pub is_whole: bool,
}

/// How one case ended in some run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseRecord {
    /// Stable key.
    pub id: String,
    /// How it ended.
    pub status: v1::Status,
    /// Whether a server was asked.
    pub mode: v1::Mode,
    /// Why it did not pass, or was skipped, in one line.
    pub why: Option<String>,
}

/// How one case ended in one run, for a look at it over time.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseResult {
    /// Number of the run.
    pub run: i64,
    /// When the run began, as RFC 3339 in UTC.
    pub started_at: String,
    /// The commit that was checked out.
    pub commit: Option<String>,
    /// Milliseconds over all attempts.
    pub duration_ms: f64,
    /// How it ended.
    pub case: CaseRecord,
}

impl History {
    /// The newest runs, newest first.
    pub fn runs(&self, limit: usize) -> Result<Vec<Run>, HistoryError> {
        let query = "SELECT * FROM run ORDER BY id DESC LIMIT :limit";
        self.all(query, named_params! {":limit": limit_of(limit)}, run)
    }

    /// The newest runs of one suite, newest first.
    pub fn runs_of(&self, suite: &Suite, limit: usize) -> Result<Vec<Run>, HistoryError> {
        let query = "SELECT * FROM run WHERE folder = :folder AND suite = :suite ORDER BY id DESC LIMIT :limit";
        let values = named_params! {":folder": suite.folder, ":suite": suite.name, ":limit": limit_of(limit)};
        self.all(query, values, run)
    }

    /// One run.
    pub fn run(&self, id: i64) -> Result<Option<Run>, HistoryError> {
        let found = self.connection.query_row("SELECT * FROM run WHERE id = ?1", [id], run);
        found.optional().map_err(|error| self.error(error))
    }

    /// Every suite, the one that was run last first.
    pub fn suites(&self) -> Result<Vec<Suite>, HistoryError> {
        let query = "SELECT folder, suite, narrowed_by = '[]' AS is_whole FROM run GROUP BY folder, suite, is_whole
                     ORDER BY max(id) DESC";
        self.all(query, &[], |row| {
            Ok(Suite {
                folder: row.get("folder")?,
                name: row.get("suite")?,
                is_whole: row.get("is_whole")?,
            })
        })
    }

    /// The cases of a run, in the order of files.
    pub fn cases(&self, run: i64) -> Result<Vec<CaseRecord>, HistoryError> {
        let query = "SELECT * FROM run_case WHERE run = :run ORDER BY id";
        self.all(query, named_params! {":run": run}, case_record)
    }

    /// The newest results of the cases whose id contains a text, newest first.
    pub fn results(&self, text: &str, limit: usize) -> Result<Vec<CaseResult>, HistoryError> {
        let query = "SELECT run.started_at, run.commit_hash, run_case.* FROM run_case JOIN run ON run.id = run_case.run
                     WHERE instr(run_case.case_id, :text) > 0 ORDER BY run_case.run DESC, run_case.id LIMIT :limit";
        let values = named_params! {":text": text, ":limit": limit_of(limit)};
        self.all(query, values, |row| {
            Ok(CaseResult {
                run: row.get("run")?,
                started_at: row.get("started_at")?,
                commit: row.get("commit_hash")?,
                duration_ms: row.get("duration_ms")?,
                case: case_record(row)?,
            })
        })
    }

    /// A run with all that is kept of it.
    pub fn recorded(&self, run: Run) -> Result<Recorded, HistoryError> {
        let cases = cases(&self.connection, run.id).map_err(|error| self.error(error))?;
        Ok(Recorded { run, cases })
    }

    fn all<T>(
        &self,
        query: &str,
        values: &[(&str, &dyn rusqlite::ToSql)],
        read: impl Fn(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>, HistoryError> {
        let found = self.connection.prepare(query).and_then(|mut query| {
            let rows = query.query_map(values, |row| read(row))?;
            rows.collect()
        });
        found.map_err(|error| self.error(error))
    }
}

fn run(row: &Row<'_>) -> Result<Run> {
    Ok(Run {
        id: row.get("id")?,
        started_at: row.get("started_at")?,
        duration_ms: row.get("duration_ms")?,
        tool_version: row.get("tool_version")?,
        folder: row.get("folder")?,
        suite: row.get("suite")?,
        commit: row.get("commit_hash")?,
        branch: row.get("branch")?,
        verdict: word(row, "verdict")?,
        exit_code: row.get("exit_code")?,
        reason: row.get("reason")?,
        totals: v1::Totals {
            cases: count(row, "cases")?,
            passed: count(row, "passed")?,
            failed: count(row, "failed")?,
            errored: count(row, "errored")?,
            skipped: count(row, "skipped")?,
            flaky: count(row, "flaky")?,
            xfailed: count(row, "xfailed")?,
            xpassed: count(row, "xpassed")?,
            simulated: count(row, "simulated")?,
        },
        selection: v1::Selection {
            found: count(row, "found")?,
            selected: count(row, "selected")?,
            narrowed_by: json(row, "narrowed_by")?.unwrap_or_default(),
        },
    })
}

fn case_record(row: &Row<'_>) -> Result<CaseRecord> {
    let (message, reason): (Option<String>, Option<String>) = (row.get("message")?, row.get("reason")?);
    Ok(CaseRecord {
        id: row.get("case_id")?,
        status: word(row, "status")?,
        mode: word(row, "mode")?,
        why: message.or(reason),
    })
}

fn cases(connection: &Connection, run: i64) -> Result<Vec<Case>> {
    let mut query = connection.prepare("SELECT * FROM run_case WHERE run = ?1 ORDER BY id")?;
    let rows = query.query_map([run], |row| {
        Ok(Case {
            id: row.get("case_id")?,
            name: row.get("name")?,
            file: row.get("file")?,
            line: row.get("line")?,
            fixture_hash: row.get("fixture_hash")?,
            mode: word(row, "mode")?,
            status: word(row, "status")?,
            reason: row.get("reason")?,
            message: row.get("message")?,
            reached: row.get("reached")?,
            attempts: count(row, "attempts")?,
            duration_ms: row.get("duration_ms")?,
            error: json(row, "error")?,
            steps: steps(connection, row.get("id")?)?,
        })
    })?;
    rows.collect()
}

fn steps(connection: &Connection, case: i64) -> Result<Vec<Step>> {
    let mut query = connection.prepare("SELECT * FROM run_step WHERE run_case = ?1 ORDER BY id")?;
    let rows = query.query_map([case], |row| {
        let bytes: Option<i64> = row.get("output_bytes")?;
        Ok(Step {
            id: row.get("step_id")?,
            tool: row.get("tool")?,
            status: word(row, "status")?,
            reason: row.get("reason")?,
            duration_ms: row.get("duration_ms")?,
            output: row.get("output")?,
            output_bytes: bytes.and_then(|bytes| usize::try_from(bytes).ok()),
            is_error: row.get("is_error")?,
            error: json(row, "error")?,
            outcomes: outcomes(connection, row.get("id")?)?,
        })
    })?;
    rows.collect()
}

fn outcomes(connection: &Connection, step: i64) -> Result<Vec<Outcome>> {
    let mut query = connection.prepare("SELECT * FROM run_outcome WHERE run_step = ?1 ORDER BY id")?;
    let rows = query.query_map([step], |row| {
        Ok(Outcome {
            assertion: row.get("assertion")?,
            status: word(row, "status")?,
            message: row.get("message")?,
        })
    })?;
    rows.collect()
}

/// A value by its published word.
fn word<T: for<'de> Deserialize<'de>>(row: &Row<'_>, column: &str) -> Result<T> {
    let word: String = row.get(column)?;
    let deserializer: StrDeserializer<'_, serde_json::Error> = word.as_str().into_deserializer();
    T::deserialize(deserializer).map_err(unreadable)
}

fn json<T: for<'de> Deserialize<'de>>(row: &Row<'_>, column: &str) -> Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text).map_err(unreadable))
        .transpose()
}

fn count(row: &Row<'_>, column: &str) -> Result<usize> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

fn unreadable(error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}

fn limit_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
