//! The published JSON Schemas, made from the same types that write and read them.

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::Value;

use super::{Report, SurfaceDiff, SurfaceFile};

/// The JSON Schema (draft 2020-12) of a report.
pub fn json_schema() -> Value {
    schema_of::<Report<'static>>()
}

/// The JSON Schema (draft 2020-12) of a surface.
pub fn surface_json_schema() -> Value {
    schema_of::<SurfaceFile>()
}

/// The JSON Schema (draft 2020-12) of a comparison of surfaces.
pub fn surface_diff_json_schema() -> Value {
    schema_of::<SurfaceDiff>()
}

/// The JSON Schema of one of our forms.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let never_null = RecursiveTransform(|schema: &mut Schema| remove_null(schema));
    let settings = SchemaSettings::draft2020_12().with_transform(never_null);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// What is not known is left out, so the `null` that stands for an `Option` is not part of the format.
fn remove_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|each| each != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let null = serde_json::json!({ "type": "null" });
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|each| *each != null);
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove("anyOf");
            schema.ensure_object().extend(only);
        }
    }
}
