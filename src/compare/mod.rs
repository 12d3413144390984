//! What the results mean: the gate's answer.

mod gate;

pub use gate::{Ending, totals, verdict};
