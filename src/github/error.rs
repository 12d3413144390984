//! Why GitHub did not do what it was asked to.

use std::time::Duration;

use crate::text;

/// A request that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// 401 and 403: the token may not.
    #[error("GitHub refused it: {0}")]
    Refused(Refusal),
    /// 404; also what a token that may not even read gets.
    #[error("GitHub does not know `{0}`")]
    NotFound(String),
    /// 409: something else was quicker.
    #[error("GitHub found a conflict: {0}")]
    Conflict(String),
    /// 422: the request itself is wrong.
    #[error("GitHub could not use the request: {0}")]
    Unprocessable(String),
    /// 403 and 429 of the rate limits, where waiting would take longer than a job should.
    #[error("GitHub's rate limit is used up for another {}", text::duration(*.0))]
    RateLimited(Duration),
    /// Any other status.
    #[error("GitHub answered {status}: {message}")]
    Failed {
        /// The HTTP status.
        status: u16,
        /// What the answer says.
        message: String,
    },
    /// No answer.
    #[error("GitHub could not be reached: {0}")]
    Unreachable(String),
    /// An answer that is not what it should be.
    #[error("GitHub's answer makes no sense: {0}")]
    Senseless(String),
}

/// What a token lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// What the answer says, such as `Resource not accessible by integration`.
    pub message: String,
    /// What would be needed, where the answer tells: `pull_requests=write`.
    pub needed: Option<String>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.status)
    }
}

impl ApiError {
    /// Whether the token may not.
    pub const fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(_))
    }

    /// Whether the thing is not there.
    pub const fn is_absence(&self) -> bool {
        matches!(self, Self::NotFound(_))
    }
}
