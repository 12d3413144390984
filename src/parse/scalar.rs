//! What a plain YAML scalar stands for: the core schema of YAML 1.2, so that `NO`, `yes` and dates stay text.

use serde_json::Number;

use super::{problems::Problems, tree::ScalarKind};
use crate::source::{Diagnostic, Span};

/// A number that JSON has no form for, such as `.inf` or `1e999`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoJsonForm;

/// Why a scalar has no value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// JSON has no form for it.
    NoJsonForm,
    /// It is not of the core type its tag names.
    Tag(&'static str),
}

impl From<NoJsonForm> for Unfit {
    fn from(_: NoJsonForm) -> Self {
        Self::NoJsonForm
    }
}

impl Unfit {
    /// What to say of the text.
    pub fn diagnostic(&self, text: &str) -> Diagnostic {
        match self {
            Self::NoJsonForm => {
                Diagnostic::error("no-json-form", format!("the number `{text}` cannot be sent as JSON"))
                    .help("put it in quotes if it is meant as text")
            }
            Self::Tag(core) => Diagnostic::error("wrong-type", format!("`{text}` is not what its tag `!!{core}` says"))
                .help("remove the tag, or correct the value"),
        }
    }
}

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

/// Resolves a scalar that has the tag of a core type, such as `!!int`: it has to be of that type.
pub(super) fn resolve_as(core: &'static str, text: &str) -> Result<ScalarKind, Unfit> {
    let kind = resolve(text)?;
    match (core, kind) {
        ("float", ScalarKind::Number(number)) => {
            let float = number.as_f64().and_then(Number::from_f64);
            float.map(ScalarKind::Number).ok_or(Unfit::NoJsonForm)
        }
        ("int", ScalarKind::Number(number)) if !number.is_f64() => Ok(ScalarKind::Number(number)),
        ("bool", kind @ ScalarKind::Bool(_)) | ("null", kind @ ScalarKind::Null) => Ok(kind),
        (core, _) => Err(Unfit::Tag(core)),
    }
}

/// The number a text stands for, if it stands for one.
pub(super) fn number(text: &str) -> Result<Option<Number>, NoJsonForm> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(digits, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(NoJsonForm);
    }
    if let Some((radix, digits)) = prefixed(text) {
        let whole = u64::from_str_radix(digits, radix).ok().ok_or(NoJsonForm)?;
        return Ok(Some(whole.into()));
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

/// Warns of a number with more digits than its value can keep.
pub(super) fn warn_if_inexact(text: &str, number: &Number, span: Span, problems: &Problems) {
    if number.is_f64() && is_inexact(text, number) {
        let problem = Diagnostic::warning("inexact-number", format!("`{text}` is read as {number}"));
        problems.add(span, problem.help("put it in quotes to keep every digit"));
    }
}

/// Whether the shortest text of the value is of another value than the text it was read from.
fn is_inexact(text: &str, number: &Number) -> bool {
    digits(text) != digits(&number.to_string())
}

/// The significant digits of a decimal number and the power of ten behind them: `1.50` and `15e-1` are equal. Signs are
/// left out, for they are never lost.
fn digits(text: &str) -> (String, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let all = all.trim_start_matches(['-', '+', '0']);
    let significant = all.trim_end_matches('0');
    if significant.is_empty() {
        return (String::new(), 0);
    }
    let zeros = all.len() - significant.len();
    let exponent = exponent.parse::<i64>().unwrap_or(i64::MIN);
    let exponent = exponent
        .saturating_add_unsigned(zeros as u64)
        .saturating_sub_unsigned(fraction.len() as u64);
    (significant.to_owned(), exponent)
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
        value_of(resolve(text).expect("has a JSON form"), text)
    }

    fn value_of(kind: ScalarKind, text: &str) -> Value {
        match kind {
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
        for text in [
            ".inf",
            "-.INF",
            ".nan",
            "1e999",
            "0xFFFFFFFFFFFFFFFFFF",
            "0o7777777777777777777777777",
        ] {
            assert_eq!(resolve(text), Err(NoJsonForm), "{text}");
        }
    }

    #[test]
    fn a_tag_has_to_tell_the_truth() {
        for (core, text, value) in [
            ("int", "3", json!(3)),
            ("float", "3", json!(3.0)),
            ("float", "1.5", json!(1.5)),
            ("bool", "True", json!(true)),
            ("null", "~", json!(null)),
        ] {
            let kind = resolve_as(core, text).expect("it is of this type");
            assert_eq!(value_of(kind, text), value, "!!{core} {text}");
        }
        for (core, text) in [
            ("int", "abc"),
            ("int", "3.7"),
            ("float", "x"),
            ("bool", "yes"),
            ("bool", "1"),
            ("null", "x"),
        ] {
            assert_eq!(resolve_as(core, text), Err(Unfit::Tag(core)), "!!{core} {text}");
        }
        assert_eq!(resolve_as("float", ".inf"), Err(Unfit::NoJsonForm));
    }

    #[test]
    fn knows_when_digits_are_lost() {
        let is_lost = |text: &str| is_inexact(text, &number(text).unwrap().unwrap());
        for text in [
            "12345678901234567890123",
            "1.00000000000000000001",
            "1e-400",
            "0.1000000000000000055511151231257827",
        ] {
            assert!(is_lost(text), "{text}");
        }
        for text in [
            "1.5",
            "1.50",
            "0.1",
            "-0.0",
            "0e5",
            "1e23",
            "100000000000000000000000",
            "+1.25E+2",
            "5.",
            ".5",
        ] {
            assert!(!is_lost(text), "{text}");
        }
    }
}
