//! What the results mean: the gate's answer.

pub mod surface;

mod allow;
mod gate;

pub use allow::{allow, allowance_problems};
pub use gate::{Ending, totals, verdict};
