//! Text in, model and diagnostics out. One file a dialect; nothing is read, nothing is run.

mod budget;
mod duration;
mod expect;
mod fixture;
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
mod yaml;
mod yaml_error;

use std::sync::Arc;

pub use json_schema::{fixture_schema, project_schema};
pub use project::{Defaults, DiscoverySettings, Project};

use crate::{
    model::Case,
    source::{Diagnostic, SourceFile},
};

/// What a file gave: as much of the model as could be read, and everything that is wrong in it.
#[derive(Debug)]
pub struct Parsed<T> {
    /// Absent if any diagnostic is an error.
    pub value: Option<T>,
    /// All problems, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Parsed<T> {
    fn finish(value: Option<T>, problems: problems::Problems) -> Self {
        Self {
            value: value.filter(|_| !problems.has_error()),
            diagnostics: problems.into_sorted(),
        }
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
