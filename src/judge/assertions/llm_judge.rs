//! `llm_judge`: a language model grades the output. Its argument is read; grading is not available yet.

use serde_json::{Map, Value, json};

use super::{Assertion, AssertionKind, Problem, argument};
use crate::model::{Outcome, Status, Trace};

const KEY: &str = "llm_judge";
const TAKES: &str = "a mapping with `prompt_template`, `min_score` and `model`";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "a language model gives the output at least `min_score` (0 to 1); not available yet",
    example: "{prompt_template: \"Is this a greeting? {actual}\", min_score: 0.8, model: gpt-4o}",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "prompt_template": { "type": "string", "minLength": 1 },
                "min_score": { "type": "number", "minimum": 0, "maximum": 1 },
                "model": { "type": "string", "minLength": 1 },
                "expected": argument::text_schema(),
            },
            "required": ["prompt_template", "min_score", "model"],
            "additionalProperties": false,
        })
    },
    compile,
};

struct LlmJudge;

fn compile(argument: &Value) -> Result<Box<dyn Assertion>, Problem> {
    let known = ["prompt_template", "min_score", "model", "expected"];
    let map = argument::mapping(KEY, TAKES, &known, argument)?;
    for key in ["prompt_template", "model"] {
        required_text(map, key)?;
    }
    if let Some(expected) = map.get("expected") {
        argument::text("llm_judge.expected", expected)?;
    }
    let score = map.get("min_score").ok_or_else(|| missing("min_score"))?;
    if !score.as_f64().is_some_and(|score| (0.0..=1.0).contains(&score)) {
        return Err(argument::wrong("llm_judge.min_score", "a number from 0 to 1", score));
    }
    Ok(Box::new(LlmJudge))
}

fn required_text(map: &Map<String, Value>, key: &str) -> Result<(), Problem> {
    let text = argument::text(&format!("{KEY}.{key}"), map.get(key).ok_or_else(|| missing(key))?)?;
    if text.trim().is_empty() {
        return Err(Problem::new("invalid-argument", format!("`{KEY}.{key}` is empty")));
    }
    Ok(())
}

fn missing(key: &str) -> Problem {
    Problem::new("missing-key", format!("`{KEY}` has no `{key}`")).help(format!("it takes {TAKES}"))
}

impl Assertion for LlmJudge {
    fn check(&self, _trace: &Trace) -> Outcome {
        Outcome::new(KEY, Status::Errored, "`llm_judge` is not available yet")
    }
}
