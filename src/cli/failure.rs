//! Why a command could not do what it was asked to.

use crate::history::HistoryError;

/// What stands between a command and its result; decides the exit code.
#[derive(Debug)]
pub enum Failure {
    /// The command line cannot be meant so.
    Usage(String),
    /// Something around us failed.
    Surroundings(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Surroundings(message)
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        Self::Surroundings(error.to_string())
    }
}
