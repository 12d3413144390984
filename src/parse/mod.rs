//! Text in, model and diagnostics out. One file a dialect; nothing is read, nothing is run.

mod allow;
mod argument;
mod budget;
mod day;
mod expect;
mod fixture;
mod gate;
mod globs;
mod hints;
mod json;
mod json_schema;
mod mapping;
mod odd;
mod problems;
mod project;
mod reader;
mod scalar;
mod server;
mod settings;
mod step;
mod tree;
mod variable;
mod yaml;
mod yaml_error;

use std::sync::Arc;

pub use allow::{Allowance, AllowedTarget};
pub use gate::GateSettings;
pub use json_schema::{fixture_schema, project_schema};
pub use project::{Defaults, DiscoverySettings, HistorySettings, MOST_CONCURRENCY, Project};

use crate::{
    model::Case,
    source::{Diagnostic, SourceFile},
};

/// What a file gave: as much of the model as could be read, and everything that is wrong in it.
#[derive(Debug)]
pub struct Parsed<T> {
    /// As much as could be read; absent if that is nothing. Whether it may be run is said by [`is_usable`](Self::is_usable):
    /// beside an error it is only good for finding more that is wrong.
    pub value: Option<T>,
    /// All problems, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Parsed<T> {
    fn finish(value: Option<T>, problems: problems::Problems) -> Self {
        Self {
            value,
            diagnostics: problems.into_sorted(),
        }
    }

    /// Whether the value is there and no error stands beside it.
    pub fn is_usable(&self) -> bool {
        self.value.is_some() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a fixture: one case a file.
pub fn fixture(source: &Arc<SourceFile>) -> Parsed<Case> {
    fixture::parse(source)
}

/// Reads the project file `mcpvals.yaml`.
pub fn project(source: &Arc<SourceFile>) -> Parsed<Project> {
    project::parse(source)
}
