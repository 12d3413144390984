//! Whom a plan asks, and what for.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;

use super::{Plan, PlannedCase, PlannedStep, Target};
use crate::model::ServerSpec;

/// A server that is asked, and the calls of all cases to it.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The server.
    pub spec: Arc<ServerSpec>,
    /// The calls, in the order of the plan.
    pub calls: Vec<Call>,
}

/// One call that will be made.
#[derive(Debug, Clone)]
pub struct Call {
    /// The case and step: `file › name › step`.
    pub place: String,
    /// The tool.
    pub tool: String,
    /// The arguments; absent where they depend on values of earlier steps.
    pub arguments: Option<Value>,
}

/// The servers that the cases of a plan ask, by their labels.
pub fn asked(plan: &Plan) -> BTreeMap<Arc<str>, Asked> {
    let mut servers = BTreeMap::new();
    for case in plan.iter().filter(|case| case.skip.is_none()) {
        let Target::Server { spec, label } = &case.target else {
            continue;
        };
        let server = servers.entry(Arc::clone(label)).or_insert_with(|| Asked {
            spec: Arc::clone(spec),
            calls: Vec::new(),
        });
        let steps = case.steps.iter().filter(|step| step.skip.is_none());
        server.calls.extend(steps.map(|step| call(case, step)));
    }
    servers
}

fn call(case: &PlannedCase, step: &PlannedStep) -> Call {
    let input = step.input.get();
    Call {
        place: format!("{} › {}", case.id, step.id),
        tool: step.tool.clone(),
        arguments: if input.contains("{{") {
            None
        } else {
            serde_json::from_str(input).ok()
        },
    }
}
