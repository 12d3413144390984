//! Parts of a whole and days, as people write them.

/// A part of the whole: `0.9` or `90%`. The error says what is wrong.
pub fn parse_rate(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let rate = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse::<f64>(),
    };
    match rate {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err(format!(
            "{} is no part of the whole: write 0.9 or 90%",
            super::quote(text, 40)
        )),
    }
}

/// Whether a text is a day written as `YYYY-MM-DD`; such days are in order as texts are.
pub fn is_day(text: &str) -> bool {
    let number = |part: &str, length: usize| {
        (part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<u32>().ok())
            .flatten()
    };
    let mut parts = text.split('-');
    let year = parts.next().and_then(|part| number(part, 4));
    let month = parts.next().and_then(|part| number(part, 2));
    let day = parts.next().and_then(|part| number(part, 2));
    let is_possible = |month, day| (1..=12).contains(&month) && (1..=31).contains(&day);
    matches!((year, month, day, parts.next()), (Some(_), Some(month), Some(day), None) if is_possible(month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_parts_or_percentages() {
        assert_eq!(parse_rate("0.9"), Ok(0.9));
        assert_eq!(parse_rate("90 %"), Ok(0.9));
        assert_eq!(parse_rate("1"), Ok(1.0));
        for wrong in ["1.1", "101%", "-1", "NaN", "x", ""] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn days_have_one_form() {
        assert!(is_day("2027-01-31"));
        for wrong in [
            "2027-1-31",
            "31-01-2027",
            "2027-13-01",
            "2027-01-00",
            "2027-01",
            "2027-01-01-01",
            "+027-01-01",
        ] {
            assert!(!is_day(wrong), "{wrong}");
        }
    }
}
