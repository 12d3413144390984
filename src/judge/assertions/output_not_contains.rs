//! `output_not_contains`: the output has this text nowhere.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Assertion, AssertionKind, Compiled, argument,
    evidence::{all_expected, output, shown_at},
};
use crate::model::{Outcome, Status, Trace};

const KEY: &str = "output_not_contains";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the output contains neither this text nor any text of a list; case-sensitive",
    example: "Traceback",
    schema: argument::texts_schema,
    is_text: argument::everywhere,
    compile,
};

fn compile(argument: &Value) -> Compiled {
    Ok(Arc::new(OutputNotContains {
        texts: argument::texts(KEY, argument)?,
    }))
}

struct OutputNotContains {
    texts: Vec<String>,
}

impl Assertion for OutputNotContains {
    fn check(&self, trace: &Trace) -> Outcome {
        let output = output(trace);
        let mut hits = self
            .texts
            .iter()
            .filter_map(|text| Some((output.find(text.as_str())?, text)));
        let Some((at, hit)) = hits.next() else {
            let texts = all_expected(self.texts.iter().map(String::as_str));
            return Outcome::new(KEY, Status::Passed, format!("the output does not contain {texts}"));
        };
        let line = output[..at].matches('\n').count() + 1;
        let message = format!(
            "expected the output not to contain {}, but line {line} has it: {}",
            all_expected(std::iter::once(hit.as_str()).chain(hits.map(|(_, text)| text.as_str()))),
            shown_at(output, at, hit.len()),
        );
        Outcome::new(KEY, Status::Failed, message)
    }
}
