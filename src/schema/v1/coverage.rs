//! How far the tools of a server are covered, as part of `mcpvals.report/v1`.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model;

/// How far the cases cover the tools of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage<'a> {
    /// What the server is called in reports.
    pub server: Cow<'a, str>,
    /// How many tools it has.
    pub tools: usize,
    /// Tools that are not in the baseline and have no case.
    pub added: Vec<Cow<'a, str>>,
    /// The other tools without a case.
    pub uncovered: Vec<Cow<'a, str>>,
}

impl<'a> From<&'a model::Coverage> for Coverage<'a> {
    fn from(coverage: &'a model::Coverage) -> Self {
        let texts = |names: &'a [String]| names.iter().map(|name| name.as_str().into()).collect();
        Self {
            server: coverage.server.as_str().into(),
            tools: coverage.tools,
            added: texts(&coverage.added),
            uncovered: texts(&coverage.uncovered),
        }
    }
}
