//! What changed between two surfaces of one server: one file a rule family, one line a family.
//!
//! Surfaces are compared as they were sent; what the protocol lets vary without meaning is set aside here and nowhere
//! else. Input schemas are read from the side of who sends arguments (narrowing breaks), output schemas from the side of
//! who reads results (widening breaks).

mod annotations;
mod changes;
mod closing;
mod deprecation;
mod input;
mod input_rules;
mod items;
mod output;
mod output_rules;
mod prompts;
mod registry;
mod renames;
mod resources;
mod rule;
mod schema;
mod server;
mod templates;
mod tools;
mod witness;
mod words;

pub use closing::{FailOn, closing};
pub use registry::{Used, rule, rules, surface_changes};
pub use rule::Rule;
