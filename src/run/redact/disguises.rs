//! The forms in which a secret shows up: encoded or escaped.

mod address;
mod base64;
mod json;
mod markup;
mod quoted;

use std::{collections::BTreeSet, iter};

/// Hexadecimal of less than this could be anything.
const SHORTEST_HEXADECIMAL: usize = 8;

/// The digits of an escape.
#[derive(Clone, Copy)]
enum Hex {
    Lower,
    Upper,
}

impl Hex {
    const BOTH: [Self; 2] = [Self::Lower, Self::Upper];

    /// A number in at least this many digits.
    fn digits(self, number: u32, width: usize) -> String {
        match self {
            Self::Lower => format!("{number:0width$x}"),
            Self::Upper => format!("{number:0width$X}"),
        }
    }
}

/// The forms in which a secret shows up, itself among them. Most secrets look the same in most of them.
pub(super) fn disguises(secret: &str) -> BTreeSet<String> {
    iter::once(secret.to_owned())
        // How a diff shows blanks where nothing else differs.
        .chain([secret.replace(' ', "·")])
        .chain(base64::forms(secret))
        .chain(hexadecimal(secret))
        .chain(address::forms(secret))
        .chain(json::forms(secret))
        .chain(markup::forms(secret))
        .chain(quoted::forms(secret))
        .collect()
}

fn hexadecimal(secret: &str) -> impl Iterator<Item = String> {
    let digits = |hex: Hex| {
        secret
            .bytes()
            .map(|byte| hex.digits(byte.into(), 2))
            .collect::<String>()
    };
    let forms = Hex::BOTH.map(digits).into_iter();
    forms.filter(|digits| digits.len() >= SHORTEST_HEXADECIMAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that each of these is a form of the secret.
    pub(super) fn has(secret: &str, forms: &[&str]) {
        let known = disguises(secret);
        for form in forms {
            assert!(known.contains(*form), "{form} is none of {known:#?}");
        }
    }

    #[test]
    fn a_secret_of_letters_and_digits_looks_the_same_in_most_forms() {
        let forms = disguises("hunter2hunter2");
        // Itself, hexadecimal in two cases, base64 by itself and inside of longer text.
        assert!(forms.len() <= 10, "{forms:#?}");
    }

    #[test]
    fn bytes_in_hexadecimal() {
        has("pä/s", &["70c3a42f73", "70C3A42F73"]);
        assert!(!disguises("x7y").contains("783779"), "it could be anything");
    }
}
