//! A run written into the history, in one transaction.

use std::{collections::HashMap, path::PathBuf};

use rusqlite::{Connection, Result, Statement, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde_json::Value;

use super::{Checkout, History, HistoryError};
use crate::{model, schema::v1};

/// Runs that are kept where nobody says otherwise.
pub const DEFAULT_KEEP: usize = 1000;

/// Bytes of an output that are kept: enough to see what changed, and a thousand runs still fit on a disk.
const OUTPUT: usize = 16 * 1024;

/// What a report does not know of its run.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// The folder it was run from.
    pub folder: PathBuf,
    /// What was run.
    pub suite: String,
    /// The commit and the branch.
    pub checkout: Checkout,
    /// The digest of each fixture by its name in reports.
    pub fixtures: HashMap<String, String>,
}

impl History {
    /// Adds a run and forgets those older than the newest `keep`: all of it happens or nothing. Gives its number.
    pub fn record(
        &mut self,
        report: &model::Report,
        circumstances: &Circumstances,
        keep: usize,
    ) -> Result<i64, HistoryError> {
        self.write(report, circumstances, keep)
            .map_err(|error| self.error(error))
    }

    fn write(&mut self, report: &model::Report, circumstances: &Circumstances, keep: usize) -> Result<i64> {
        let transaction = Transaction::new(&mut self.connection, TransactionBehavior::Immediate)?;
        let run = insert_run(&transaction, report, circumstances)?;
        let mut inserts = Inserts::prepare(&transaction)?;
        for case in &report.cases {
            let case = v1::Case::from(case);
            let hash = circumstances.fixtures.get(case.file.as_ref());
            inserts.case(run, &case, hash)?;
        }
        drop(inserts);
        prune(&transaction, keep)?;
        transaction.commit()?;
        Ok(run)
    }
}

fn insert_run(connection: &Connection, report: &model::Report, circumstances: &Circumstances) -> Result<i64> {
    let report = v1::Report::from(report);
    let (totals, selection) = (&report.totals, &report.selection);
    connection.execute(
        "INSERT INTO run (started_at, duration_ms, tool_version, folder, suite, commit_hash, branch, verdict, exit_code,
                          reason, cases, passed, failed, errored, skipped, flaky, xfailed, xpassed, simulated, found,
                          selected, narrowed_by)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                 ?22)",
        params![
            report.started_at,
            report.duration_ms,
            report.tool.version,
            circumstances.folder.to_string_lossy(),
            circumstances.suite,
            circumstances.checkout.commit,
            circumstances.checkout.branch,
            word(&report.verdict),
            report.exit_code,
            report.reason,
            number(totals.cases),
            number(totals.passed),
            number(totals.failed),
            number(totals.errored),
            number(totals.skipped),
            number(totals.flaky),
            number(totals.xfailed),
            number(totals.xpassed),
            number(totals.simulated),
            number(selection.found),
            number(selection.selected),
            json(&selection.narrowed_by),
        ],
    )?;
    Ok(connection.last_insert_rowid())
}

/// What writes the cases of a run.
struct Inserts<'a> {
    case: Statement<'a>,
    step: Statement<'a>,
    outcome: Statement<'a>,
}

impl<'a> Inserts<'a> {
    fn prepare(connection: &'a Connection) -> Result<Self> {
        Ok(Self {
            case: connection.prepare(
                "INSERT INTO run_case (run, case_id, name, file, line, fixture_hash, mode, status, reason, message,
                                       reached, attempts, duration_ms, error)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )?,
            step: connection.prepare(
                "INSERT INTO run_step (run_case, step_id, tool, status, reason, duration_ms, output, output_bytes,
                                       is_error, error)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?,
            outcome: connection
                .prepare("INSERT INTO run_outcome (run_step, assertion, status, message) VALUES (?1, ?2, ?3, ?4)")?,
        })
    }

    fn case(&mut self, run: i64, case: &v1::Case<'_>, hash: Option<&String>) -> Result<()> {
        let id = self.case.insert(params![
            run,
            case.id,
            case.name,
            case.file,
            case.line,
            hash,
            word(&case.mode),
            word(&case.status),
            case.reason,
            case.why(),
            case.reached,
            number(case.attempts),
            case.duration_ms,
            case.error.as_ref().map(json),
        ])?;
        case.steps.iter().try_for_each(|step| self.step(id, step))
    }

    fn step(&mut self, case: i64, step: &v1::Step<'_>) -> Result<()> {
        let output = step.output.as_deref();
        let id = self.step.insert(params![
            case,
            step.id,
            step.tool,
            word(&step.status),
            step.reason,
            step.duration_ms,
            output.map(|text| &text[..text.floor_char_boundary(OUTPUT)]),
            step.output_bytes.map(number),
            step.is_error,
            step.error.as_ref().map(json),
        ])?;
        step.outcomes.iter().try_for_each(|outcome| {
            let outcome = params![id, outcome.assertion, word(&outcome.status), outcome.message];
            self.outcome.execute(outcome).map(drop)
        })
    }
}

/// Forgets runs that are too old, and what belongs to none: tools that do not switch foreign keys on leave such rows
/// behind. They go once they are older than everything that is kept, which an index can tell however large the file is.
fn prune(connection: &Connection, keep: usize) -> Result<()> {
    connection.execute(
        "DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?1)",
        [number(keep)],
    )?;
    connection.execute_batch(
        "DELETE FROM run_case WHERE run < (SELECT min(id) FROM run);
         DELETE FROM run_step WHERE run_case < (SELECT min(id) FROM run_case);
         DELETE FROM run_outcome WHERE run_step < (SELECT min(id) FROM run_step);",
    )
}

/// The published word of a value.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
