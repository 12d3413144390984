//! The environment variables of the run, read once at the edge and handed on as a value.

use std::collections::BTreeMap;

use crate::source::nearest;

/// Variables that a server gets without being named: what the MCP SDKs hand on, and what says where it runs.
const HANDED_ON: [&str; 10] = [
    "PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL", "TERM", "CI",
];

/// A snapshot of environment variables.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Keeps these variables.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// The value of a variable, empty or not.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of a variable that is set and not empty.
    pub fn non_empty(&self, name: &str) -> Option<&str> {
        self.value(name).filter(|value| !value.is_empty())
    }

    /// The name that is near to one that is not set, if there is one.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.0.keys().map(String::as_str))
    }

    /// "did you mean …? " for the beginning of a help, or nothing.
    pub(super) fn near(&self, name: &str) -> String {
        let near = self.nearest(name);
        near.map_or_else(String::new, |near| format!("did you mean `{near}`? "))
    }

    /// What a server under test gets before its own `env` is added.
    pub fn handed_on(&self) -> BTreeMap<String, String> {
        HANDED_ON
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), self.value(name)?.to_owned())))
            .collect()
    }
}
