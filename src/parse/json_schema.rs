//! The JSON Schema of what people write, for editors: completion, hover texts, red squiggles.
//!
//! The assertions come from their registry, which lives in a later stage, and are handed in.

use serde_json::{Map, Value, json};

use super::settings::MOST_RETRIES;

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
                    "concurrency": { "type": "integer", "minimum": 1, "description": "Cases at a time." },
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
            "secrets": { "$ref": "#/$defs/texts", "description": "Environment variables whose values are redacted." },
        },
        "$defs": definitions(None),
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
