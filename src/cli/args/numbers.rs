//! How numbers and times are written on the command line.

use std::time::Duration;

use crate::{
    parse::MOST_CONCURRENCY,
    text::{DURATION_HELP, parse_duration},
};

/// A time: a bare number is milliseconds, as in mcp-eval-runner.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|reason| format!("{reason}; {DURATION_HELP}"))
}

/// A time of minutes: a bare number would be milliseconds, which nobody means here.
pub(super) fn long_time(text: &str) -> Result<Duration, String> {
    let read = match text.trim().parse::<f64>() {
        Ok(_) => Err("it has no unit".to_owned()),
        Err(_) => parse_duration(text),
    };
    read.map_err(|reason| format!("{reason}; write 90s, 5m or 1h"))
}

/// How many cases at a time.
pub(super) fn concurrency(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok();
    let fits = number.filter(|number| (1..=MOST_CONCURRENCY).contains(number));
    fits.ok_or_else(|| format!("write a number from 1 to {MOST_CONCURRENCY}"))
}
