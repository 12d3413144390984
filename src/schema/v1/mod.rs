//! The report (`mcpvals.report/v1`) and the surface (`mcpvals.surface/v1`) as JSON, written by this version and read by
//! every later one.
//!
//! Additions are allowed: a reader ignores what it does not know. Nothing is renamed, removed or given another meaning.

pub mod audit;
pub mod history;

mod baseline;
mod comparison;
mod coverage;
mod from_model;
mod into_comparison;
mod into_model;
mod json_schema;
mod report;
mod surface;
mod surface_diff;
mod why;

pub use baseline::{BASELINE, read_baseline, write_baseline};
pub use comparison::{
    CaseComparison, Comparison, LatencyChange, Origin as BaselineOrigin, OutputChange, SurfaceComparison,
};
pub use coverage::Coverage;
pub use from_model::Lazy;
pub use into_model::read_report;
pub use json_schema::{json_schema, surface_diff_json_schema, surface_json_schema};
pub use report::{
    Attempt, Case, Diagnostic, Fault, Finding, Mode, Notification, Origin, Outcome, PassRate, Report, Selection,
    Server, Severity, Status, Step, Tool, Totals, Verdict,
};
pub use surface::{Missing, SURFACE_NAME, Surface, SurfaceError, SurfaceFile};
pub use surface_diff::{ChangeClass, SURFACE_DIFF_NAME, SurfaceChange, SurfaceDiff, Witness};

/// The name that a report of this version carries in `schema`.
pub const NAME: &str = "mcpvals.report/v1";

#[cfg(test)]
mod tests;
