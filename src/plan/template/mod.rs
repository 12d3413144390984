//! Placeholders: `{{steps.<id>.output}}`, `{{steps.<id>.json.items[0].id}}`, `{{vars.NAME}}`, `{{env.NAME}}`.
//!
//! A string that is one placeholder and nothing else keeps the type of the value; inside other text the value is
//! written as text. `\{{` before a placeholder is a literal `{{`, and `\\{{` a backslash before a filled one. Braces around anything that is not one of the roots
//! are left alone, as the dialect always did. What a server sent is never looked at for placeholders again.

mod braces;
mod fill;
mod mention;
mod path;
mod reference;
mod step_ids;

pub(super) use braces::{Pair, pairs};
pub use fill::{Scope, StepValue, fill};
pub(super) use fill::{fill_with, unescaped};
pub(super) use mention::{Mention, SHOWN, mentions, mentions_in_text};
pub(super) use reference::{Names, is_rooted};
pub(super) use step_ids::StepIds;
