//! `mcpvals.baseline/v1`: the results of a commit, canonical, so that equal results are equal files.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Status, Surface};
use crate::{
    model::{self, CaseId, Definition},
    text::{canonical, digest},
};

/// The name that a baseline of this version carries in `schema`.
pub const BASELINE: &str = "mcpvals.baseline/v1";

/// The results of one commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Baseline {
    /// Always `mcpvals.baseline/v1`.
    pub schema: String,
    /// SHA-256 of everything else, so that damage is noticed.
    pub digest: String,
    /// The commit, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The version of mcpvals that ran.
    pub tool_version: String,
    /// Operating system and architecture.
    pub environment: String,
    /// What each server declared, by its name in the project file, else by its command or its address.
    pub servers: BTreeMap<String, Surface>,
    /// The cases by id. Simulated cases are not among them.
    pub cases: BTreeMap<String, BaselineCase>,
}

/// How one case ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineCase {
    /// Equal where steps, inputs and expectations are: 16 hexadecimal digits.
    pub definition: String,
    /// The verdict over all attempts.
    pub status: Status,
    /// How often it was tried.
    pub attempts: usize,
    /// The protocol version in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// Its steps, in order.
    pub steps: Vec<BaselineStep>,
}

/// How one step ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineStep {
    /// Name of the step in its case.
    pub id: String,
    /// The verdict.
    pub status: Status,
    /// What came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<BaselineOutput>,
    /// The latency of each good attempt in milliseconds; only where the case was run several times, since one says
    /// nothing and would make every baseline another file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latencies_ms: Vec<f64>,
    /// The key and the verdict of each assertion, in order.
    pub outcomes: Vec<(String, Status)>,
}

/// An output, as far as it is worth keeping. What differs from run to run is replaced: times, ids, ports, paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineOutput {
    /// Its first part.
    pub excerpt: String,
    /// Whether that is all of it.
    pub is_whole: bool,
    /// SHA-256 of what a result keeps of it.
    pub digest: String,
}

/// The baseline as text.
pub fn write_baseline(baseline: &model::Baseline) -> String {
    let mut form = Baseline::from(baseline);
    form.digest = form.digest_of_the_rest();
    let value = serde_json::to_value(&form).unwrap_or_default();
    format!("{:#}\n", canonical(&value))
}

/// Reads a baseline. The error says why the text is none that can be used, as a lowercase fragment.
pub fn read_baseline(text: &str) -> Result<model::Baseline, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    match value.get("schema").and_then(Value::as_str) {
        Some(BASELINE) => {}
        Some(other) => {
            let other = crate::text::quote(other, 60);
            return Err(format!(
                "it is of the schema {other}, and this version reads `{BASELINE}`"
            ));
        }
        None => return Err("it does not say which schema it is of".to_owned()),
    }
    let form: Baseline = serde_json::from_value(value).map_err(|error| format!("it is damaged: {error}"))?;
    if form.digest != form.digest_of_the_rest() {
        return Err("it was changed after it was written: its `digest` does not fit".to_owned());
    }
    form.try_into()
}

impl Baseline {
    fn digest_of_the_rest(&self) -> String {
        let rest = Self {
            digest: String::new(),
            ..self.clone()
        };
        let value = serde_json::to_value(&rest).unwrap_or_default();
        digest(canonical(&value).to_string().as_bytes())
    }
}

impl From<&model::Baseline> for Baseline {
    fn from(baseline: &model::Baseline) -> Self {
        let cases = baseline.cases.iter();
        let servers = baseline.servers.iter();
        Self {
            schema: BASELINE.to_owned(),
            digest: String::new(),
            commit: baseline.commit.clone(),
            tool_version: baseline.tool_version.clone(),
            environment: baseline.environment.clone(),
            servers: servers
                .map(|(label, surface)| (label.clone(), surface.clone().into()))
                .collect(),
            cases: cases.map(|case| (case.id.to_string(), case.into())).collect(),
        }
    }
}

impl From<&model::BaselineCase> for BaselineCase {
    fn from(case: &model::BaselineCase) -> Self {
        Self {
            definition: case.definition.to_string(),
            status: case.status.into(),
            attempts: case.attempts,
            protocol: case.protocol.clone(),
            steps: case.steps.iter().map(BaselineStep::from).collect(),
        }
    }
}

