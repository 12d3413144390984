//! A text that no log and no report shows.

use std::fmt;

/// A token. It is shown as `***` wherever it is formatted.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// What it really is.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_never_shown() {
        let secret = Secret::from("ghs_canary".to_owned());
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(secret.reveal(), "ghs_canary");
    }
}
