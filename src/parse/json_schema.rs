//! The JSON Schema of what people write, for editors: completion, hover texts, red squiggles.
//!
//! The assertions come from their registry, which lives in a later stage, and are handed in.

use serde_json::{Map, Value, json};

use crate::model::FailOn;

use super::{project::MOST_CONCURRENCY, settings::MOST_RETRIES};

/// One assertion for the schema: its key, its summary, the schema of its argument.
pub type AssertionSchema<'a> = (&'a str, &'a str, Value);

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a fixture.
pub fn fixture_schema(assertions: &[AssertionSchema<'_>]) -> Value {
    json!({
        "$schema": DIALECT,
        "title": "mcpvals fixture",
        "description": "One case: an ordered list of tool calls against one MCP server.",
        "type": "object",
        "required": ["name", "steps"],
        "additionalProperties": false,
        "patternProperties": { "^(x-|\\$schema)": {} },
        "properties": {
            "version": { "enum": [1, 2], "description": "Format of the fixture; selects defaults, not keys." },
            "name": { "$ref": "#/$defs/text", "description": "What the case is called in reports." },
            "description": { "$ref": "#/$defs/text", "description": "What the case is for." },
            "tags": { "$ref": "#/$defs/texts", "description": "Words to select the case by, with --tag." },
            "server": { "$ref": "#/$defs/server_choice" },
            "server_scope": { "$ref": "#/$defs/server_scope" },
            "skip": { "$ref": "#/$defs/skip" },
            "skip_unless": { "$ref": "#/$defs/skip_unless" },
            "retries": { "$ref": "#/$defs/retries" },
            "timeout": { "$ref": "#/$defs/duration", "description": "Limit of each call." },
            "vars": { "type": ["object", "null"], "description": "Named values for `{{vars.NAME}}`." },
            "steps": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/step" } },
        },
        "$defs": definitions(Some(assertions)),
    })
}

/// The schema of the project file.
pub fn project_schema() -> Value {
    json!({
        "$schema": DIALECT,
        "title": "mcpvals project file",
        "description": "Servers that fixtures can name, and defaults for all of them.",
        "type": "object",
        "additionalProperties": false,
        "patternProperties": { "^(x-|\\$schema)": {} },
        "properties": {
            "version": { "enum": [1, 2], "description": "Format of the project file." },
            "servers": {
                "type": ["object", "null"],
                "additionalProperties": { "$ref": "#/$defs/server" },
                "description": "Servers by the name that fixtures use.",
            },
            "defaults": {
                "type": ["object", "null"],
                "additionalProperties": false,
                "description": "Used where neither the fixture nor the command line says otherwise.",
                "properties": {
                    "timeout": { "$ref": "#/$defs/duration", "description": "Limit of each call." },
                    "startup_timeout": { "$ref": "#/$defs/duration", "description": "Limit of a server's start." },
                    "concurrency": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": MOST_CONCURRENCY,
                        "description": "Cases at a time.",
                    },
                    "server_scope": { "$ref": "#/$defs/server_scope" },
                    "retries": { "$ref": "#/$defs/retries" },
                },
            },
            "discovery": {
                "type": ["object", "null"],
                "additionalProperties": false,
                "description": "Which of the found files are fixtures; globs relative to this file.",
                "properties": {
                    "include": { "$ref": "#/$defs/texts", "description": "Files must match one of these." },
                    "exclude": { "$ref": "#/$defs/texts", "description": "Files that match one of these are left out." },
                },
            },
            "history": {
                "type": ["object", "null"],
                "additionalProperties": false,
                "description": "Runs are recorded, as with --db.",
                "properties": {
                    "db": { "type": "string", "description": "The database, relative to this file; ~/.mcp/evals.db if it is not given." },
                    "keep": { "type": "integer", "minimum": 1, "description": "Runs that are kept; 1000 if it is not given." },
                },
            },
            "secrets": { "$ref": "#/$defs/texts", "description": "Environment variables whose values are redacted." },
            "gate": gate(),
            "known_failures": {
                "type": ["array", "null"],
                "items": known_failure(),
                "description": "Failures that are put up with; one that passes or whose day is over closes the gate.",
            },
            "allow": allow(),
        },
        "$defs": definitions(None),
    })
}

