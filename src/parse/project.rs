//! The project file `mcpvals.yaml`: named servers and defaults.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::Parsed;
use crate::{
    model::{ServerDeclaration, ServerScope},
    source::SourceFile,
};

/// What the project file says.
#[derive(Debug, Default)]
pub struct Project {
    /// The file itself, for messages; absent where there is no project file.
    pub source: Option<Arc<SourceFile>>,
    /// Servers that fixtures can name.
    pub servers: BTreeMap<String, ServerDeclaration>,
    /// `defaults:`, used where neither the fixture nor the command line says otherwise.
    pub defaults: Defaults,
    /// `secrets:`, names of environment variables whose values are redacted.
    pub secrets: Vec<String>,
}

/// The `defaults:` block.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Defaults {
    /// Limit of each call.
    pub timeout: Option<Duration>,
    /// Limit of a server's start.
    pub startup_timeout: Option<Duration>,
    /// Cases at a time.
    pub concurrency: Option<usize>,
    /// How far servers are shared.
    pub server_scope: Option<ServerScope>,
    /// Attempts after the first.
    pub retries: Option<u32>,
}

pub(super) fn parse(source: &Arc<SourceFile>) -> Parsed<Project> {
    let _ = source;
    unimplemented!()
}
