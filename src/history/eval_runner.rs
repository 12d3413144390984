//! What mcp-eval-runner recorded at the same place, taken over when the file is first used.

use rusqlite::{Connection, Result};

/// What is read of its tables; a database that cannot be asked this is none of its.
const ASKED: &str = "
SELECT runs.id, suite_name, started_at, ended_at, total_cases, passed, failed, case_name, status, duration_ms,
       error_message, created_at
FROM runs JOIN case_results ON run_id = runs.id";

/// Its tables stay as they are, so that it can go on using them. It does not tell whether a server was asked.
const TAKE_OVER: &str = "
INSERT INTO run (id, started_at, duration_ms, tool_version, folder, suite, verdict, exit_code, reason,
                 cases, passed, failed, errored, skipped, flaky, simulated, found, selected, narrowed_by)
SELECT number, strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000.0, 'unixepoch'),
       coalesce(ended_at - started_at, 0), 'mcp-eval-runner', '', 'mcp-eval-runner/' || suite_name,
       CASE WHEN total_cases = 0 THEN 'incomplete' WHEN failed > 0 THEN 'failed' ELSE 'passed' END,
       CASE WHEN total_cases = 0 THEN 3 WHEN failed > 0 THEN 1 ELSE 0 END,
       passed || ' of ' || total_cases || ' passed',
       total_cases, passed, failed - errors, errors, 0, 0, 0, total_cases, total_cases, '[]'
FROM (SELECT *, row_number() OVER (ORDER BY started_at, rowid) AS number,
             (SELECT count(*) FROM case_results WHERE run_id = runs.id AND status = 'error') AS errors
      FROM runs)
ORDER BY number;

INSERT INTO run_case (run, case_id, name, file, line, mode, status, message, reached, attempts, duration_ms)
SELECT number, case_name, case_name, '', 0, 'live',
       CASE status WHEN 'pass' THEN 'passed' WHEN 'fail' THEN 'failed' ELSE 'errored' END,
       error_message, 1, 1, coalesce(duration_ms, 0)
FROM case_results
JOIN (SELECT id AS theirs, row_number() OVER (ORDER BY started_at, rowid) AS number FROM runs) ON theirs = run_id
ORDER BY number, created_at, case_results.rowid;
";

/// Whether these are its tables.
pub(super) fn is_its(connection: &Connection) -> bool {
    connection.prepare(ASKED).is_ok()
}

/// Copies its runs into the tables of an empty history, oldest first.
pub(super) fn take_over(connection: &Connection) -> Result<()> {
    connection.execute_batch(TAKE_OVER)
}
