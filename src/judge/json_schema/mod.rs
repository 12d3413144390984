//! JSON Schema of every draft, without network and files.

mod effort;
mod formats;
mod keywords;
mod refusals;
mod silent;
mod vacuous;
mod validator;

pub(crate) use refusals::Refusal;
pub(crate) use validator::{Schema, SchemaError, Untold, Violations};
