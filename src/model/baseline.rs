//! What a run left behind for later ones to be compared with.

use std::{collections::BTreeMap, fmt, time::Duration};

use super::{CaseId, Status, Surface};

/// The results of one commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// The commit, if that is known.
    pub commit: Option<String>,
    /// The version of this tool that ran.
    pub tool_version: String,
    /// Operating system and architecture, such as `linux x86_64`.
    pub environment: String,
    /// The surface of each server, by the name it has in reports.
    pub servers: BTreeMap<String, Surface>,
    /// One entry a case that ran, in the order of ids.
    pub cases: Vec<BaselineCase>,
}

/// How one case ended.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineCase {
    /// Stable key.
    pub id: CaseId,
    /// What the case asked for.
    pub definition: Definition,
    /// The verdict over all attempts.
    pub status: Status,
    /// How often it was tried.
    pub attempts: usize,
    /// The protocol version in use.
    pub protocol: Option<String>,
    /// Its steps, in order.
    pub steps: Vec<BaselineStep>,
}

/// How one step ended.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineStep {
    /// Name of the step in its case.
    pub id: String,
    /// The verdict.
    pub status: Status,
    /// What came back.
    pub output: Option<BaselineOutput>,
    /// The latency of each good attempt, in the order of attempts.
    pub latencies: Vec<Duration>,
    /// The key and the verdict of each assertion, in order.
    pub outcomes: Vec<(String, Status)>,
}

/// An output, as far as it is worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineOutput {
    /// Its first part, after what differs from run to run was replaced.
    pub excerpt: String,
    /// Whether that is all of it.
    pub is_whole: bool,
    /// The SHA-256 of what a result keeps of it, after the same.
    pub digest: String,
}

/// What a case asks for, in short: equal where steps, inputs and expectations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Definition(pub u64);

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
