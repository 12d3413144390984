//! From what the files say to what will run: variables, placeholders, defaults, selection.

mod asked;
mod compile;
mod definition;
mod environment;
mod expand;
mod label;
mod locate;
mod passwords;
mod references;
mod secrets;
mod select;
mod server;
mod telling;
mod template;
#[cfg(test)]
mod tests;
mod unsendable;
mod vars;
mod waiting;
mod written;

use std::{collections::VecDeque, sync::Arc};

use serde_json::{Map, Value, value::RawValue};

pub use asked::{Asked, Call, asked};
pub use compile::{Compiler, Settings};
pub use environment::Environment;
pub use secrets::Secrets;
pub use select::{Choice, Filter, Rerun, Shard};
pub use template::{Scope, StepValue, fill};
pub use written::written_secrets;

use crate::{
    judge::assertions::{Assertion, AssertionKind},
    model::{CaseId, Definition, Mode, ServerScope, ServerSpec, TimeLimit},
    source::Location,
};

/// Cases that wait to be run, in order. Each has its own piece of memory, which it gives back when it is begun.
pub type Plan = VecDeque<Box<PlannedCase>>;

/// A case ready to be run: everything looked up, expanded, checked.
pub struct PlannedCase {
    /// Stable key.
    pub id: CaseId,
    /// The author's name for it.
    pub name: String,
    /// The author's description.
    pub description: Option<String>,
    /// Words to select it by.
    pub tags: Vec<String>,
    /// Where it is declared.
    pub location: Location,
    /// Where its outputs come from, were it run.
    pub mode: Mode,
    /// Whom it talks to; nobody, where it is skipped.
    pub target: Target,
    /// What it asks for, in short.
    pub definition: Definition,
    /// How far its server is shared.
    pub scope: ServerScope,
    /// Why it is not to be run.
    pub skip: Option<String>,
    /// Attempts after the first.
    pub retries: u32,
    /// Values for `{{vars.NAME}}`.
    pub vars: Arc<Map<String, Value>>,
    /// What is done, in order.
    pub steps: Vec<PlannedStep>,
}

/// Whom a case talks to.
#[derive(Debug, Clone)]
pub enum Target {
    /// Nobody: outputs come from `expected_output`.
    Simulated,
    /// A server.
    Server {
        /// How to start or reach it.
        spec: Arc<ServerSpec>,
        /// What it is called in reports.
        label: Arc<str>,
    },
}

/// A step ready to be run.
pub struct PlannedStep {
    /// Name of the step in its case.
    pub id: String,
    /// The author's description.
    pub description: Option<String>,
    /// The tool to call.
    pub tool: String,
    /// Arguments, a JSON object; placeholders in them are filled when the step is reached. Kept as text, which takes a
    /// tenth of the memory of the parsed value while the step waits for its turn.
    pub input: Box<RawValue>,
    /// The output in simulation mode.
    pub expected_output: Option<String>,
    /// What is asserted, in the order written.
    pub assertions: Vec<PlannedAssertion>,
    /// Why it is not to be run.
    pub skip: Option<String>,
    /// The limit of the call.
    pub timeout: TimeLimit,
    /// Whether a later step refers to it.
    pub is_referenced: bool,
    /// Where it is declared.
    pub location: Location,
}

/// An assertion and the place it was written at.
pub struct PlannedAssertion {
    /// Its kind.
    pub kind: &'static AssertionKind,
    /// Where the expectation is written.
    pub location: Location,
    /// How it comes to be.
    pub compiled: CompiledAssertion,
}

/// An assertion that is ready, or one that waits for values of earlier steps.
pub enum CompiledAssertion {
    /// Ready to judge.
    Ready(Arc<dyn Assertion>),
    /// The argument has placeholders.
    Waiting(Box<Value>),
}
