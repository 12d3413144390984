//! The id of a commit.

use std::{fmt, str::FromStr};

/// A whole commit id: 40 lowercase hexadecimal digits. Nothing else is ever put into an address or given to git.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha(String);

/// Digits of a commit id where people read it.
const SHORT: usize = 7;

impl Sha {
    /// All digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As people read it.
    pub fn short(&self) -> &str {
        &self.0[..SHORT]
    }
}

impl FromStr for Sha {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        // GitHub writes 40 zeros where there is no commit.
        let is_one = text.len() == 40 && text.bytes().all(is_digit) && text.bytes().any(|byte| byte != b'0');
        if is_one {
            Ok(Self(text.to_owned()))
        } else {
            Err("expected the 40 hexadecimal digits of a commit".to_owned())
        }
    }
}

impl fmt::Display for Sha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_forty_hexadecimal_digits() {
        let whole = "a1b2c3d4e5".repeat(4);
        let sha: Sha = whole.parse().unwrap();
        assert_eq!((sha.as_str(), sha.short()), (whole.as_str(), "a1b2c3d"));
        for wrong in [
            "",
            "abc1234",
            "--upload-pack=x",
            &"0".repeat(40),
            &"A".repeat(40),
            &"a".repeat(64),
        ] {
            assert!(wrong.parse::<Sha>().is_err(), "{wrong}");
        }
    }
}
