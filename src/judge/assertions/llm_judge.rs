//! `llm_judge`: a language model grades the output. Its argument is read; grading is not available yet.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    Assertion, AssertionKind, Compiled, Problem,
    argument::{self, Keys},
};
use crate::model::{Outcome, Status, Trace};

const KEY: &str = "llm_judge";
const TAKES: &str = "a mapping with `prompt_template`, `min_score` and `model`";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "a language model gives the output at least `min_score` (0 to 1); not available yet",
    example: "{prompt_template: \"Is this a greeting? {actual}\", min_score: 0.8, model: gpt-4o}",
    schema: || {
        let filled = json!({ "type": ["string", "number", "boolean"], "minLength": 1 });
        json!({
            "type": "object",
            "properties": {
                "prompt_template": filled,
                "min_score": { "type": "number", "minimum": 0, "maximum": 1 },
                "model": filled,
                "expected": argument::text_schema(),
            },
            "required": ["prompt_template", "min_score", "model"],
            "additionalProperties": false,
        })
    },
    is_text: |pointer| !matches!(pointer, "" | "/min_score"),
    compile,
};

struct LlmJudge;

fn compile(argument: &Value) -> Compiled {
    let known = ["prompt_template", "min_score", "model", "expected"];
    let mut keys = Keys::of(KEY, TAKES, &known, argument)?;
    keys.required("prompt_template", filled_text);
    keys.required("min_score", score);
    keys.required("model", filled_text);
    keys.optional("expected", argument::text);
    keys.finish()?;
    Ok(Arc::new(LlmJudge))
}

fn filled_text(name: &str, argument: &Value) -> Result<String, Problem> {
    let text = argument::text(name, argument)?;
    if text.trim().is_empty() {
        return Err(Problem::new("invalid-argument", format!("`{name}` is empty")));
    }
    Ok(text)
}

fn score(name: &str, argument: &Value) -> Result<f64, Problem> {
    let score = argument.as_f64().filter(|score| (0.0..=1.0).contains(score));
    score.ok_or_else(|| argument::wrong(name, "a number from 0 to 1", argument))
}

impl Assertion for LlmJudge {
    fn check(&self, _trace: &Trace) -> Outcome {
        Outcome::new(KEY, Status::Errored, "`llm_judge` is not available yet")
    }
}
