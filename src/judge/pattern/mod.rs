//! JavaScript's regular expressions on engines that cannot hang.
//!
//! A pattern is translated and given to `regex`, which is linear; only look-around and back-references need
//! `fancy-regex`, which backtracks up to a limit. What is left of the difference to JavaScript: characters are code
//! points (as with its `u` flag) and `.` matches U+2028 and U+2029. What would mean something else here than there is
//! refused. Inline flags such as `(?i)` work in addition.

mod class;
mod engine;
mod escape;
mod groups;
mod translate;

pub(crate) use engine::{Pattern, PatternError, TooSlow};
