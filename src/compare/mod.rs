//! What the results mean: the gate's answer, and what became of each case.

mod gate;
mod pass_rate;
mod runs;

pub use gate::{Ending, totals, verdict};
pub use pass_rate::PassRate;
pub use runs::{Extent, RunCases, StatusChange, runs, status};
