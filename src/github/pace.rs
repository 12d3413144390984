//! How fast GitHub may be asked, and when a request is made again.
//!
//! GitHub's "Best practices for using the REST API": requests one after the other, at least a second between two that
//! write, `retry-after` honoured, then `x-ratelimit-reset`, else at least a minute.

use std::{
    sync::Mutex,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Time between two requests that write.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);
/// What a rate limit that does not say how long it lasts costs.
const UNSAID: Duration = Duration::from_mins(1);
/// How long all waiting together may take: a job should not stand still for an hour to post a comment.
const PATIENCE: Duration = Duration::from_mins(3);
/// How often a request that met a failing server is made again.
const RETRIES: u32 = 3;
/// The first pause before that; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// What may still be waited, and when the last request wrote.
#[derive(Debug)]
pub(super) struct Pace {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    patience: Duration,
    last_write: Option<Instant>,
}

/// What an answer says about the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Limits {
    /// `retry-after`, in seconds.
    pub(super) retry_after: Option<u64>,
    /// `x-ratelimit-remaining`.
    pub(super) remaining: Option<u64>,
    /// `x-ratelimit-reset`, in seconds since 1970.
    pub(super) reset: Option<u64>,
    /// Whether its text speaks of a rate limit.
    pub(super) is_told: bool,
}

/// What to do about an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It stands.
    Take,
    /// Ask again after this pause.
    Again(Duration),
    /// The limit holds for longer than we wait.
    GiveUp(Duration),
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                patience: PATIENCE,
                last_write: None,
            }),
        }
    }
}

impl Pace {
    /// How long the next request that writes has to wait; the time after that is taken.
    pub(super) fn before_write(&self, now: Instant) -> Duration {
        let mut state = self.state();
        let earliest = state.last_write.map_or(now, |last| (last + BETWEEN_WRITES).max(now));
        state.last_write = Some(earliest);
        earliest - now
    }

    /// What to do about an answer with this status.
    pub(super) fn after(&self, status: u16, limits: Limits, attempt: u32, is_safe: bool) -> Next {
        let limited = status == 429
            || status == 403 && (limits.is_told || limits.remaining == Some(0) || limits.retry_after.is_some());
        if limited {
            return self.spend(limits.pause(SystemTime::now()));
        }
        // A request that failed inside GitHub may have been carried out; one that reads can be made again.
        if matches!(status, 500 | 502 | 503 | 504) && is_safe && attempt < RETRIES {
            return self.spend(FIRST_PAUSE * 2_u32.pow(attempt));
        }
        Next::Take
    }

    /// The same for a request that got no answer.
    pub(super) fn after_silence(&self, attempt: u32, is_safe: bool) -> Next {
        if is_safe && attempt < RETRIES {
            self.spend(FIRST_PAUSE * 2_u32.pow(attempt))
        } else {
            Next::Take
        }
    }

    fn spend(&self, pause: Duration) -> Next {
        let mut state = self.state();
        match state.patience.checked_sub(pause) {
            Some(rest) => {
                state.patience = rest;
                Next::Again(pause)
            }
            None => Next::GiveUp(pause),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Limits {
    fn pause(self, now: SystemTime) -> Duration {
        let said = self.retry_after.map(Duration::from_secs);
        let until_reset = || {
            let reset = UNIX_EPOCH.checked_add(Duration::from_secs(self.reset?))?;
            (self.remaining == Some(0)).then(|| reset.duration_since(now).unwrap_or_default() + Duration::from_secs(1))
        };
        said.or_else(until_reset).unwrap_or(UNSAID)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Limits = Limits {
        retry_after: None,
        remaining: None,
        reset: None,
        is_told: false,
    };

    #[test]
    fn writes_keep_their_distance() {
        let (pace, now) = (Pace::default(), Instant::now());
        assert_eq!(pace.before_write(now), Duration::ZERO);
        assert_eq!(pace.before_write(now), BETWEEN_WRITES);
        assert_eq!(pace.before_write(now + Duration::from_secs(5)), Duration::ZERO);
    }

    #[test]
    fn a_limit_is_waited_for() {
        let pace = Pace::default();
        let limits = Limits {
            retry_after: Some(2),
            ..NOTHING
        };
        assert_eq!(pace.after(429, limits, 0, false), Next::Again(Duration::from_secs(2)));
        assert_eq!(
            pace.after(
                403,
                Limits {
                    is_told: true,
                    ..NOTHING
                },
                0,
                false
            ),
            Next::Again(UNSAID)
        );
    }

    #[test]
    fn an_hour_is_not_waited_for() {
        let limits = Limits {
            remaining: Some(0),
            reset: Some(u64::from(u32::MAX)),
            ..NOTHING
        };
        assert!(matches!(Pace::default().after(403, limits, 0, true), Next::GiveUp(_)));
    }

    #[test]
    fn a_token_that_may_not_is_not_asked_twice() {
        assert_eq!(Pace::default().after(403, NOTHING, 0, true), Next::Take);
    }

    #[test]
    fn what_may_have_been_done_is_not_done_again() {
        let pace = Pace::default();
        assert_eq!(pace.after(502, NOTHING, 0, false), Next::Take);
        assert_eq!(pace.after(502, NOTHING, 0, true), Next::Again(FIRST_PAUSE));
        assert_eq!(pace.after(502, NOTHING, RETRIES, true), Next::Take);
        assert_eq!(pace.after_silence(1, true), Next::Again(FIRST_PAUSE * 2));
    }
}
