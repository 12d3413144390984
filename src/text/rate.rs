//! Parts of a whole, as people write them.

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
}
