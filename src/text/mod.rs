//! Words for people: plurals, durations, diffs, and untrusted text made harmless.

pub mod sanitize;

mod appearance;
mod bytes;
mod cut;
mod date;
mod diff;
mod digest;
mod duration;
mod json_diff;
mod json_text;
mod plural;
mod rate;

pub use appearance::appearance;
pub use bytes::bytes;
pub use cut::{around, cut, quote};
pub use date::Date;
pub use diff::{DiffLine, TextDiff, text_diff};
pub use digest::{canonical, digest, sha256};
pub use duration::{DURATION_HELP, duration, limit, milliseconds, parse_duration};
pub use json_diff::{JsonChange, JsonChangeKind, JsonDiff, json_diff};
pub use json_text::same_json;
pub use plural::{count, plural};
pub use rate::parse_rate;
