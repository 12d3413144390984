//! What changed between two JSON Schemas, keyword by keyword and without judging which direction breaks whom.

mod bounds;
mod composition;
mod difference;
mod flat;
mod objects;
mod types;
mod walk;
mod wording;

pub(super) use difference::{At, Constraint, Difference, Kind, Segment};
pub(super) use flat::{Flat, flatten};
pub(super) use types::Types;
pub(super) use walk::differences;
