//! The nouns: plain data that every stage hands on.

mod baseline;
mod case;
mod comparison;
mod expectation;
mod fault;
mod finding;
mod outcome;
mod policy;
mod report;
mod server;
mod status;
mod surface;
mod time_limit;
mod trace;

pub use baseline::{Baseline, BaselineCase, BaselineOutput, BaselineStep, Definition};
pub use case::{Case, CaseId, ServerChoice, ServerScope, Skip, Step};
pub use comparison::{
    BaselineOrigin, CaseChange, CaseComparison, Comparison, LatencyChange, OutputChange, SurfaceComparison,
};
pub use expectation::{Argument, Expectation};
pub use fault::{Fault, FaultKind, Origin, Phase};
pub use finding::Finding;
pub use outcome::{Difference, Outcome};
pub use policy::{FailOn, KnownFailure, Policy};
pub use report::{
    Attempt, CaseResult, ExitCode, Mode, Output, Passes, Report, Selection, ServerIdentity, StepResult, Totals, Verdict,
};
pub use server::{
    HttpSpec, Launch, LaunchDeclaration, Readiness, ServerDeclaration, ServerSpec, StdioSpec, Text,
    TransportDeclaration,
};
pub use status::Status;
pub use surface::{ChangeClass, Coverage, Missing, Surface, SurfaceChange, Witness};
pub use time_limit::TimeLimit;
pub use trace::{Heard, Notification, ProtocolError, Reply, ToolResult, Trace};
