//! JavaScript's regular expressions on engines that cannot hang.
//!
//! A pattern is translated and given to `regex`, which is linear; only look-around and back-references need
//! `fancy-regex`, which backtracks up to a limit. What is left of the difference to JavaScript: characters are code
//! points (as with its `u` flag), `.` matches U+2028 and U+2029, and a back-reference to a group that took no part
//! does not match. Inline flags such as `(?i)` work in addition.

mod engine;
mod translate;

pub(crate) use engine::{Pattern, PatternError, TooSlow};
