//! Numbers of schemas that are compared to the last digit: a double holds whole numbers up to 2^53 only, and ids and the
//! bounds of 64-bit integers lie beyond.

use std::{cmp::Ordering, fmt};

use serde_json::Number;

/// Below this, a double without a fraction is an `i128`.
const WHOLE: f64 = 1e38;

/// A number as it is written; `5` and `5.0` are the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Exact {
    Whole(i128),
    Float(f64),
}

impl Exact {
    pub(super) fn of(number: &Number) -> Option<Self> {
        if let Some(whole) = number.as_i128() {
            return Some(Self::Whole(whole));
        }
        let float = number.as_f64()?;
        Some(if float.fract() == 0.0 && float.abs() < WHOLE {
            Self::Whole(float as i128)
        } else {
            Self::Float(float)
        })
    }

    pub(super) fn is_multiple_of(self, other: Self) -> bool {
        match (self, other) {
            (Self::Whole(one), Self::Whole(other)) => one.checked_rem(other) == Some(0),
            _ => (self.rounded() / other.rounded()).fract() == 0.0,
        }
    }

    fn rounded(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Float(float) => float,
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(one), Self::Whole(other)) => Some(one.cmp(other)),
            // A double with a fraction is so small that its neighbours are exact; one beyond `WHOLE` is beyond them all.
            _ => self.rounded().partial_cmp(&other.rounded()),
        }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => whole.fmt(f),
            Self::Float(float) => float.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::of(&serde_json::from_str(text).unwrap()).unwrap()
    }

    #[test]
    fn numbers_are_in_order_to_the_last_digit() {
        for (one, other) in [
            ("9007199254740992", "9007199254740993"),
            ("-9007199254740993", "-9007199254740992"),
            ("18446744073709551614", "18446744073709551615"),
            ("0.5", "1"),
            ("1", "1.5"),
            ("18446744073709551615", "1e300"),
        ] {
            assert!(exact(one) < exact(other), "{one} {other}");
        }
        assert_eq!(exact("1"), exact("1.0"));
        assert_eq!(exact("-0.0"), exact("0"));
        assert_eq!(exact("1e3").to_string(), "1000");
        assert_eq!(exact("0.5").to_string(), "0.5");
    }

    #[test]
    fn multiples_are_exact_where_both_are_whole() {
        for (one, other, expected) in [
            ("9007199254740994", "2", true),
            ("9007199254740993", "2", false),
            ("1.5", "0.5", true),
            ("1", "0", false),
        ] {
            assert_eq!(exact(one).is_multiple_of(exact(other)), expected, "{one} {other}");
        }
    }
}
