//! The calculator's tools: text in the plainest form, one number an answer.

use rmcp::{handler::server::wrapper::Parameters, schemars, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

use super::DemoServer;

/// The two numbers of every calculation.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Operands {
    /// Left operand.
    a: f64,
    /// Right operand.
    b: f64,
}

#[tool_router(router = calculator, vis = "pub(super)")]
impl DemoServer {
    /// Adds two numbers.
    #[tool(annotations(read_only_hint = true))]
    async fn add(&self, Parameters(Operands { a, b }): Parameters<Operands>) -> String {
        (a + b).to_string()
    }

    /// Subtracts b from a.
    #[tool(annotations(read_only_hint = true))]
    async fn subtract(&self, Parameters(Operands { a, b }): Parameters<Operands>) -> String {
        (a - b).to_string()
    }

    /// Multiplies two numbers.
    #[tool(annotations(read_only_hint = true))]
    async fn multiply(&self, Parameters(Operands { a, b }): Parameters<Operands>) -> String {
        (a * b).to_string()
    }

    /// Divides a by b; division by zero is an error.
    #[tool(annotations(read_only_hint = true))]
    async fn divide(&self, Parameters(Operands { a, b }): Parameters<Operands>) -> Result<String, String> {
        if b == 0.0 {
            return Err(format!("division by zero: {a} / {b}"));
        }
        Ok((a / b).to_string())
    }
}
