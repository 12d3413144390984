//! Durations for people, and as people write them.

use std::time::Duration;

use super::quote;

/// Characters of a text that is no time that are shown in a message.
const SHOWN: usize = 60;

/// A measured time: `<1 ms`, `412 ms`, `1.2 s`, `2m 05s`, `1h 02m`.
pub fn duration(time: Duration) -> String {
    let (millis, seconds) = (time.as_millis(), time.as_secs());
    match seconds {
        0 if millis == 0 => "<1 ms".to_owned(),
        0 => format!("{millis} ms"),
        1..60 => format!("{}.{} s", seconds, millis % 1000 / 100),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A chosen time, as short as it is exact to the millisecond: `500 ms`, `2.5 s`, `90 s`, `2 min`.
pub fn limit(time: Duration) -> String {
    let millis = time.as_millis();
    if millis < 1000 {
        return format!("{} ms", milliseconds(time));
    }
    if millis.is_multiple_of(60_000) && millis >= 120_000 {
        return format!("{} min", millis / 60_000);
    }
    let fraction = format!("{:03}", millis % 1000);
    match fraction.trim_end_matches('0') {
        "" => format!("{} s", millis / 1000),
        digits => format!("{}.{digits} s", millis / 1000),
    }
}

/// The number of milliseconds, with one decimal where it says something: `412`, `0.4`; less than a tenth is told as it is.
pub fn milliseconds(time: Duration) -> String {
    let tenths = time.as_micros() / 100;
    if tenths == 0 && !time.is_zero() {
        return (time.as_secs_f64() * 1e6 / 1e3).to_string();
    }
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        tenth => format!("{}.{tenth}", tenths / 10),
    }
}

/// No limit of a test run is longer than a day; anything above is a slip of the unit.
const LONGEST: Duration = Duration::from_hours(24);

/// What to write where a time cannot be read.
pub const DURATION_HELP: &str = "write milliseconds as a number, or a number with `ms`, `s`, `m` or `h`, such as `30s`";

/// Reads a time as people write it, such as `250`, `500ms`, `30s`, `1.5m`, `1h`; a bare number is milliseconds. The
/// error is a fragment that says what is wrong.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let unit = text[number.len()..].trim_start();
    let seconds_per_unit = match unit {
        "" | "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("the unit {} is not known", quote(unit, SHOWN))),
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let amount = number.parse::<f64>().ok().filter(|_| is_number);
    let amount = amount.ok_or_else(|| format!("{} is not a length of time", quote(text, SHOWN)))?;
    match Duration::try_from_secs_f64(amount * seconds_per_unit) {
        Ok(Duration::ZERO) => Err("it must be longer than zero".to_owned()),
        Ok(duration) if duration <= LONGEST => Ok(duration),
        _ => Err("it is longer than a day".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn measured_times_read_well() {
        assert_eq!(duration(Duration::from_micros(400)), "<1 ms");
        assert_eq!(duration(ms(1)), "1 ms");
        assert_eq!(duration(ms(999)), "999 ms");
        assert_eq!(duration(ms(1250)), "1.2 s");
        assert_eq!(duration(ms(59_999)), "59.9 s");
        assert_eq!(duration(ms(125_000)), "2m 05s");
        assert_eq!(duration(ms(3_720_000)), "1h 02m");
    }

    #[test]
    fn limits_are_exact() {
        assert_eq!(limit(ms(500)), "500 ms");
        assert_eq!(limit(ms(2500)), "2.5 s");
        assert_eq!(limit(ms(1250)), "1.25 s");
        assert_eq!(limit(ms(30_000)), "30 s");
        assert_eq!(limit(ms(90_000)), "90 s");
        assert_eq!(limit(ms(120_000)), "2 min");
    }

    #[test]
    fn milliseconds_have_a_decimal_only_where_needed() {
        assert_eq!(milliseconds(ms(412)), "412");
        assert_eq!(milliseconds(Duration::from_micros(412_345)), "412.3");
        assert_eq!(milliseconds(Duration::from_micros(50)), "0.05");
        assert_eq!(milliseconds(Duration::ZERO), "0");
    }

    #[test]
    fn times_are_read_as_written() {
        for (text, millis) in [
            ("250", 250),
            ("500ms", 500),
            ("30s", 30_000),
            ("1.5s", 1500),
            (" 2 s ", 2000),
            ("2m", 120_000),
            ("2 min", 120_000),
            (" 1h ", 3_600_000),
            ("24h", 86_400_000),
        ] {
            assert_eq!(parse_duration(text), Ok(ms(millis)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_named() {
        for (text, reason) in [
            ("", "`` is not a length of time"),
            ("ms", "`ms` is not a length of time"),
            ("soon", "the unit `soon` is not known"),
            ("5 days", "the unit `days` is not known"),
            ("-1", "`-1` is not a length of time"),
            ("1.2.3s", "`1.2.3s` is not a length of time"),
            ("1e9", "`1e9` is not a length of time"),
            ("0", "it must be longer than zero"),
            ("0ms", "it must be longer than zero"),
            ("25h", "it is longer than a day"),
            ("99999999999999999999999", "it is longer than a day"),
            ("inf", "the unit `inf` is not known"),
        ] {
            assert_eq!(parse_duration(text).unwrap_err(), reason, "{text}");
        }
    }
}
