//! What the results mean: the gate's answer.

mod cases;
mod gate;
mod known;
mod latency;
mod normal;
mod record;
#[cfg(test)]
mod sample;

pub use cases::{cases, incomparable};
pub use gate::{Ending, Evidence, totals, verdict};
pub use known::known_failures;
pub use latency::notice as latency_notice;
pub use record::baseline;
