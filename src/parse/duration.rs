//! Lengths of time as people write them: `250`, `500ms`, `30s`, `1.5m`, `1h`.

use std::time::Duration;

/// No limit of a test run is longer than a day; anything above is a slip of the unit.
const LONGEST: Duration = Duration::from_hours(24);

/// Reads a length of time; a bare number is in milliseconds. The error is a fragment that says what is wrong.
pub(super) fn read(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let unit = text[digits.len()..].trim_start();
    let milliseconds = match unit {
        "" | "ms" => 1.0,
        "s" => 1e3,
        "m" | "min" => 60e3,
        "h" => 3600e3,
        _ => return Err(format!("the unit `{unit}` is not known")),
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let amount = digits.parse::<f64>().ok().filter(|_| is_number);
    let amount = amount.ok_or_else(|| format!("`{text}` is not a length of time"))?;
    match Duration::try_from_secs_f64(amount * milliseconds / 1e3) {
        Ok(Duration::ZERO) => Err("it must be longer than zero".to_owned()),
        Ok(duration) if duration <= LONGEST => Ok(duration),
        _ => Err("it is longer than a day".to_owned()),
    }
}

/// What to write instead.
pub(super) const HELP: &str = "write milliseconds as a number, or a number with `ms`, `s`, `m` or `h`, such as `30s`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_with_and_without_unit() {
        for (text, milliseconds) in [
            ("250", 250),
            ("500ms", 500),
            ("30s", 30_000),
            ("1.5s", 1500),
            ("2m", 120_000),
            ("2 min", 120_000),
            (" 1h ", 3_600_000),
            ("24h", 86_400_000),
        ] {
            assert_eq!(read(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_the_rest() {
        for (text, reason) in [
            ("", "`` is not a length of time"),
            ("soon", "the unit `soon` is not known"),
            ("5d", "the unit `d` is not known"),
            ("-1", "`-1` is not a length of time"),
            ("1e9", "`1e9` is not a length of time"),
            ("0", "it must be longer than zero"),
            ("0ms", "it must be longer than zero"),
            ("25h", "it is longer than a day"),
            ("99999999999999999999999", "it is longer than a day"),
            ("inf", "the unit `inf` is not known"),
        ] {
            assert_eq!(read(text).unwrap_err(), reason, "{text}");
        }
    }
}