fn allow() -> Value {
    json!({
        "type": ["array", "null"],
        "description": "Changes of a server's surface that are accepted.",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["reason"],
            "oneOf": [{ "required": ["fingerprint"] }, { "required": ["rule"] }],
            "properties": {
                "fingerprint": {
                    "type": ["string", "number"],
                    "pattern": "^[0-9a-f]{12}$",
                    "description": "One change, as `mcpvals diff` shows it.",
                },
                "rule": { "type": "string", "description": "Every change that this rule finds." },
                "server": { "$ref": "#/$defs/text", "description": "Only for the server of this name." },
                "subject": { "$ref": "#/$defs/text", "description": "Only about this, such as the name of a tool." },
                "reason": { "$ref": "#/$defs/text", "description": "Why it is accepted." },
                "expires": {
                    "type": "string",
                    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                    "description": "The last day on which the entry counts.",
                },
            },
        },
    })
}

fn definitions(assertions: Option<&[AssertionSchema<'_>]>) -> Value {
    let mut all = Map::new();
    all.extend(shared());
    all.extend(server());
    if let Some(assertions) = assertions {
        all.insert("step".to_owned(), step());
        all.insert("expect".to_owned(), expect(assertions));
        all.insert(
            "server_choice".to_owned(),
            json!({
                "description": "The server under test, or the name of one in the project file; without it the case is simulated.",
                "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/server" }],
            }),
        );
    }
    Value::Object(all)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn shared() -> Map<String, Value> {
    object(json!({
        "text": { "type": ["string", "number", "boolean"] },
        "texts": {
            "anyOf": [{ "$ref": "#/$defs/text" }, { "type": "array", "items": { "$ref": "#/$defs/text" } }, { "type": "null" }],
        },
        "text_map": { "type": ["object", "null"], "additionalProperties": { "$ref": "#/$defs/text" } },
        "duration": {
            "anyOf": [
                { "type": "number", "exclusiveMinimum": 0 },
                { "type": "string", "pattern": "^\\s*[0-9.]+\\s*(ms|s|m|min|h)?\\s*$" },
            ],
            "examples": [500, "30s", "2m"],
        },
        "server_scope": {
            "enum": ["case", "file", "run"],
            "description": "How far one server is shared: a fresh one for each case, one a file, one for the run.",
        },
        "retries": {
            "type": "integer",
            "minimum": 0,
            "maximum": MOST_RETRIES,
            "description": "Attempts after the first; a pass after a failure is reported as flaky.",
        },
        "skip": { "type": ["string", "boolean", "null"], "description": "Never run; the reason is shown." },
        "skip_unless": {
            "type": "object",
            "additionalProperties": false,
            "required": ["env"],
            "properties": { "env": { "type": "string" } },
            "description": "Only run where this environment variable is set and not empty.",
        },
    }))
}

fn launch_properties() -> Map<String, Value> {
    object(json!({
        "command": { "$ref": "#/$defs/text", "description": "Program to start: a path or a name found on PATH." },
        "args": { "$ref": "#/$defs/texts", "description": "Its arguments." },
        "env": { "$ref": "#/$defs/text_map", "description": "Environment variables to set." },
        "env_inherit": { "$ref": "#/$defs/texts", "description": "Our own environment variables to hand on." },
        "cwd": { "$ref": "#/$defs/text", "description": "Working directory." },
    }))
}

