//! What a file asks for: cases made of steps.

use std::{fmt, sync::Arc, time::Duration};

use super::{Argument, Expectation, ServerDeclaration};
use crate::source::{Located, Location};

/// What stands between the file and the name in a key.
const SEPARATOR: &str = " › ";

/// The stable key of a case: `file › name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseId(Arc<str>);

impl CaseId {
    /// The key of the case `name` in `file`.
    pub fn new(file: &str, name: &str) -> Self {
        Self(format!("{file}{SEPARATOR}{name}").into())
    }

    /// The file in a key that is given as text.
    pub fn file_in(id: &str) -> &str {
        id.split_once(SEPARATOR).map_or(id, |(file, _)| file)
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for CaseId {
    fn from(id: String) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One case as a file declares it: an ordered list of tool calls against one server.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name the author gave it.
    pub name: String,
    /// What it is for, in the author's words.
    pub description: Option<String>,
    /// Words to select it by.
    pub tags: Vec<String>,
    /// Where it is declared (the value of `name`).
    pub location: Location,
    /// The server it talks to.
    pub server: ServerChoice,
    /// How far the server is shared, if the author says so.
    pub server_scope: Option<ServerScope>,
    /// When it is not to be run.
    pub skip: Option<Skip>,
    /// How often a case that did not pass is tried again, if the author says so.
    pub retries: Option<u32>,
    /// The limit of each call, if the author says so.
    pub timeout: Option<Duration>,
    /// Named values for placeholders, before `${VAR}` is expanded.
    pub vars: Vec<(Located<String>, Argument)>,
    /// What is done, in order; never empty.
    pub steps: Vec<Step>,
}

/// Which server a case talks to.
#[derive(Debug, Clone)]
pub enum ServerChoice {
    /// None: outputs are taken from `expected_output` (simulation mode).
    Simulated,
    /// The server block of the fixture itself.
    Inline(Box<ServerDeclaration>),
    /// A server of the project file, by name.
    Named(Located<String>),
}

/// How far one server process is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ServerScope {
    /// A fresh server for each case.
    #[default]
    Case,
    /// One server for the cases of a file.
    File,
    /// One server for all cases of the run that declare the same one.
    Run,
}

/// When something is not to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Skip {
    /// Never run, for this reason.
    Always {
        /// The author's reason.
        reason: String,
    },
    /// Only run where this environment variable is set and not empty.
    UnlessEnv {
        /// Name of the variable.
        name: String,
    },
}

/// One tool call and what is expected of it.
#[derive(Debug, Clone)]
pub struct Step {
    /// Name of the step, unique in its case.
    pub id: String,
    /// What it is for, in the author's words.
    pub description: Option<String>,
    /// The tool to call.
    pub tool: Located<String>,
    /// Arguments, a JSON object with placeholders as written.
    pub input: Argument,
    /// The output in simulation mode.
    pub expected_output: Option<Located<String>>,
    /// Assertions as written, in the order written.
    pub expect: Vec<Expectation>,
    /// When it is not to be run.
    pub skip: Option<Skip>,
    /// The limit of the call, if the author says so.
    pub timeout: Option<Duration>,
    /// Where it is declared (the value of `id`).
    pub location: Location,
}