impl From<&model::BaselineStep> for BaselineStep {
    fn from(step: &model::BaselineStep) -> Self {
        let outcomes = step.outcomes.iter();
        Self {
            id: step.id.clone(),
            status: step.status.into(),
            output: step.output.as_ref().map(|output| BaselineOutput {
                excerpt: output.excerpt.clone(),
                is_whole: output.is_whole,
                digest: output.digest.clone(),
            }),
            latencies_ms: step.latencies.iter().map(|one| one.as_secs_f64() * 1e3).collect(),
            outcomes: outcomes.map(|(key, status)| (key.clone(), (*status).into())).collect(),
        }
    }
}

impl TryFrom<Baseline> for model::Baseline {
    type Error = String;

    fn try_from(form: Baseline) -> Result<Self, String> {
        let cases = form.cases.into_iter();
        let servers = form.servers.into_iter();
        Ok(Self {
            commit: form.commit,
            tool_version: form.tool_version,
            environment: form.environment,
            servers: servers.map(|(label, surface)| (label, surface.into())).collect(),
            cases: cases.map(|(id, case)| case.into_model(id)).collect::<Result<_, _>>()?,
        })
    }
}

impl BaselineCase {
    fn into_model(self, id: String) -> Result<model::BaselineCase, String> {
        let definition = u64::from_str_radix(&self.definition, 16)
            .map_err(|_not_a_number| format!("it is damaged: the `definition` of {id:?} is no number"))?;
        let steps = self.steps.into_iter().map(|step| step.into_model(&id));
        let steps = steps.collect::<Result<_, _>>()?;
        Ok(model::BaselineCase {
            id: CaseId::from(id),
            definition: Definition(definition),
            status: self.status.into(),
            attempts: self.attempts,
            protocol: self.protocol,
            steps,
        })
    }
}

impl BaselineStep {
    fn into_model(self, case: &str) -> Result<model::BaselineStep, String> {
        let latencies = self.latencies_ms.into_iter().map(|one| {
            Duration::try_from_secs_f64(one / 1e3)
                .map_err(|_out_of_range| format!("it is damaged: a latency of {case:?} is no time"))
        });
        let outcomes = self.outcomes.into_iter();
        Ok(model::BaselineStep {
            latencies: latencies.collect::<Result<_, _>>()?,
            id: self.id,
            status: self.status.into(),
            output: self.output.map(|output| model::BaselineOutput {
                excerpt: output.excerpt,
                is_whole: output.is_whole,
                digest: output.digest,
            }),
            outcomes: outcomes.map(|(key, status)| (key, status.into())).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline() -> model::Baseline {
        let step = model::BaselineStep {
            id: "a".to_owned(),
            status: model::Status::Passed,
            output: Some(model::BaselineOutput {
                excerpt: "8".to_owned(),
                is_whole: true,
                digest: digest(b"8"),
            }),
            latencies: vec![Duration::from_micros(1500)],
            outcomes: vec![("output_equals".to_owned(), model::Status::Passed)],
        };
        let case = |name: &str| model::BaselineCase {
            id: CaseId::new("a.yaml", name),
            definition: Definition(7),
            status: model::Status::Passed,
            attempts: 1,
            protocol: Some("2025-11-25".to_owned()),
            steps: vec![step.clone()],
        };
        let surface = model::Surface {
            protocol: "2025-11-25".to_owned(),
            tools: vec![serde_json::json!({"name": "add", "inputSchema": {"type": "object"}})],
            ..model::Surface::default()
        };
        model::Baseline {
            commit: Some("abc".to_owned()),
            tool_version: "1".to_owned(),
            environment: "linux x86_64".to_owned(),
            servers: BTreeMap::from([("notes".to_owned(), surface)]),
            cases: vec![case("a"), case("b")],
        }
    }

    #[test]
    fn what_is_written_is_read_and_written_alike() {
        let text = write_baseline(&baseline());
        let read = read_baseline(&text).expect("it can be read");
        assert_eq!(read, baseline());
        assert_eq!(write_baseline(&read), text);
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        let text = write_baseline(&baseline());
        for (text, why) in [
            (text[..text.len() / 2].to_owned(), "it is not JSON"),
            (
                text.replace("\"passed\"", "\"failed\""),
                "it was changed after it was written",
            ),
            (
                text.replace("baseline/v1", "baseline/v9"),
                "it is of the schema `mcpvals.baseline/v9`",
            ),
            ("{}".to_owned(), "it does not say which schema"),
            (text.replace("\"attempts\": 1", "\"attempts\": -1"), "it is damaged"),
        ] {
            let error = read_baseline(&text).expect_err("it cannot be used");
            assert!(error.starts_with(why), "{error}");
        }
    }
}
