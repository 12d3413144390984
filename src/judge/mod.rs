//! Evidence in, outcomes out.

pub mod assertions;

mod json_schema;
mod pattern;
