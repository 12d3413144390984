//! The keywords of JSON Schema, from draft 4 to 2020-12.

use jsonschema::Draft::{self, Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// A keyword, and the drafts in which it has an effect.
pub(super) struct Keyword {
    pub(super) name: &'static str,
    pub(super) since: Draft,
    pub(super) until: Draft,
    pub(super) role: Role,
}

/// What a keyword does and what stands behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Asserts by the schema or the schemas behind it.
    Schemas,
    /// Asserts by schemas that have names.
    NamedSchemas,
    /// Asserts by a value, in which nothing is a keyword.
    Value,
    /// Keeps named schemas for `$ref`.
    Definitions,
    /// Asserts nothing.
    Note,
}

/// The keyword of this name.
pub(super) fn keyword(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == name)
}

/// What people write who mean a keyword that looks quite different.
pub(super) const OTHER_WORDS: &[(&str, &str)] = &[
    ("equals", "const"),
    ("length", "minLength` or `maxLength"),
    ("matches", "pattern"),
    ("optional", "required"),
    ("props", "properties"),
    ("regex", "pattern"),
    ("values", "enum"),
];

/// Formats that are checked.
pub(super) const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Formats that say how a value is stored: `OpenAPI`'s, to which come the sized integers, `int32` and `uint8`.
pub(super) const STORAGE_FORMATS: &[&str] = &[
    "base64url",
    "binary",
    "byte",
    "char",
    "decimal",
    "double",
    "float",
    "password",
];

const fn all(name: &'static str, role: Role) -> Keyword {
    between(name, Draft4, Draft202012, role)
}

const fn since(since: Draft, name: &'static str, role: Role) -> Keyword {
    between(name, since, Draft202012, role)
}

const fn between(name: &'static str, since: Draft, until: Draft, role: Role) -> Keyword {
    Keyword {
        name,
        since,
        until,
        role,
    }
}

/// Every keyword of the drafts, the notes that `OpenAPI` adds, and those of editors and form builders.
pub(super) static KEYWORDS: &[Keyword] = &[
    all("$anchor", Role::Note),
    all("$comment", Role::Note),
    all("$defs", Role::Definitions),
    all("$dynamicAnchor", Role::Note),
    since(Draft202012, "$dynamicRef", Role::Value),
    all("$id", Role::Note),
    all("$recursiveAnchor", Role::Note),
    between("$recursiveRef", Draft201909, Draft201909, Role::Value),
    all("$ref", Role::Value),
    all("$schema", Role::Note),
    all("$vocabulary", Role::Note),
    between("additionalItems", Draft4, Draft201909, Role::Schemas),
    all("additionalProperties", Role::Schemas),
    all("allOf", Role::Schemas),
    all("anyOf", Role::Schemas),
    since(Draft6, "const", Role::Value),
    since(Draft6, "contains", Role::Schemas),
    all("contentEncoding", Role::Note),
    all("contentMediaType", Role::Note),
    all("contentSchema", Role::Note),
    all("default", Role::Note),
    all("definitions", Role::Definitions),
    all("dependencies", Role::NamedSchemas),
    since(Draft201909, "dependentRequired", Role::Value),
    since(Draft201909, "dependentSchemas", Role::NamedSchemas),
    all("deprecated", Role::Note),
    all("deprecationMessage", Role::Note),
    all("description", Role::Note),
    all("discriminator", Role::Note),
    since(Draft7, "else", Role::Schemas),
    all("enum", Role::Value),
    all("enumDescriptions", Role::Note),
    all("enumNames", Role::Note),
    all("errorMessage", Role::Note),
    all("example", Role::Note),
    all("examples", Role::Note),
    all("exclusiveMaximum", Role::Value),
    all("exclusiveMinimum", Role::Value),
    all("externalDocs", Role::Note),
    all("format", Role::Value),
    all("id", Role::Note),
    since(Draft7, "if", Role::Schemas),
    all("items", Role::Schemas),
    all("markdownDescription", Role::Note),
    since(Draft201909, "maxContains", Role::Value),
    all("maxItems", Role::Value),
    all("maxLength", Role::Value),
    all("maxProperties", Role::Value),
    all("maximum", Role::Value),
    since(Draft201909, "minContains", Role::Value),
    all("minItems", Role::Value),
    all("minLength", Role::Value),
    all("minProperties", Role::Value),
    all("minimum", Role::Value),
    all("multipleOf", Role::Value),
    all("not", Role::Schemas),
    all("nullable", Role::Note),
    all("oneOf", Role::Schemas),
    all("pattern", Role::Value),
    all("patternProperties", Role::NamedSchemas),
    since(Draft202012, "prefixItems", Role::Schemas),
    all("properties", Role::NamedSchemas),
    since(Draft6, "propertyNames", Role::Schemas),
    all("readOnly", Role::Note),
    all("required", Role::Value),
    since(Draft7, "then", Role::Schemas),
    all("title", Role::Note),
    all("type", Role::Value),
    since(Draft201909, "unevaluatedItems", Role::Schemas),
    since(Draft201909, "unevaluatedProperties", Role::Schemas),
    all("uniqueItems", Role::Value),
    all("writeOnly", Role::Note),
    all("xml", Role::Note),
];
