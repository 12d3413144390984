//! Text in, model and diagnostics out. One file a dialect; nothing is read, nothing is run.

mod fixture;
mod project;

use std::sync::Arc;

pub use project::Project;

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

/// Reads a fixture: one case a file.
pub fn fixture(source: &Arc<SourceFile>) -> Parsed<Case> {
    fixture::parse(source)
}

/// Reads the project file `mcpvals.yaml`.
pub fn project(source: &Arc<SourceFile>) -> Parsed<Project> {
    project::parse(source)
}
