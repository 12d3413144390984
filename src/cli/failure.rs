//! Why a command could not do what it was asked to.

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