fn server() -> Map<String, Value> {
    let mut start = launch_properties();
    start.insert(
        "ready".to_owned(),
        json!({
            "anyOf": [
                { "type": "string" },
                { "type": "object", "additionalProperties": false, "required": ["http"], "properties": { "http": { "type": "string" } } },
            ],
            "description": "Address that answers once the server is ready; `{{port}}` is the chosen port.",
        }),
    );
    let mut properties = launch_properties();
    properties.extend(object(json!({
        "transport": {
            "enum": ["stdio", "shttp", "http", "streamable-http"],
            "description": "How the server is reached; told from `command` or `url` where it is absent.",
        },
        "url": { "$ref": "#/$defs/text", "description": "Endpoint of a streamable HTTP server." },
        "headers": { "$ref": "#/$defs/text_map", "description": "Extra request headers." },
        "start": { "$ref": "#/$defs/start" },
        "startup_timeout": { "$ref": "#/$defs/duration", "description": "Limit of the server's start." },
    })));
    object(json!({
        "server": {
            "type": "object",
            "additionalProperties": false,
            "properties": properties,
            "description": "How the server is started or reached.",
        },
        "start": {
            "type": "object",
            "additionalProperties": false,
            "required": ["command"],
            "properties": start,
            "description": "A command that starts the HTTP server on `{{port}}`; it is ended after the run.",
        },
    }))
}

fn step() -> Value {
    json!({
        "type": "object",
        "required": ["id", "tool"],
        "additionalProperties": false,
        "properties": {
            "id": { "$ref": "#/$defs/text", "description": "Name of the step, unique in its case." },
            "description": { "$ref": "#/$defs/text", "description": "What the step is for." },
            "tool": { "$ref": "#/$defs/text", "description": "The tool to call." },
            "input": { "type": ["object", "null"], "description": "Arguments of the call." },
            "expected_output": { "description": "The output in simulation mode." },
            "expect": { "$ref": "#/$defs/expect" },
            "skip": { "$ref": "#/$defs/skip" },
            "skip_unless": { "$ref": "#/$defs/skip_unless" },
            "timeout": { "$ref": "#/$defs/duration", "description": "Limit of this call." },
        },
    })
}

fn expect(assertions: &[AssertionSchema<'_>]) -> Value {
    let properties: Map<String, Value> = assertions
        .iter()
        .map(|(key, summary, schema)| ((*key).to_owned(), described(schema, summary)))
        .collect();
    json!({
        "type": ["object", "null"],
        "additionalProperties": false,
        "description": "What the output must satisfy; all of it.",
        "properties": properties,
    })
}

fn described(schema: &Value, summary: &str) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(map) = &mut schema {
        map.entry("description").or_insert_with(|| summary.into());
    }
    schema
}

fn gate() -> Value {
    let words: Vec<&str> = FailOn::ALL.iter().map(|(_, word, _)| *word).collect();
    let word = json!({ "enum": words });
    let rate = json!({ "type": ["number", "string"], "description": "From 0 to 1, or a percentage such as 90%." });
    json!({
        "type": ["object", "null"],
        "additionalProperties": false,
        "description": "What closes the gate.",
        "properties": {
            "fail_on": {
                "anyOf": [word, { "type": "array", "items": word }],
                "description": "Regressions where there is a baseline, failures where there is none.",
            },
            "min_pass_rate": rate,
            "max_error_rate": rate,
        },
    })
}

