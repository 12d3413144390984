//! Values that show a break: accepted by one schema, refused by the other for the reason at hand.

mod sample;
mod search;

pub(super) use search::{Sides, witness};
