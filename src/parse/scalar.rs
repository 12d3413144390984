//! What a plain YAML scalar stands for: the core schema of YAML 1.2, so that `NO`, `yes` and dates stay text.

use serde_json::Number;

use super::{problems::Problems, tree::ScalarKind};
use crate::source::{Diagnostic, Span};

/// A number that JSON has no form for, such as `.inf` or `1e999`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoJsonForm;

/// Resolves a plain scalar (YAML 1.2.2 §10.3.2). `017` is 17, `0o17` is 15, `1_000` and `2026-07-28` are text.
pub(super) fn resolve(text: &str) -> Result<ScalarKind, NoJsonForm> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarKind::Null,
        "true" | "True" | "TRUE" => ScalarKind::Bool(true),
        "false" | "False" | "FALSE" => ScalarKind::Bool(false),
        _ => match number(text)? {
            Some(number) => ScalarKind::Number(number),
            None => ScalarKind::Text,
        },
    })
}

/// The number a text stands for, if it stands for one.
pub(super) fn number(text: &str) -> Result<Option<Number>, NoJsonForm> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(digits, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(NoJsonForm);
    }
    if let Some((radix, digits)) = prefixed(text) {
        return Ok(u64::from_str_radix(digits, radix).ok().map(Number::from));
    }
    if !is_decimal(digits) {
        return Ok(None);
    }
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if let Ok(whole) = unsigned.parse::<i64>() {
        return Ok(Some(whole.into()));
    }
    if let Ok(whole) = unsigned.parse::<u64>() {
        return Ok(Some(whole.into()));
    }
    let float = unsigned.parse::<f64>().ok().and_then(Number::from_f64);
    float.map(Some).ok_or(NoJsonForm)
}

/// Warns of a whole number with more digits than its value can keep.
pub(super) fn warn_if_inexact(text: &str, number: &Number, span: Span, problems: &Problems) {
    if is_inexact(text, number) {
        let problem = Diagnostic::warning("inexact-number", format!("`{text}` is read as {number}"));
        problems.add(span, problem.help("put it in quotes to keep every digit"));
    }
}

fn is_inexact(text: &str, number: &Number) -> bool {
    number.is_f64()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+'))
}

fn prefixed(text: &str) -> Option<(u32, &str)> {
    let (radix, digits) = match text.get(..2)? {
        "0x" => (16, &text[2..]),
        "0o" => (8, &text[2..]),
        _ => return None,
    };
    let valid = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    valid.then_some((radix, digits))
}

/// `( "." [0-9]+ | [0-9]+ ( "." [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let has_digits = !whole.is_empty() || fraction.is_some_and(|it| !it.is_empty());
    has_digits
        && are_digits(whole)
        && fraction.is_none_or(are_digits)
        && exponent.is_none_or(|it| !it.is_empty() && are_digits(it))
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(text: &str) -> Value {
        match resolve(text).expect("has a JSON form") {
            ScalarKind::Null => Value::Null,
            ScalarKind::Bool(it) => it.into(),
            ScalarKind::Number(it) => Value::Number(it),
            ScalarKind::Text => text.into(),
        }
    }

    #[test]
    fn reads_the_core_schema() {
        for (text, value) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("NULL", json!(null)),
            ("TRUE", json!(true)),
            ("false", json!(false)),
            ("0", json!(0)),
            ("-12", json!(-12)),
            ("+5", json!(5)),
            ("017", json!(17)),
            ("0o17", json!(15)),
            ("0xfF", json!(255)),
            ("18446744073709551615", json!(u64::MAX)),
            ("1.5", json!(1.5)),
            (".5", json!(0.5)),
            ("5.", json!(5.0)),
            ("-1e3", json!(-1000.0)),
            ("12345678901234567890123", json!(1.234_567_890_123_456_8e22)),
        ] {
            assert_eq!(read(text), value, "{text}");
        }
    }

    #[test]
    fn leaves_everything_else_as_text() {
        for text in [
            "NO",
            "no",
            "yes",
            "on",
            "off",
            "y",
            "tRUE",
            "1_000",
            "2026-07-28",
            "12:30:45",
            "0b11",
            "0o18",
            "0x",
            "-0x1",
            "1e",
            "e3",
            ".",
            "-",
            "+",
            "1.2.3",
            "--1",
            "1 2",
            "½",
            "nan",
            "inf",
            "é",
        ] {
            assert_eq!(read(text), json!(text), "{text}");
        }
    }

    #[test]
    fn refuses_numbers_that_json_does_not_have() {
        for text in [".inf", "-.INF", ".nan", "1e999"] {
            assert_eq!(resolve(text), Err(NoJsonForm), "{text}");
        }
    }

    #[test]
    fn knows_when_digits_are_lost() {
        let (long, short) = ("12345678901234567890123", "1.5");
        assert!(is_inexact(long, &number(long).unwrap().unwrap()));
        assert!(!is_inexact(short, &number(short).unwrap().unwrap()));
    }
}
