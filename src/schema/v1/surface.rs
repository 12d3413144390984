//! `mcpvals.surface/v1`: what a server declared, in a file that can be committed and compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{model, text};

/// The name that a surface of this version carries in `schema`.
pub const SURFACE_NAME: &str = "mcpvals.surface/v1";

/// What a server declared when it was asked.
///
/// Keys are sorted and nothing depends on when or where it was written, so that equal surfaces are equal files. Values of
/// the server are kept as they were sent. Texts of the server are hostile: escape them wherever they are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "mcpvals.surface/v1")]
pub struct SurfaceFile {
    /// Always `mcpvals.surface/v1`.
    #[schemars(extend("const" = SURFACE_NAME))]
    pub schema: String,
    /// The surface.
    pub surface: Surface,
}

/// What a server declared, each part as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Surface {
    /// The protocol version in use.
    pub protocol: String,
    /// `serverInfo`; null where the server sent none.
    pub server: Value,
    /// `capabilities`.
    pub capabilities: Map<String, Value>,
    /// The instructions for the model; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The tools, in the server's order.
    pub tools: Vec<Value>,
    /// The resources, in the server's order.
    pub resources: Vec<Value>,
    /// The resource templates, in the server's order.
    pub resource_templates: Vec<Value>,
    /// The prompts, in the server's order.
    pub prompts: Vec<Value>,
    /// What was announced and could not be listed.
    pub missing: Vec<Missing>,
}

/// A list that was announced and could not be had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// The method that lists it, such as `prompts/list`.
    pub method: String,
    /// Why it could not.
    pub reason: String,
}

/// Why a text is not a surface that can be read.
#[derive(Debug, thiserror::Error)]
pub enum SurfaceError {
    /// It is not JSON.
    #[error("it is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// It is JSON of another kind.
    #[error("it is no surface: it has no `schema` (`mcpvals surface` writes one)")]
    NoSchema,
    /// It is of another kind or version.
    #[error("its `schema` is {0}, and only `{SURFACE_NAME}` can be read here")]
    OtherSchema(String),
    /// It calls itself a surface and is none.
    #[error("it is not a valid `{SURFACE_NAME}`: {0}")]
    Invalid(serde_json::Error),
}

impl SurfaceFile {
    /// The surface in a text; only this version, and only what is whole.
    pub fn read(text: &str) -> Result<model::Surface, SurfaceError> {
        let value: Value = serde_json::from_str(text).map_err(SurfaceError::NotJson)?;
        match value.get("schema") {
            Some(Value::String(name)) if name == SURFACE_NAME => {}
            Some(Value::String(other)) => return Err(SurfaceError::OtherSchema(text::quote(other, 80))),
            _ => return Err(SurfaceError::NoSchema),
        }
        let file: Self = serde_json::from_value(value).map_err(SurfaceError::Invalid)?;
        Ok(file.surface.into())
    }

    /// The text of a surface: keys sorted, a line a value, a line break at the end.
    pub fn write(surface: &model::Surface) -> String {
        let file = Self {
            schema: SURFACE_NAME.to_owned(),
            surface: surface.clone().into(),
        };
        let value = serde_json::to_value(file).expect("it is made of JSON values");
        format!("{:#}\n", text::canonical(&value))
    }
}

impl From<model::Surface> for Surface {
    fn from(surface: model::Surface) -> Self {
        let model::Surface {
            protocol,
            server,
            capabilities,
            instructions,
            tools,
            resources,
            resource_templates,
            prompts,
            missing,
        } = surface;
        let missing = missing
            .into_iter()
            .map(|model::Missing { method, reason }| Missing { method, reason });
        Self {
            protocol,
            server,
            capabilities,
            instructions,
            tools,
            resources,
            resource_templates,
            prompts,
            missing: missing.collect(),
        }
    }
}

impl From<Surface> for model::Surface {
    fn from(surface: Surface) -> Self {
        let Surface {
            protocol,
            server,
            capabilities,
            instructions,
            tools,
            resources,
            resource_templates,
            prompts,
            missing,
        } = surface;
        let missing = missing
            .into_iter()
            .map(|Missing { method, reason }| model::Missing { method, reason });
        Self {
            protocol,
            server,
            capabilities,
            instructions,
            tools,
            resources,
            resource_templates,
            prompts,
            missing: missing.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::v1::surface_json_schema;

    /// Written by the first release of the schema; never edited.
    const KEPT: &str = include_str!("../../../tests/schema/surface-v1.json");

    #[test]
    fn the_kept_sample_is_valid_and_written_back_unaltered() {
        let surface = SurfaceFile::read(KEPT).unwrap();
        assert_eq!(surface.missing.len(), 1);
        assert_eq!(SurfaceFile::write(&surface), KEPT);
        let validator = jsonschema::draft202012::new(&surface_json_schema()).unwrap();
        assert!(validator.is_valid(&serde_json::from_str(KEPT).unwrap()));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let said = |text: &str| SurfaceFile::read(text).unwrap_err().to_string();
        assert!(said("{").starts_with("it is not JSON: EOF"));
        assert!(said("[1]").starts_with("it is no surface"));
        assert_eq!(
            said(r#"{"schema": "mcpvals.surface/v2"}"#),
            "its `schema` is `mcpvals.surface/v2`, and only `mcpvals.surface/v1` can be read here"
        );
        let mut cut: Value = serde_json::from_str(KEPT).unwrap();
        cut["surface"].as_object_mut().unwrap().remove("tools");
        assert!(said(&cut.to_string()).contains("missing field `tools`"));
        let mut sample: Value = serde_json::from_str(KEPT).unwrap();
        sample["surface"]["from_the_future"] = json!(1);
        assert!(SurfaceFile::read(&sample.to_string()).is_ok());
    }
}
