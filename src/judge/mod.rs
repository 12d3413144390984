//! Evidence in, outcomes out.

pub mod assertions;

pub(crate) mod json_schema;
mod pattern;
