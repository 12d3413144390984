//! What changed between two JSON Schemas, keyword by keyword and without judging which direction breaks whom.

mod bounds;
mod composition;
mod difference;
mod exact;
mod flat;
mod json_types;
mod objects;
mod walk;
mod wording;

pub(super) use difference::{At, Constraint, Difference, Kind, Segment};
pub(super) use flat::{Flat, flatten};
pub(super) use json_types::Types;
pub(super) use walk::differences;
