//! What the results mean: the gate's answer, and what became of each case.

pub mod surface;

mod allow;
mod cases;
mod comparison;
mod coverage;
mod gate;
mod known;
mod latency;
mod normal;
mod pass_rate;
mod record;
mod runs;
#[cfg(test)]
mod sample;
mod servers;

pub use allow::{allow, allowance_problems};
use cases::{cases, incomparable};
pub use comparison::{Run, comparison};
pub use coverage::coverage;
pub use gate::{Ending, Evidence, totals, verdict};
pub use known::known_failures;
pub use pass_rate::PassRate;
pub use record::baseline;
pub use runs::{Extent, RunCases, StatusChange, runs, status};
pub use servers::Surveyed;
use servers::servers;
