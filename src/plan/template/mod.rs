//! Placeholders: `{{steps.<id>.output}}`, `{{steps.<id>.json.items[0].id}}`, `{{vars.NAME}}`, `{{env.NAME}}`.
//!
//! A string that is one placeholder and nothing else keeps the type of the value; inside other text the value is
//! written as text. `\{{` is a literal `{{`. Braces around anything that is not one of the roots are left alone, as the
//! dialect always did. What a server sent is never looked at for placeholders again.

mod fill;
mod path;
mod reference;
mod segments;

pub use fill::{Scope, StepValue, fill};
pub use reference::{Names, bad_references, has_placeholders};
