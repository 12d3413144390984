//! What the results mean: the gate's answer.

pub mod surface;

mod gate;

pub use gate::{Ending, totals, verdict};
