//! What earlier runs found: a history in SQLite, and the audit log. The only place that knows SQL.

mod audit_log;
mod checkout;
mod error;
mod eval_runner;
mod format;
mod query;
mod record;
mod store;
#[cfg(test)]
mod tests;

pub use audit_log::append;
pub use checkout::Checkout;
pub use error::HistoryError;
pub use query::{CaseRecord, CaseResult, Suite};
pub use record::{Circumstances, DEFAULT_KEEP};
pub use store::History;