fn known_failure() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["case", "reason"],
        "properties": {
            "case": { "type": "string", "description": "The id of the case, or its name." },
            "step": { "type": ["string", "null"], "description": "The only step of it that may fail." },
            "reason": { "type": "string", "description": "Why it is put up with." },
            "issue": { "type": ["string", "null"], "description": "Where it is followed up." },
            "expires": { "type": ["string", "null"], "format": "date", "description": "The last day it counts." },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        parse::{fixture, project},
        source::{Diagnostic, SourceFile},
    };

    fn assertions() -> [AssertionSchema<'static>; 1] {
        [(
            "output_contains",
            "the output contains this text",
            json!({ "type": "string" }),
        )]
    }

    fn keys(schema: &Value, pointer: &str) -> BTreeSet<String> {
        let properties = schema
            .pointer(pointer)
            .and_then(Value::as_object)
            .expect("has properties");
        properties.keys().cloned().collect()
    }

    /// The keys the parser lists when it meets one that is like no other.
    fn listed(diagnostics: &[Diagnostic]) -> BTreeSet<String> {
        let help = diagnostics
            .iter()
            .find_map(|it| it.help.as_deref()?.strip_prefix("known here: "));
        help.expect("an unknown key").split(", ").map(str::to_owned).collect()
    }

    fn listed_in_fixture(text: &str) -> BTreeSet<String> {
        listed(&fixture(&SourceFile::new("a.yaml", text)).diagnostics)
    }

    fn listed_in_project(text: &str) -> BTreeSet<String> {
        listed(&project(&SourceFile::new("mcpvals.yaml", text)).diagnostics)
    }

    #[test]
    fn has_the_keys_that_the_parser_reads() {
        let schema = fixture_schema(&assertions());
        assert_eq!(keys(&schema, "/properties"), listed_in_fixture("zzz: 1"));
        let step = listed_in_fixture("{name: a, steps: [{id: a, tool: b, zzz: 1}]}");
        assert_eq!(keys(&schema, "/$defs/step/properties"), step);
        let server = listed_in_fixture("{name: a, steps: [{id: a, tool: b}], server: {command: x, zzz: 1}}");
        assert_eq!(keys(&schema, "/$defs/server/properties"), server);
        let start = "{name: a, steps: [{id: a, tool: b}], server: {url: x, start: {command: x, zzz: 1}}}";
        assert_eq!(keys(&schema, "/$defs/start/properties"), listed_in_fixture(start));
    }

    #[test]
    fn has_the_keys_of_the_project_file() {
        let schema = project_schema();
        assert_eq!(keys(&schema, "/properties"), listed_in_project("zzz: 1"));
        let defaults = listed_in_project("defaults: {zzz: 1}");
        assert_eq!(keys(&schema, "/properties/defaults/properties"), defaults);
        let discovery = listed_in_project("discovery: {zzz: 1}");
        assert_eq!(keys(&schema, "/properties/discovery/properties"), discovery);
        let allow = listed_in_project("allow: [{rule: a, reason: b, zzz: 1}]");
        assert_eq!(keys(&schema, "/properties/allow/items/properties"), allow);
    }

    #[test]
    fn accepts_what_the_parser_accepts_and_refuses_typos() {
        let validator = jsonschema::validator_for(&fixture_schema(&assertions())).expect("a valid schema");
        let fixture = json!({
            "$schema": "x", "x-anchors": {}, "name": "a", "timeout": "1.5s", "tags": ["a", 1], "skip_unless": { "env": "A" },
            "server": { "url": "x", "headers": { "A": "b" }, "start": { "command": "x", "ready": { "http": "y" } } },
            "steps": [{ "id": 1, "tool": "t", "input": null, "expect": { "output_contains": "x" }, "timeout": 5 }],
        });
        assert!(
            validator.is_valid(&fixture),
            "{:?}",
            validator.iter_errors(&fixture).next()
        );
        let mut typo = fixture.clone();
        typo["steps"][0]["expect"] = json!({ "output_contain": "x" });
        assert!(!validator.is_valid(&typo));
        let mut typo = fixture;
        typo["steps"][0]["expects"] = json!({});
        assert!(!validator.is_valid(&typo));
    }

    #[test]
    fn the_schemas_are_schemas() {
        for schema in [fixture_schema(&assertions()), project_schema()] {
            assert!(jsonschema::meta::is_valid(&schema));
            jsonschema::validator_for(&schema).expect("its references lead somewhere");
        }
    }
}
