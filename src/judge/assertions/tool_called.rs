//! `tool_called`: this tool was called, and the server lists it.

use std::sync::Arc;

use serde_json::Value;

use super::{Assertion, AssertionKind, Compiled, Problem, argument, evidence::expected};
use crate::{
    model::{Mode, Outcome, Status, Trace},
    source, text,
};

const KEY: &str = "tool_called";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "this tool was called and is in the server's list of tools",
    example: "search",
    schema: argument::text_schema,
    is_text: argument::everywhere,
    compile,
};

struct ToolCalled {
    tool: String,
}

fn compile(argument: &Value) -> Compiled {
    let tool = argument::text(KEY, argument)?;
    if tool.trim().is_empty() {
        return Err(Problem::new("empty-expectation", format!("`{KEY}` has no tool name")).into());
    }
    Ok(Arc::new(ToolCalled { tool }))
}

impl Assertion for ToolCalled {
    fn check(&self, trace: &Trace) -> Outcome {
        let tool = expected(&self.tool);
        if trace.tool != self.tool {
            let message = format!(
                "expected {tool} to be called, but the step calls {}",
                expected(&trace.tool)
            );
            return Outcome::new(KEY, Status::Failed, message);
        }
        if trace.mode == Mode::Simulated {
            let message = format!("the step calls {tool} (simulated: no server was asked)");
            return Outcome::new(KEY, Status::Passed, message);
        }
        let Some(listed) = &trace.listed_tools else {
            let message = format!("{tool} was called, but the server's list of tools is not known");
            return Outcome::new(KEY, Status::Errored, message);
        };
        if listed.contains(&self.tool) {
            return Outcome::new(
                KEY,
                Status::Passed,
                format!("{tool} was called and the server lists it"),
            );
        }
        let near = source::nearest(&self.tool, listed.iter().map(String::as_str));
        let hint = near.map_or_else(
            || format!("it lists {}", text::count(listed.len(), "other tool")),
            |near| format!("did you mean {}?", expected(near)),
        );
        Outcome::new(
            KEY,
            Status::Failed,
            format!("{tool} was called, but the server does not list it; {hint}"),
        )
    }

    fn needs_tool_list(&self) -> bool {
        true
    }
}
