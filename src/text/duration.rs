//! Durations for people, and as people write them.

use std::time::Duration;

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

/// The number of milliseconds, with one decimal where it says something: `412`, `0.4`.
pub fn milliseconds(time: Duration) -> String {
    let tenths = time.as_micros() / 100;
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        tenth => format!("{}.{tenth}", tenths / 10),
    }
}

/// Reads a time as people write it: a number with `ms`, `s`, `m`/`min` or `h`; a bare number is milliseconds.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit_at = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let seconds_per_unit = match unit.trim() {
        "" | "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds_per_unit).ok()
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
    }

    #[test]
    fn times_are_read_as_written() {
        assert_eq!(parse_duration("500ms"), Some(ms(500)));
        assert_eq!(parse_duration(" 2 s "), Some(ms(2000)));
        assert_eq!(parse_duration("1.5s"), Some(ms(1500)));
        assert_eq!(parse_duration("2m"), Some(ms(120_000)));
        assert_eq!(parse_duration("5000"), Some(ms(5000)));
        for wrong in ["", "ms", "-5ms", "5 days", "1.2.3s", "fast", "NaN"] {
            assert_eq!(parse_duration(wrong), None, "{wrong}");
        }
    }
}
