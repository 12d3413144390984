//! `mcpvals.report/v1`: the report as JSON, written by this version and read by every later one.
//!
//! Additions are allowed: a reader ignores what it does not know. Nothing is renamed, removed or given another meaning.

mod from_model;
mod report;

pub use from_model::Lazy;
pub use report::{
    Attempt, Case, Diagnostic, Fault, Finding, Mode, Origin, Outcome, Report, Selection, Server, Severity, Status,
    Step, Tool, Totals, Verdict,
};

/// The name that a report of this version carries in `schema`.
pub const NAME: &str = "mcpvals.report/v1";

/// The JSON Schema (draft 2020-12) of a report.
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(Report<'static>).to_value()
}

#[cfg(test)]
mod tests;
