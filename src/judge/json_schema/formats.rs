//! `format` is checked in every draft: authors of old drafts count on it too, as the validators of the MCP SDKs do it.

use std::{collections::BTreeMap, sync::LazyLock};

use jsonschema::{Draft, ValidationOptions, Validator};
use serde_json::{Value, json};

use super::keywords::FORMATS;

/// What checks each format: the newest draft's own check.
static CHECKS: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let check = |format: &&'static str| {
        let built = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .build(&json!({ "format": format }));
        Some((*format, built.ok()?))
    };
    FORMATS.iter().filter_map(check).collect()
});

/// Options for a schema with which its formats are checked. An old draft knows a part of them only, and gets the others.
pub(super) fn checked(schema: &Value) -> ValidationOptions<'static> {
    let mut options = jsonschema::options().should_validate_formats(true);
    if Draft::default().detect(schema) < Draft::Draft201909 {
        for format in FORMATS {
            options = options.with_format(*format, move |text: &str| {
                CHECKS
                    .get(format)
                    .is_none_or(|check| check.is_valid(&Value::from(text)))
            });
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text that no format takes, but `regex` and references, which take nearly everything.
    const WRONG: &str = "\u{0} (";

    #[test]
    fn every_format_is_checked_in_every_draft() {
        for draft in ["04", "06", "07"] {
            for format in FORMATS {
                let schema =
                    json!({"$schema": format!("http://json-schema.org/draft-{draft}/schema#"), "format": format});
                let validator = checked(&schema).build(&schema).expect("the schema is right");
                assert!(!validator.is_valid(&json!(WRONG)), "{format} in draft {draft}");
                assert!(validator.is_valid(&json!(7)), "{format} is about texts");
            }
        }
    }

    #[test]
    fn a_right_text_is_right_in_every_draft() {
        for schema in [
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2020-12/schema",
        ] {
            for (format, text) in [
                ("uuid", "550e8400-e29b-41d4-a716-446655440000"),
                ("duration", "P3D"),
                ("date-time", "2026-11-30T22:00:00Z"),
                ("email", "a@example.org"),
            ] {
                let schema = json!({"$schema": schema, "format": format});
                let validator = checked(&schema).build(&schema).expect("the schema is right");
                assert!(validator.is_valid(&json!(text)), "{format}");
            }
        }
    }
}
